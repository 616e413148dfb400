/** When the object looks at the upstream, and when a page should ask the object. Pure; instants in milliseconds. */
import type { AttemptStatus, CheckoutStatus } from '@innkeep/core/contract';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** An attempt is abandoned after this long without a sign of its guest. */
const MAX_SILENCE_MS: number = 60 * MINUTE;
/** How long an abandoned or unknown attempt is watched, at least. */
const WATCH_ON_MS: number = 24 * HOUR;
/** How often an abandoned attempt looks after that, until its session expires. */
const RARE_LOOK_MS: number = 6 * HOUR;
/** When an attempt that ended without money looks again: `state` 2 may not be final. */
const LATE_LOOKS_MS: readonly number[] = [MINUTE, 10 * MINUTE, HOUR, 24 * HOUR];
/** When an attempt looks again after somebody asked and found the payment in motion. */
const ASKED_LOOKS_MS: readonly number[] = [MINUTE, 10 * MINUTE, HOUR];
/** Shortest time between two looks. */
export const MIN_LOOK_INTERVAL_MS: number = SECOND;
/** How often an attempt looks while its property cannot be served. */
const BROKEN_PROPERTY_DELAY_MS: number = 10 * MINUTE;

/** The facts a schedule depends on. */
export interface ScheduleFacts {
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
}: Pick<ScheduleFacts, 'startedAt' | 'guestSeenAt'>): number {
  return guestSeenAt + MAX_SILENCE_MS;
}

/** Whether nobody waits for what the schedule's next look sees: the guest has gone away, and nobody has asked since. */
export function isUnattended(facts: ScheduleFacts, now: number): boolean {
  const { status, startedAt, guestSeenAt = startedAt, askedAt = null } = facts;
  if (askedAt !== null && elapsed(askedAt, now) < HOUR) return false;
  return (status === 'pending' || status === 'abandoned') && elapsed(guestSeenAt, now) >= 30 * SECOND;
}

/** Milliseconds until the next look at the upstream; undefined when there are no more looks. */
export function lookDelay(facts: ScheduleFacts, now: number): number | undefined {
  const { status, since, askedAt = null } = facts;
  switch (status) {
    case 'pending':
      return pendingDelay(facts, now);
    case 'abandoned':
      return earlier(abandonedDelay(facts, now), nextOf(ASKED_LOOKS_MS, askedAt, now));
    case 'unknown':
      return earlier(now - since < WATCH_ON_MS ? HOUR : undefined, nextOf(ASKED_LOOKS_MS, askedAt, now));
    case 'declined':
    case 'canceled':
    case 'failed':
      return earlier(nextOf(LATE_LOOKS_MS, since, now), nextOf(ASKED_LOOKS_MS, askedAt, now));
    default:
      return undefined;
  }
}

/**
 * Milliseconds until a look is tried again that could not be made, because the payment service or the property's
 * configuration could not be used. Ever more slowly, so that a hotel that is gone costs next to nothing.
 */
export function blindDelay({ status, since }: Pick<ScheduleFacts, 'status' | 'since'>, now: number): number {
  return status === 'pending'
    ? BROKEN_PROPERTY_DELAY_MS
    : Math.max(BROKEN_PROPERTY_DELAY_MS, Math.round((now - since) / 10));
}

function pendingDelay(facts: ScheduleFacts, now: number): number {
  if (hasJustReturned(facts, now)) return SECOND;
  const sinceStart = elapsed(facts.startedAt, now);
  if (sinceStart < 10 * SECOND) return SECOND;
  if (sinceStart < 30 * SECOND) return 2 * SECOND;
  if (sinceStart < 15 * MINUTE) return 5 * SECOND;
  return 15 * SECOND;
}

function abandonedDelay(facts: ScheduleFacts, now: number): number | undefined {
  if (hasJustReturned(facts, now)) return SECOND;
  const sinceEnd = now - facts.since;
  if (sinceEnd < HOUR) return MINUTE;
  if (sinceEnd < WATCH_ON_MS) return 10 * MINUTE;
  return now < facts.expiresAt ? RARE_LOOK_MS : undefined;
}

function hasJustReturned({ returnedAt }: ScheduleFacts, now: number): boolean {
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
  attempts: readonly ScheduleFacts[],
  now: number,
): number | null {
  if (final || status === 'open') return null;
  const delay = Math.min(MINUTE, ...attempts.map((facts) => lookDelay(facts, now) ?? MINUTE));
  return Math.max(MIN_LOOK_INTERVAL_MS, delay);
}
