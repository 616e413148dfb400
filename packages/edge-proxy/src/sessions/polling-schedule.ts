/** When the object polls the upstream, and when a page should ask the object. Pure; instants in milliseconds. */
import type { AttemptStatus, CheckoutStatus } from '@innkeep/core/contract';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** An attempt is abandoned after this long without a sign of its guest. */
const MAX_SILENCE_MS: number = 60 * MINUTE;
/** How long an abandoned or unknown attempt is watched, at least. */
const WATCH_ON_MS: number = 24 * HOUR;
/** How often an abandoned attempt looks after that, until its session expires. */
const RARE_POLL_MS: number = 6 * HOUR;
/** When an attempt that ended without money polls again: `state` 2 may not be final. */
const LATE_POLLS_MS: readonly number[] = [MINUTE, 10 * MINUTE, HOUR, 24 * HOUR];
/** When an attempt polls again after somebody asked and found the payment in motion. */
const AWAITED_POLLS_MS: readonly number[] = [MINUTE, 10 * MINUTE, HOUR];
/** Shortest time between two polls. */
export const MIN_POLL_INTERVAL_MS: number = SECOND;
/** How often an attempt polls while its property cannot be served. */
const INVALID_PROPERTY_DELAY_MS: number = 10 * MINUTE;

/** What a schedule depends on. */
export interface ScheduleInput {
  readonly status: AttemptStatus;
  /** Since when the attempt has this status. */
  readonly since: number;
  readonly startedAt: number;
  /** When the session expires. */
  readonly expiresAt: number;
  readonly returnedAt: number | null;
  /** Last sign of the guest: a start, a start again, a return. Absent: the start. */
  readonly guestSeenAt?: number;
  /** When somebody asked while the payment was in motion. */
  readonly askedAt?: number | null;
}

/** When a pending attempt counts as abandoned. */
export function abandonedAt({
  startedAt,
  guestSeenAt = startedAt,
}: Pick<ScheduleInput, 'startedAt' | 'guestSeenAt'>): number {
  return guestSeenAt + MAX_SILENCE_MS;
}

/** Whether nobody waits for what the schedule's next poll sees: the guest has gone away, and nobody has asked since. */
export function isUnattended(input: ScheduleInput, now: number): boolean {
  const { status, startedAt, guestSeenAt = startedAt, askedAt = null } = input;
  if (askedAt !== null && elapsed(askedAt, now) < HOUR) return false;
  return (status === 'pending' || status === 'abandoned') && elapsed(guestSeenAt, now) >= 30 * SECOND;
}

/** Milliseconds until the next poll of the upstream; undefined when there are no more polls. */
export function pollDelay(input: ScheduleInput, now: number): number | undefined {
  const { status, since, askedAt = null } = input;
  switch (status) {
    case 'pending':
      return pendingDelay(input, now);
    case 'abandoned':
      return earlier(abandonedDelay(input, now), nextOf(AWAITED_POLLS_MS, askedAt, now));
    case 'unknown':
      return earlier(now - since < WATCH_ON_MS ? HOUR : undefined, nextOf(AWAITED_POLLS_MS, askedAt, now));
    case 'declined':
    case 'canceled':
    case 'failed':
      return earlier(nextOf(LATE_POLLS_MS, since, now), nextOf(AWAITED_POLLS_MS, askedAt, now));
    default:
      return undefined;
  }
}

/**
 * Milliseconds until a poll is tried again that could not be made, because the payment service or the property's
 * configuration could not be used. Ever more slowly, so that a hotel that is gone costs next to nothing.
 */
export function retryDelay({ status, since }: Pick<ScheduleInput, 'status' | 'since'>, now: number): number {
  return status === 'pending'
    ? INVALID_PROPERTY_DELAY_MS
    : Math.max(INVALID_PROPERTY_DELAY_MS, Math.round((now - since) / 10));
}

function pendingDelay(input: ScheduleInput, now: number): number {
  if (hasJustReturned(input, now)) return SECOND;
  const sinceStart = elapsed(input.startedAt, now);
  if (sinceStart < 10 * SECOND) return SECOND;
  if (sinceStart < 30 * SECOND) return 2 * SECOND;
  if (sinceStart < 15 * MINUTE) return 5 * SECOND;
  return 15 * SECOND;
}

function abandonedDelay(input: ScheduleInput, now: number): number | undefined {
  if (hasJustReturned(input, now)) return SECOND;
  const sinceEnd = now - input.since;
  if (sinceEnd < HOUR) return MINUTE;
  if (sinceEnd < WATCH_ON_MS) return 10 * MINUTE;
  return now < input.expiresAt ? RARE_POLL_MS : undefined;
}

function hasJustReturned({ returnedAt }: ScheduleInput, now: number): boolean {
  return returnedAt !== null && elapsed(returnedAt, now) < 30 * SECOND;
}

/** How long ago something happened. If it lies well ahead, the clock went back, and how far apart the two are is the best guess. */
function elapsed(at: number, now: number): number {
  const ms = now - at;
  return ms < -MINUTE ? -ms : ms;
}

/** Milliseconds until the next of some instants after `from`. */
function nextOf(offsets: readonly number[], from: number | null, now: number): number | undefined {
  if (from === null) return undefined;
  const at = offsets.map((offset) => from + offset).find((instant) => instant > now);
  return at === undefined ? undefined : at - now;
}

function earlier(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

/**
 * How long a page should wait before it asks again; null when there is nothing to wait for.
 * @param attempts those of the session that can still move
 */
export function guestPollDelay(
  { status, final }: { readonly status: CheckoutStatus; readonly final: boolean },
  attempts: readonly ScheduleInput[],
  now: number,
): number | null {
  if (final || status === 'open') return null;
  const delay = Math.min(MINUTE, ...attempts.map((input) => pollDelay(input, now) ?? MINUTE));
  return Math.max(MIN_POLL_INTERVAL_MS, delay);
}
