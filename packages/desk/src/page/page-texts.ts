/** What the proxy's own page says besides the elements, in the languages of the desk. */

/** The texts of one language. `{hotel}` is the id of the hotel at the proxy. */
export type PageTexts = typeof EN;

const EN = {
  title: 'Payments',
  signOut: 'Sign out',
  tryNow: 'Retry now',
  askForLink: 'Ask your administrator for a new link: innkeep desk {hotel}',
  noLink: 'You’re not signed in.',
  noCookies: 'This page needs cookies. Allow them here, then open the link again.',
  spent: 'This link was already used, or is more than a minute old.',
  over: 'Your session has ended.',
  /** Beside a box to check. */
  shortcut: 'Search with /',
  idle: 'You’ll be signed out in 2 minutes.',
  stay: 'Stay signed in',
  leftAlone: 'You were signed out after 15 minutes of inactivity.',
  signedOut: 'You’re signed out.',
  notOpened: 'We couldn’t connect, or the service is busy. Try again within a minute.',
  notSignedOut: 'We couldn’t connect. You may still be signed in.',
  openedElsewhere:
    'Another link was opened in this browser. What you do here is now recorded for the person it was created for.',
  goOn: 'Continue',
};

const DE: PageTexts = {
  title: 'Zahlungen',
  signOut: 'Abmelden',
  tryNow: 'Jetzt versuchen',
  askForLink: 'Bitten Sie Ihren Administrator um einen neuen Link: innkeep desk {hotel}',
  noLink: 'Hier ist niemand angemeldet.',
  noCookies: 'Diese Seite braucht Cookies. Erlauben Sie sie hier, und öffnen Sie dann den Link noch einmal.',
  spent: 'Dieser Link wurde schon benutzt oder ist älter als eine Minute.',
  over: 'Ihre Sitzung ist beendet.',
  shortcut: 'Suche mit /',
  idle: 'Sie werden in 2 Minuten abgemeldet.',
  stay: 'Angemeldet bleiben',
  leftAlone: 'Sie wurden abgemeldet, weil 15 Minuten lang niemand hier war.',
  signedOut: 'Sie sind abgemeldet.',
  notOpened:
    'Keine Verbindung zu den Zahlungen, oder es ist gerade zu viel los. Versuchen Sie es innerhalb einer Minute noch einmal.',
  notSignedOut: 'Keine Verbindung. Vielleicht sind Sie noch angemeldet.',
  openedElsewhere:
    'In diesem Browser wurde ein anderer Link geöffnet. Was Sie hier tun, wird jetzt unter dem Namen der Person festgehalten, für die er ist.',
  goOn: 'Weiter',
};

const AR: PageTexts = {
  title: 'المدفوعات',
  signOut: 'تسجيل الخروج',
  tryNow: 'حاول الآن',
  askForLink: 'اطلب رابطًا جديدًا ممن يدير المدفوعات: ⁦innkeep desk {hotel}⁩',
  noLink: 'لم يسجّل أحد الدخول هنا.',
  noCookies: 'تحتاج هذه الصفحة إلى ملفات تعريف الارتباط. اسمح بها هنا، ثم افتح الرابط مرة أخرى.',
  spent: 'استُخدم هذا الرابط من قبل، أو مضى عليه أكثر من دقيقة.',
  over: 'انتهت جلستك.',
  shortcut: 'البحث بالمفتاح /',
  idle: 'سيتم تسجيل خروجك بعد دقيقتين.',
  stay: 'البقاء مسجّلًا للدخول',
  leftAlone: 'تم تسجيل خروجك بعد 15 دقيقة بلا نشاط.',
  signedOut: 'لقد سجّلت الخروج.',
  notOpened: 'لا اتصال بالمدفوعات، أو الطلبات كثيرة الآن. حاول مرة أخرى خلال دقيقة.',
  notSignedOut: 'لا اتصال. ربما لم تسجّل الخروج بعد.',
  openedElsewhere: 'فُتح رابط آخر في هذا المتصفح. ما تفعله هنا يُسجَّل الآن باسم الشخص الذي أُنشئ له.',
  goOn: 'متابعة',
};

const TEXTS: Readonly<Record<string, PageTexts>> = { en: EN, de: DE, ar: AR };

/** The texts for the first language that there is, and which one that is. */
export function pageTexts(languages: readonly string[]): { readonly lang: string; readonly texts: PageTexts } {
  const lang = languages.find((tag) => tag.slice(0, 2).toLowerCase() in TEXTS) ?? 'en';
  return { lang, texts: TEXTS[lang.slice(0, 2).toLowerCase()] ?? EN };
}
