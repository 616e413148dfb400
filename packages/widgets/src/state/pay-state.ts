/**
 * The state machine of every element, as a table: nine states, one row each.
 *
 * Inputs are what can happen: the guest acts (`start`, `cancel`, `reset`), the proxy answers with a session status,
 * or something breaks (`error`). A pair that is not in the table changes nothing.
 */
import type { CheckoutStatus } from '@innkeep/core/checkout';

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

/** What can happen to an element: a session status the proxy reported, an act of the guest, or a fault. */
export type PayInput = CheckoutStatus | 'start' | 'cancel' | 'reset' | 'error';

/** The states that come from the proxy alone. */
export type PayOutcome = Exclude<CheckoutStatus, 'open' | 'pending'>;

type Row = Readonly<Partial<Record<PayInput, PayState>>>;

// An outcome the proxy has verified wins over anything this page believed.
const OUTCOMES: Row = {
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'canceled',
  expired: 'expired',
  unknown: 'unknown',
};

const LATE_MONEY: Row = { succeeded: 'succeeded', unknown: 'unknown' };

/** Where each input leads from each state. `unknown` has no `start` and no `reset`: money may have moved. */
export const TRANSITIONS: Readonly<Record<PayState, Row>> = {
  idle: { ...OUTCOMES, pending: 'waiting', start: 'opening', error: 'error' },
  opening: { ...OUTCOMES, open: 'idle', pending: 'waiting', error: 'error', cancel: 'idle', reset: 'idle' },
  // Starting a pending session again opens the same hosted page once more.
  waiting: { ...OUTCOMES, start: 'opening', error: 'error', cancel: 'idle', reset: 'idle' },
  succeeded: { reset: 'idle' },
  // Money may show after all; the device may remember what was told before.
  failed: { ...LATE_MONEY, start: 'opening', reset: 'idle' },
  canceled: { ...LATE_MONEY, start: 'opening', reset: 'idle' },
  // A late answer may still arrive for a session that was started, and it counts.
  expired: { ...OUTCOMES, start: 'opening', reset: 'idle' },
  // Only the hotel's evidence or a consistent record resolves it.
  unknown: { succeeded: 'succeeded', failed: 'failed' },
  error: { ...OUTCOMES, open: 'idle', pending: 'waiting', start: 'opening', reset: 'idle' },
};

/** Whether a state is one the proxy has reported, and so one with an event of its own. */
export function isOutcome(state: PayState): state is PayOutcome {
  return state in OUTCOMES;
}

/** The state that `input` leads to, or `undefined` when it changes nothing. */
export function nextState(state: PayState, input: PayInput): PayState | undefined {
  const next = TRANSITIONS[state][input];
  return next === state ? undefined : next;
}
