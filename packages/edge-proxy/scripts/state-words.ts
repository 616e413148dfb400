/** What every state and every event of the machines means, in words: for `docs/session-states.md` and the reference. */
import type { MoneyEvent, MoneyState } from '../src/policy/money-machine.ts';
import type { SessionEvent, SessionState } from '../src/policy/session-machine.ts';

/** States of a checkout session. */
export const SESSION_STATE_WORDS: Readonly<Record<SessionState, string>> = {
  open: 'Nobody has started it. It can be paid until `expiresAt`.',
  pending: 'The guest has the hosted page; the proxy watches.',
  succeeded: 'Paid, or the card is kept, and the payment service’s record agrees in every field.',
  failed: 'The payment service says that it ended without a payment. Money that shows later still moves it.',
  canceled: 'The guest turned back on the hosted page; nothing was paid. Money that shows later still moves it.',
  expired: 'The time to pay is over. A late answer still counts, and the session is watched for 24 hours at least.',
  lapsed: 'The `expired` of a session that nobody started: nothing can arrive any more. Outside it reads `expired`.',
  unknown: 'Money may have moved, and nobody can say. Not a failure: look it up, then resolve it.',
};

/** What an event of a checkout session is decided from. */
export const SESSION_EVENT_WORDS: Readonly<Record<SessionEvent, string>> = {
  init_accepted: 'the payment service opened a page, and every address in its answer is trusted',
  deadline_passed:
    'before a start: `expiresAt`; after it: `expiresAt` or an hour from the last sign of the guest, whichever is earlier, but not before 30 minutes from the start',
  expired_by_merchant: 'a call of the merchant, only before a start',
  record_consistent:
    'a record that fits what was asked in every field, amounts as integer minor units, whatever the state is called',
  ended_with_error:
    'state 2, held for five seconds without an abort return, and then a record that shows no money or cannot be read',
  ended_by_guest: 'the same, and the guest came back through the abort address before or within those five seconds',
  record_contradicts:
    'a record that does not fit, read twice, five seconds apart: after state 1 any, otherwise one that shows money. Of an `unknown` session: the first figures to show',
  record_unreadable: 'no readable record within fifteen minutes of state 1, or of a record that showed money',
  resolved_succeeded: 'a person’s evidence that it was paid',
  resolved_failed: 'a person’s evidence that it was not paid',
};

/** States of a charge or a reversal. */
export const MONEY_STATE_WORDS: Readonly<Record<MoneyState, string>> = {
  created: 'Written down; nothing has been sent.',
  sent: 'The request has left, and its answer is awaited.',
  succeeded: 'The payment service did it.',
  declined: 'The payment service said no; no money moved.',
  failed: 'Proven not executed; no money moved.',
  unknown: 'Money may have moved, and nobody can say. Never repeat it: look it up, then resolve it.',
};

/** What an event of a charge or a reversal is decided from. */
export const MONEY_EVENT_WORDS: Readonly<Record<MoneyEvent, string>> = {
  handed_over: 'the record says so, written down before the request leaves',
  executed: '`returnCode` 0, and for a charge the amount that was asked for',
  declined: 'a `returnCode` other than 0 that says so for certain',
  not_executed: 'proof that nothing was executed: no access token, 401 twice, 403, or the request never left',
  no_clear_answer: 'any other end: no answer, an unreadable one, a redirect, any other status',
  resolved_succeeded: 'a person’s evidence that it was executed',
  resolved_failed: 'a person’s evidence that it was not executed',
};
