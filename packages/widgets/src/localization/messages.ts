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
  saveCard: string;
  /** Below the button: where the card is entered. */
  secure: string;
  /** Before paying, when the upstream may add a surcharge. */
  surchargeNotice: string;
  /** Time to start, in the last minutes. */
  minutesLeft: PluralMessage;
  /** `<payment-status>` of a session that nobody has started. */
  notStarted: string;
  opening: string;
  waiting: string;
  waitingHint: string;
  /** The window seems gone; may be wrong, so it claims nothing. */
  closed: string;
  /** Link to the hosted page. */
  openPage: string;
  offline: string;
  unreachable: string;
  paid: string;
  cardSaved: string;
  failed: string;
  cardNotSaved: string;
  canceled: string;
  expired: string;
  /** The time is over, but the guest may have paid in it. */
  expiredHint: string;
  /** Money may have moved. Never words of failure. */
  unknown: string;
  unknownHint: string;
  error: string;
  /** No session to show on this page. */
  missing: string;
  contact: string;
  retry: string;
  again: string;
  amount: string;
  surcharge: string;
  total: string;
  card: string;
  reference: string;
  date: string;
  /** Badge of a test upstream. */
  test: string;
}
