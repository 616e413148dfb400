/**
 * The states of a charge or a reversal as a table. The code, the diagram in the docs and the exhaustive test are all
 * made from it. There is no way back from `sent` or `unknown` to anything that could send again.
 */
import type { MoneyOperationStatus } from '@innkeep/core/contract';

/** What can happen to a charge or a reversal. */
export const MONEY_EVENTS = [
  'handed_over',
  'executed',
  'declined',
  'not_executed',
  'no_clear_answer',
  'resolved_succeeded',
  'resolved_failed',
] as const;

/** One of {@link MONEY_EVENTS}. `handed_over` is written down before the request leaves, never after. */
export type MoneyEvent = (typeof MONEY_EVENTS)[number];

export type MoneyState = MoneyOperationStatus;

/** All legal transitions. A state without any is final. */
export const MONEY_TRANSITIONS: Readonly<Record<MoneyState, Readonly<Partial<Record<MoneyEvent, MoneyState>>>>> = {
  created: { handed_over: 'sent', not_executed: 'failed' },
  sent: { executed: 'succeeded', declined: 'declined', not_executed: 'failed', no_clear_answer: 'unknown' },
  unknown: { resolved_succeeded: 'succeeded', resolved_failed: 'failed' },
  succeeded: {},
  declined: {},
  failed: {},
};

/** The state an event leads to; undefined when the event means nothing in this state and must be ignored. */
export function nextMoneyState(state: MoneyState, event: MoneyEvent): MoneyState | undefined {
  return MONEY_TRANSITIONS[state][event];
}

/** True once no other outcome can come. */
export function isFinalMoneyState(state: MoneyState): boolean {
  return Object.keys(MONEY_TRANSITIONS[state]).length === 0;
}

/** True while the outcome is open: not even known to be unknown. */
export function isUnderWay(state: MoneyState): boolean {
  return state === 'created' || state === 'sent';
}

/** Whether a transition into this state leaves an event in the feed. */
export function hasMoneyEvent(state: MoneyState): state is Exclude<MoneyState, 'created' | 'sent'> {
  return !isUnderWay(state);
}

/** What an outcome means for the reservation at the payment; undefined while the money may still have moved. */
export function settlementOf(state: MoneyState): 'reversed' | 'released' | undefined {
  if (state === 'succeeded') return 'reversed';
  return state === 'declined' || state === 'failed' ? 'released' : undefined;
}
