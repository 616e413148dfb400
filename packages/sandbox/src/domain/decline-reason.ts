/** Why something was declined, in the sandbox's own words; a profile decides how much of it the wire shows. */
export type DeclineReason =
  | 'declined'
  | 'insufficient_funds'
  | 'security'
  | 'call_issuer'
  | 'expired_card'
  | 'invalid_data'
  | 'not_reversible';

/** The error text of a request that its guest canceled. */
export const ABORT_TEXT = 'Canceled by the customer';

/** What a guest or a log reads about a declined card. */
export const DECLINE_TEXT: Readonly<Record<DeclineReason, string>> = {
  declined: 'Card declined',
  insufficient_funds: 'Insufficient funds',
  security: 'Declined for security reasons',
  call_issuer: 'Call the card issuer',
  expired_card: 'The card has expired',
  invalid_data: 'Invalid or missing data',
  not_reversible: 'The payment can no longer be reversed',
};
