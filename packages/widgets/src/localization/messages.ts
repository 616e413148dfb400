/**
 * Every text that an element shows, as one type: a locale file that lacks one does not compile.
 */

/** One text per plural category of the language (`Intl.PluralRules`); `{n}` stands for the number. */
export type PluralMessage = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

/** The texts of one language. */
export interface Messages {
  /** Button; `{amount}` stands for the formatted amount. */
  pay: string;
  /** Button while the amount is not known yet. */
  payNow: string;
  /** Button of `<save-card-widget>`. */
  saveCard: string;
  /** Below the button: where the card is entered. */
  secure: string;
  /** Before paying, when the upstream may add a surcharge. */
  surchargeNotice: string;
  /** Time to start, in the last minutes. */
  minutesLeft: PluralMessage;
  /** `<payment-status>` of a session that nobody has started. */
  notStarted: string;
  /** The hosted page is being asked for. */
  opening: string;
  /** The hosted page is open. */
  waiting: string;
  /** Below it: nothing needs to be done here. */
  waitingHint: string;
  /** The window seems gone; may be wrong, so it claims nothing. */
  closed: string;
  /** Link to the hosted page. */
  openPage: string;
  /** The browser has no network. */
  offline: string;
  /** The proxy cannot be reached. */
  unreachable: string;
  /** The payment succeeded. */
  paid: string;
  /** The card was kept. */
  cardSaved: string;
  /** The payment failed; no money moved. */
  failed: string;
  /** The card was refused; no money moved. */
  declined: string;
  /** The card was not kept. */
  cardNotSaved: string;
  /** The guest canceled. */
  canceled: string;
  /** Nobody paid in time. */
  expired: string;
  /** Nobody saved a card in time. */
  cardExpired: string;
  /** The payment has expired, but the guest may have paid before. */
  expiredHint: string;
  /** Money may have moved. Never words of failure. */
  unknown: string;
  /** The card may have been saved. Never words of failure. */
  cardUnknown: string;
  /** What that means: the hotel checks, do not pay again. */
  unknownHint: string;
  /** A technical failure, which says nothing about the payment. */
  error: string;
  /** No session to show on this page. */
  missing: string;
  /** Whom to ask. */
  contact: string;
  /** Button: try again, after a fault or an attempt without money. */
  retry: string;
  /** What is to be paid is not what the guest was shown; nothing was started. */
  changed: string;
  /** Link or button to the site's next step, after an outcome. */
  next: string;
  /** Label of the amount. */
  amount: string;
  /** Label of the surcharge. */
  surcharge: string;
  /** Label of the total. */
  total: string;
  /** Label of the card. */
  card: string;
  /** Label of the reservation reference. */
  reference: string;
  /** Label of the date. */
  date: string;
  /** Badge of a test upstream. */
  test: string;
}
