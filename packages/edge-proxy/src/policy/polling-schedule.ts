/** When the object looks at the upstream, and when a page should ask the object. Pure; instants in milliseconds. */
import type { SessionState } from './session-machine.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** A started session may be paid at least this long, however short its `expiresAt` was. */
const MIN_PAYING_TIME_MS: number = 30 * MINUTE;
/** A started session ends after this long without a sign of its guest, however far away its `expiresAt` is. */
const MAX_SILENCE_MS: number = 60 * MINUTE;
/** How long an expired or unknown session is watched, at least. */
const WATCH_ON_MS: number = 24 * HOUR;
/** How often an expired session looks after that, until its `expiresAt`. */
const RARE_LOOK_MS: number = 6 * HOUR;
/** When a session that failed or was canceled looks again: `state` 2 may not be final. */
const LATE_LOOKS_MS: readonly number[] = [MINUTE, 10 * MINUTE, HOUR, 24 * HOUR];
/** When a session looks again after somebody asked and found the payment in motion. */
const ASKED_LOOKS_MS: readonly number[] = [MINUTE, 10 * MINUTE, HOUR];
/** Shortest time between two looks. */
export const MIN_LOOK_INTERVAL_MS: number = SECOND;
/** How often a session looks while its property cannot be served. */
const BROKEN_PROPERTY_DELAY_MS: number = 10 * MINUTE;

/** The facts a schedule depends on. */
export interface ScheduleFacts {
  readonly state: SessionState;
  /** Since when the session is in this state. */
  readonly since: number;
  readonly startedAt: number;
  readonly expiresAt: number;
  readonly returnedAt: number | null;
  /** Last sign of the guest: a start, a start again, a return. Absent: the start. */
  readonly guestSeenAt?: number;
  /** When somebody asked while the payment was in motion. */
  readonly askedAt?: number | null;
}

/** When a pending session expires. This attempt may end long before the session's links do. */
export function payingDeadline(facts: Pick<ScheduleFacts, 'startedAt' | 'expiresAt' | 'guestSeenAt'>): number {
  const { startedAt, expiresAt, guestSeenAt = startedAt } = facts;
  return Math.max(startedAt + MIN_PAYING_TIME_MS, Math.min(expiresAt, guestSeenAt + MAX_SILENCE_MS));
}

/** Whether nobody waits for what the schedule's next look sees: the guest has gone away, and nobody has asked since. */
export function isUnattended(facts: ScheduleFacts, now: number): boolean {
  const { state, startedAt, guestSeenAt = startedAt, askedAt = null } = facts;
  if (askedAt !== null && elapsed(askedAt, now) < HOUR) return false;
  return (state === 'pending' || state === 'expired') && elapsed(guestSeenAt, now) >= 30 * SECOND;
}

/** Milliseconds until the next look at the upstream; undefined when there are no more looks. */
export function lookDelay(facts: ScheduleFacts, now: number): number | undefined {
  const { state, since, askedAt = null } = facts;
  switch (state) {
    case 'pending':
      return pendingDelay(facts, now);
    case 'expired':
      return earlier(expiredDelay(facts, now), nextOf(ASKED_LOOKS_MS, askedAt, now));
    case 'unknown':
      return earlier(now - since < WATCH_ON_MS ? HOUR : undefined, nextOf(ASKED_LOOKS_MS, askedAt, now));
    case 'failed':
    case 'canceled':
      return earlier(nextOf(LATE_LOOKS_MS, since, now), nextOf(ASKED_LOOKS_MS, askedAt, now));
    default:
      return undefined;
  }
}

/**
 * Milliseconds until a look is tried again that could not be made, because the payment service or the property's
 * configuration could not be used. Ever more slowly, so that a hotel that is gone costs next to nothing.
 */
export function blindDelay({ state, since }: Pick<ScheduleFacts, 'state' | 'since'>, now: number): number {
  return state === 'pending'
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

function expiredDelay(facts: ScheduleFacts, now: number): number | undefined {
  if (hasJustReturned(facts, now)) return SECOND;
  const sinceExpiry = now - facts.since;
  if (sinceExpiry < HOUR) return MINUTE;
  if (sinceExpiry < WATCH_ON_MS) return 10 * MINUTE;
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

/** How long a page should wait before it asks again. */
export function guestPollDelay(facts: ScheduleFacts, now: number): number {
  if (facts.state === 'open') return 5 * SECOND;
  return Math.min(lookDelay(facts, now) ?? MINUTE, MINUTE);
}
