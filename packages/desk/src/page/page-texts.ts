/** What the proxy's own page says besides the elements, in the languages of the desk. */

/** The texts of one language. `{hotel}` is the id of the hotel at the proxy. */
export type PageTexts = typeof EN;

const EN = {
  title: 'Payments',
  signOut: 'Sign out',
  tryNow: 'Try now',
  askForLink: 'Ask whoever runs the payments for a new link: innkeep desk {hotel}',
  noLink: 'Nobody is signed in here.',
  spent: 'This link was used, or is older than a minute.',
  over: 'Your time at this desk is over.',
  leftAlone: 'Nobody was here for 15 minutes, so the desk was closed.',
  signedOut: 'You are signed out.',
  notOpened: 'No connection to the payments, or too much is going on. Try again within a minute.',
  notSignedOut: 'No connection: you are not signed out yet.',
};

const DE: PageTexts = {
  title: 'Zahlungen',
  signOut: 'Abmelden',
  tryNow: 'Jetzt versuchen',
  askForLink: 'Bitten Sie um einen neuen Link, wer die Zahlungen betreut: innkeep desk {hotel}',
  noLink: 'Hier ist niemand angemeldet.',
  spent: 'Dieser Link wurde schon benutzt oder ist älter als eine Minute.',
  over: 'Ihre Zeit an diesem Platz ist abgelaufen.',
  leftAlone: '15 Minuten lang war niemand hier, darum wurde der Platz geschlossen.',
  signedOut: 'Sie sind abgemeldet.',
  notOpened:
    'Keine Verbindung zu den Zahlungen, oder es ist gerade zu viel los. Versuchen Sie es innerhalb einer Minute noch einmal.',
  notSignedOut: 'Keine Verbindung: Sie sind noch nicht abgemeldet.',
};

const AR: PageTexts = {
  title: 'المدفوعات',
  signOut: 'تسجيل الخروج',
  tryNow: 'حاول الآن',
  askForLink: 'اطلب رابطًا جديدًا ممن يدير المدفوعات: ⁦innkeep desk {hotel}⁩',
  noLink: 'لم يسجّل أحد الدخول هنا.',
  spent: 'استُخدم هذا الرابط من قبل، أو مضى عليه أكثر من دقيقة.',
  over: 'انتهت مدة عملك على هذا المكتب.',
  leftAlone: 'لم يكن أحد هنا منذ 15 دقيقة، لذلك أُغلق المكتب.',
  signedOut: 'لقد سجّلت الخروج.',
  notOpened: 'لا اتصال بالمدفوعات، أو الطلبات كثيرة الآن. حاول مرة أخرى خلال دقيقة.',
  notSignedOut: 'لا اتصال: لم تسجّل الخروج بعد.',
};

const TEXTS: Readonly<Record<string, PageTexts>> = { en: EN, de: DE, ar: AR };

/** The texts for the first language that there is, and which one that is. */
export function pageTexts(languages: readonly string[]): { readonly lang: string; readonly texts: PageTexts } {
  const lang = languages.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => tag in TEXTS) ?? 'en';
  return { lang, texts: TEXTS[lang] ?? EN };
}
