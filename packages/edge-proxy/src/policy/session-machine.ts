/**
 * The checkout session's states as a table. The code, the list in the docs and the exhaustive test are all made
 * from it. `lapsed` is the `expired` of a session that was never started: nothing can arrive any more.
 */
import type { CheckoutStatus, WebhookEventType } from '@innkeep/core/contract';

/** What can happen to a session, each already decided from facts (see `session-watch.ts`). */
export const SESSION_EVENTS = [
  'init_accepted',
  'deadline_passed',
  'expired_by_merchant',
  'record_consistent',
  'ended_with_error',
  'ended_by_guest',
  'record_contradicts',
  'record_unreadable',
  'resolved_succeeded',
  'resolved_failed',
] as const;

/** One of {@link SESSION_EVENTS}. */
export type SessionEvent = (typeof SESSION_EVENTS)[number];

/** A session's state inside the proxy. */
export type SessionState = CheckoutStatus | 'lapsed';

/** What the watcher can see of a session that was started. */
const SEEN = {
  record_consistent: 'succeeded',
  ended_with_error: 'failed',
  ended_by_guest: 'canceled',
  record_contradicts: 'unknown',
  record_unreadable: 'unknown',
} as const;

/** What moves a session that has ended without money. */
const LATE_MONEY = {
  record_consistent: 'succeeded',
  record_contradicts: 'unknown',
  record_unreadable: 'unknown',
  resolved_succeeded: 'succeeded',
} as const;

/**
 * All legal transitions. The specification does not say that the payment service's `state` 2 is final, so money that
 * shows later still moves a session that failed, was canceled or expired.
 */
export const SESSION_TRANSITIONS: Readonly<
  Record<SessionState, Readonly<Partial<Record<SessionEvent, SessionState>>>>
> = {
  open: { init_accepted: 'pending', deadline_passed: 'lapsed', expired_by_merchant: 'lapsed' },
  pending: { deadline_passed: 'expired', ...SEEN },
  expired: { ...SEEN, resolved_succeeded: 'succeeded', resolved_failed: 'failed' },
  unknown: {
    record_consistent: 'succeeded',
    record_contradicts: 'unknown',
    resolved_succeeded: 'succeeded',
    resolved_failed: 'failed',
  },
  succeeded: {},
  failed: LATE_MONEY,
  canceled: LATE_MONEY,
  lapsed: {},
};

const FINAL_STATES: readonly SessionState[] = ['succeeded', 'failed', 'canceled', 'lapsed'];

/** The state an event leads to; undefined when the event means nothing in this state and must be ignored. */
export function nextSessionState(state: SessionState, event: SessionEvent): SessionState | undefined {
  return SESSION_TRANSITIONS[state][event];
}

/** True once there is nothing to wait for: `failed` and `canceled` count, although money may still show. */
export function isFinalSessionState(state: SessionState): boolean {
  return FINAL_STATES.includes(state);
}

/** True for an end without money that was reported to the merchant; a success after it is late. */
export function endedWithoutMoney(state: SessionState): boolean {
  return state === 'failed' || state === 'canceled' || state === 'expired';
}

/** True while something seen at the payment service can still move a session that was started. */
export function canStillMove(state: SessionState): boolean {
  return nextSessionState(state, 'record_consistent') !== undefined;
}

/** The status the outside sees. */
export function toSessionStatus(state: SessionState): CheckoutStatus {
  return state === 'lapsed' ? 'expired' : state;
}

/** Type of the feed event a transition into this state leaves; undefined for states that leave none. */
export function sessionEventType(state: SessionState): WebhookEventType | undefined {
  const status = toSessionStatus(state);
  return status === 'open' || status === 'pending' ? undefined : `checkout.${status}`;
}

/** Transitions in Markdown, for the docs. */
export function transitionTable(transitions: Readonly<Record<string, Readonly<Record<string, string>>>>): string {
  const rows = Object.entries(transitions).flatMap(([from, arrows]) =>
    Object.entries(arrows).map(([event, to]) => `| \`${from}\` | \`${event}\` | \`${to}\` |\n`),
  );
  return `| From | What happens | To |\n| --- | --- | --- |\n${rows.join('')}`;
}
