/**
 * The state machine of every element, as a table: nine states, one row each.
 *
 * Inputs are what can happen: the guest acts (`start`, `cancel`, `reset`), the proxy answers with a session status,
 * or something breaks (`error`). A pair that is not in the table changes nothing.
 */
import type { CheckoutStatus, CheckoutView } from '@innkeep/core/checkout';

/** What an element shows; reflected in its `state` attribute. */
export type PayState =
  | 'idle'
  | 'opening'
  | 'waiting'
  | 'succeeded'
  | 'failed'
  | 'canceled'
  | 'expired'
  | 'unknown'
  | 'error';

/**
 * What can happen to an element: a session status that the proxy reported, how the last attempt of an open session ended, an
 * act of the guest, or a fault.
 */
export type PayInput = CheckoutStatus | 'failed' | 'canceled' | 'start' | 'cancel' | 'reset' | 'error';

/** The states that come from the proxy alone. */
export type PayOutcome = 'succeeded' | 'failed' | 'canceled' | 'expired' | 'unknown';

type Row = Readonly<Partial<Record<PayInput, PayState>>>;

const OUTCOMES: Readonly<Record<PayOutcome, PayState>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'canceled',
  expired: 'expired',
  unknown: 'unknown',
};

// What the proxy has verified wins over anything this page believed.
const VERIFIED: Row = { ...OUTCOMES, open: 'idle', pending: 'waiting' };

// The next attempt may begin here, in another tab or by a link; and money may show after all.
const ENDED: Row = { ...VERIFIED, start: 'opening', reset: 'idle' };

/** Where each input leads from each state. `unknown` has no `start` and no `reset`: money may have moved. */
export const TRANSITIONS: Readonly<Record<PayState, Row>> = {
  idle: { ...VERIFIED, start: 'opening', error: 'error' },
  opening: { ...VERIFIED, error: 'error', cancel: 'idle', reset: 'idle' },
  // Starting a pending session again opens the same hosted page once more.
  waiting: { ...VERIFIED, start: 'opening', error: 'error', cancel: 'idle', reset: 'idle' },
  succeeded: { reset: 'idle' },
  failed: ENDED,
  canceled: ENDED,
  // A late answer may still arrive for a session that was started, and it counts.
  expired: ENDED,
  // Only the hotel's evidence or a consistent record resolves it.
  unknown: VERIFIED,
  error: ENDED,
};

/** Whether a state is one the proxy has reported, and so one with an event of its own. */
export function isOutcome(state: PayState): state is PayOutcome {
  return state in OUTCOMES;
}

/** What a view says: of an open session, how its last attempt ended. */
export function inputOf({ status, error }: Pick<CheckoutView, 'status' | 'error'>): PayInput {
  if (status !== 'open' || !error) return status;
  return error.code === 'canceled_by_guest' ? 'canceled' : 'failed';
}

/** The state that `input` leads to, or `undefined` when it changes nothing. */
export function nextState(state: PayState, input: PayInput): PayState | undefined {
  const next = TRANSITIONS[state][input];
  return next === state ? undefined : next;
}
