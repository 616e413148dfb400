import type { PluralMessage } from '../format.ts';

/** The English texts, and what each is for: every other language has the same. */
export const messages = {
  /** Button; `{amount}` stands for the formatted amount. */
  pay: 'Pay {amount}',
  /** Button while the amount is not known yet. */
  payNow: 'Pay now',
  /** Button of `<save-card-widget>`. */
  saveCard: 'Save card',
  /** Below the button: where the card is entered. */
  secure: 'You enter your card on a secure page.',
  /** Before paying, when the upstream may add a surcharge. */
  surchargeNotice: 'Depending on your card, a surcharge may be added.',
  /** Time to start, in the last minutes. */
  minutesLeft: { one: '{n} minute left', other: '{n} minutes left' } as PluralMessage,
  /** `<payment-status>` of a session that nobody has started. */
  notStarted: 'Not completed yet',
  /** The hosted page is being asked for. */
  opening: 'Opening the secure page…',
  /** The hosted page is open. */
  waiting: 'Waiting for confirmation…',
  /** Below it: nothing needs to be done here. */
  waitingHint: 'This page updates by itself.',
  /** The window seems gone; may be wrong, so it claims nothing. */
  closed: 'Page closed? You can open it again.',
  /** Link to the hosted page. */
  openPage: 'Open the secure page',
  /** The browser has no network. */
  offline: 'You are offline. We’ll carry on when you’re back.',
  /** The proxy cannot be reached. */
  unreachable: 'No connection. Please try again.',
  /** The payment succeeded. */
  paid: 'Payment complete',
  /** The card was kept. */
  cardSaved: 'Card saved',
  /** The payment failed; no money moved. */
  failed: 'The payment did not go through',
  /** The card was refused; no money moved. */
  declined: 'The card was declined',
  /** The card was not kept. */
  cardNotSaved: 'The card was not saved',
  /** The guest canceled. */
  canceled: 'You canceled',
  /** Nobody paid in time. */
  expired: 'This payment has expired',
  /** Nobody saved a card in time. */
  cardExpired: 'The time to save the card has run out',
  /** The payment has expired, but the guest may have paid before. */
  expiredHint: 'Already paid? Please wait, this page updates by itself.',
  /** Money may have moved. Never words of failure. */
  unknown: 'We don’t know yet whether the payment went through',
  /** The card may have been saved. Never words of failure. */
  cardUnknown: 'We don’t know yet whether the card was saved',
  /** What that means: the hotel checks, do not pay again. */
  unknownHint: 'The hotel will check it. Please do not pay again.',
  /** A technical failure, which says nothing about the payment. */
  error: 'Something went wrong',
  /** No session to show on this page. */
  missing: 'The result cannot be shown here',
  /** Whom to ask. */
  contact: 'Please contact the hotel.',
  /** Button: try again, after a fault or an attempt without money. */
  retry: 'Try again',
  /** What is to be paid is not what the guest was shown; nothing was started. */
  changed: 'The price or details have changed',
  /** Link or button to the site's next step, after an outcome. */
  next: 'Continue',
  /** Label of the amount. */
  amount: 'Amount',
  /** Label of the surcharge. */
  surcharge: 'Surcharge',
  /** Label of the total. */
  total: 'Total',
  /** Label of the card. */
  card: 'Card',
  /** Label of the reservation reference. */
  reference: 'Reference',
  /** Label of the date. */
  date: 'Date',
  /** Badge of a test upstream. */
  test: 'Test',
};
