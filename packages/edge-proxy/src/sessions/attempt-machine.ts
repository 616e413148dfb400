/**
 * The states of an attempt as a table. The code, the list in the docs and the exhaustive test are all made from it. What the
 * session is follows from its attempts, see `session-status.ts`.
 */
import type { AttemptStatus } from '@innkeep/core/contract';

/** What can happen to an attempt, each already decided from what was observed (see `attempt-watch.ts`). */
export const ATTEMPT_EVENTS = [
  'record_consistent',
  'card_refused',
  'ended_with_error',
  'ended_by_guest',
  'record_contradicts',
  'record_unreadable',
  'guest_gone',
  'resolved_succeeded',
  'resolved_failed',
] as const;

/** One of {@link ATTEMPT_EVENTS}. */
export type AttemptEvent = (typeof ATTEMPT_EVENTS)[number];

/** What can be seen of an attempt at the payment service. */
const SEEN = {
  record_consistent: 'succeeded',
  card_refused: 'declined',
  ended_with_error: 'failed',
  ended_by_guest: 'canceled',
  record_contradicts: 'unknown',
  record_unreadable: 'unknown',
} as const;

/** What moves an attempt that has ended without money. */
const LATE_MONEY = {
  record_consistent: 'succeeded',
  record_contradicts: 'unknown',
  record_unreadable: 'unknown',
  resolved_succeeded: 'succeeded',
} as const;

/**
 * All legal transitions. The specification does not say that the payment service's `state` 2 is final, so money that
 * shows later still moves an attempt that was declined, canceled, failed or abandoned.
 */
export const ATTEMPT_TRANSITIONS: Readonly<
  Record<AttemptStatus, Readonly<Partial<Record<AttemptEvent, AttemptStatus>>>>
> = {
  pending: { ...SEEN, guest_gone: 'abandoned' },
  abandoned: { ...SEEN, resolved_succeeded: 'succeeded', resolved_failed: 'failed' },
  unknown: {
    record_consistent: 'succeeded',
    record_contradicts: 'unknown',
    resolved_succeeded: 'succeeded',
    resolved_failed: 'failed',
  },
  succeeded: {},
  declined: LATE_MONEY,
  canceled: LATE_MONEY,
  failed: LATE_MONEY,
};

/** The status an event leads to; undefined when the event means nothing in this one and must be ignored. */
export function nextAttemptStatus(status: AttemptStatus, event: AttemptEvent): AttemptStatus | undefined {
  return ATTEMPT_TRANSITIONS[status][event];
}

/** True for an end without money; a success after it is late. */
export function endedWithoutMoney(status: AttemptStatus): boolean {
  return hasFailed(status) || status === 'abandoned';
}

/** True for an end without money that the payment service has told. */
export function hasFailed(status: AttemptStatus): boolean {
  return status === 'declined' || status === 'canceled' || status === 'failed';
}

/** True while something seen at the payment service can still move the attempt. */
export function canStillMove(status: AttemptStatus): boolean {
  return nextAttemptStatus(status, 'record_consistent') !== undefined;
}
