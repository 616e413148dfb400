/** Languages of the hosted pages. */
export type Language = 'en' | 'de';

const EN = {
  simulator: 'Simulator',
  simulatorDetail: 'No real payment. Only test cards are accepted.',
  paymentTitle: 'Pay your booking',
  tokenTitle: 'Save your card',
  tokenLead: 'Your card guarantees the booking. Nothing is charged now.',
  amount: 'Amount',
  reference: 'Booking',
  purpose: 'For',
  recipient: 'To',
  hotel: 'Hotel',
  surchargeNotice: 'Some cards carry a surcharge. You will see it before you pay.',
  cardNumber: 'Card number',
  expiry: 'Expiry',
  expiryHint: 'MM/YY',
  cvc: 'Security code',
  cardholder: 'Name on card',
  optional: 'optional',
  /** The main button, with the amount. */
  pay: (sum: string): string => `Pay ${sum}`,
  store: 'Save card',
  cancel: 'Cancel and go back',
  decline: 'Decline this payment',
  declineStore: 'Decline this card',
  tools: 'Simulator tools',
  testCards: 'Test cards',
  testCardsLead: 'Any future date, any security code and any name (or none) will do.',
  testCardNumber: 'Number',
  testCardEffect: 'What happens',
  useCard: 'Use',
  moreInputs: 'Amounts and names can do the same: see the table of magic inputs in the sandbox’s README.',
  errorSummary: 'Please check what you entered:',
  errorCardNumber: 'Enter the card number, 12 to 19 digits.',
  errorNotTestCard: 'This simulator accepts only its test cards. Please never enter a real card.',
  errorExpiry: 'Enter month and year as MM/YY.',
  errorExpired: 'This card has expired.',
  errorCvc: 'Enter the security code, 3 or 4 digits.',
  confirmTitle: 'Confirm the surcharge',
  confirmLead: 'This card carries a surcharge. Nothing has been charged yet.',
  surcharge: 'Surcharge',
  total: 'Total',
  otherCard: 'Use another card',
  doneTitle: 'Payment complete',
  doneLead: 'This payment has already been made. You will not be charged again.',
  tokenDoneTitle: 'Card saved',
  tokenDoneLead: 'This card has already been saved.',
  failedTitle: 'Nothing was charged',
  tokenFailedTitle: 'No card was saved',
  failedLead: 'This request has ended:',
  backToHotel: 'Back to the hotel',
  unknownTitle: 'Page not found',
  unknownLead: 'This payment address is unknown. Please start again from the hotel’s page.',
  brokenTitle: 'Something went wrong',
  brokenLead: 'We cannot show the result. Please do not pay again: ask the hotel first.',
  otherLanguage: 'Deutsch',
  secure: 'Payment page',
};

/** Every sentence of the hosted pages. */
export type Texts = Readonly<typeof EN>;

const DE: Texts = {
  simulator: 'Simulator',
  simulatorDetail: 'Keine echte Zahlung. Nur Testkarten werden angenommen.',
  paymentTitle: 'Buchung bezahlen',
  tokenTitle: 'Karte hinterlegen',
  tokenLead: 'Ihre Karte sichert die Buchung. Es wird jetzt nichts abgebucht.',
  amount: 'Betrag',
  reference: 'Buchung',
  purpose: 'Für',
  recipient: 'An',
  hotel: 'Hotel',
  surchargeNotice: 'Manche Karten kosten einen Zuschlag. Sie sehen ihn, bevor Sie zahlen.',
  cardNumber: 'Kartennummer',
  expiry: 'Gültig bis',
  expiryHint: 'MM/JJ',
  cvc: 'Prüfziffer',
  cardholder: 'Name auf der Karte',
  optional: 'freiwillig',
  pay: (sum) => `${sum} zahlen`,
  store: 'Karte hinterlegen',
  cancel: 'Abbrechen und zurück',
  decline: 'Zahlung ablehnen',
  declineStore: 'Karte ablehnen',
  tools: 'Werkzeuge des Simulators',
  testCards: 'Testkarten',
  testCardsLead: 'Jedes künftige Datum, jede Prüfziffer und jeder Name (oder keiner) sind recht.',
  testCardNumber: 'Nummer',
  testCardEffect: 'Was geschieht (englisch)',
  useCard: 'Nehmen',
  moreInputs: 'Beträge und Namen können dasselbe: siehe die Tabelle im README der Sandbox.',
  errorSummary: 'Bitte prüfen Sie Ihre Eingaben:',
  errorCardNumber: 'Geben Sie die Kartennummer ein, 12 bis 19 Ziffern.',
  errorNotTestCard: 'Dieser Simulator nimmt nur seine Testkarten an. Bitte nie eine echte Karte eingeben.',
  errorExpiry: 'Geben Sie Monat und Jahr als MM/JJ ein.',
  errorExpired: 'Diese Karte ist abgelaufen.',
  errorCvc: 'Geben Sie die Prüfziffer ein, 3 oder 4 Ziffern.',
  confirmTitle: 'Zuschlag bestätigen',
  confirmLead: 'Diese Karte kostet einen Zuschlag. Es wurde noch nichts abgebucht.',
  surcharge: 'Zuschlag',
  total: 'Gesamt',
  otherCard: 'Andere Karte verwenden',
  doneTitle: 'Zahlung abgeschlossen',
  doneLead: 'Diese Zahlung ist bereits erfolgt. Es wird nicht noch einmal abgebucht.',
  tokenDoneTitle: 'Karte hinterlegt',
  tokenDoneLead: 'Diese Karte ist bereits hinterlegt.',
  failedTitle: 'Es wurde nichts abgebucht',
  tokenFailedTitle: 'Es wurde keine Karte hinterlegt',
  failedLead: 'Dieser Vorgang ist beendet:',
  backToHotel: 'Zurück zum Hotel',
  unknownTitle: 'Seite nicht gefunden',
  unknownLead: 'Diese Zahlungsadresse ist unbekannt. Bitte beginnen Sie auf der Seite des Hotels neu.',
  brokenTitle: 'Etwas ging schief',
  brokenLead: 'Wir können das Ergebnis nicht zeigen. Bitte nicht noch einmal zahlen: fragen Sie zuerst das Hotel.',
  otherLanguage: 'English',
  secure: 'Zahlungsseite',
};

/** The sentences of one language. */
export function textsIn(language: Language): Texts {
  return language === 'de' ? DE : EN;
}

/** `lang` of the query, else the first known language of `Accept-Language`, else English. */
export function chooseLanguage(url: URL, acceptLanguage: string | null): Language {
  const asked = url.searchParams.get('lang');
  if (asked === 'de' || asked === 'en') return asked;
  const known = (acceptLanguage ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const weight = Number(
        parameters
          .find((parameter) => parameter.trim().startsWith('q='))
          ?.trim()
          .slice(2) ?? 1,
      );
      return { tag: tag.slice(0, 2), weight };
    })
    .filter(({ tag, weight }) => (tag === 'de' || tag === 'en') && weight > 0)
    .toSorted((one, other) => other.weight - one.weight);
  return known[0]?.tag === 'de' ? 'de' : 'en';
}
