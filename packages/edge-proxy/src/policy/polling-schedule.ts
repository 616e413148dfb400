/** When the object looks at the upstream, and when a page should ask the object. Pure; instants in milliseconds. */
import type { SessionState } from './session-machine.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** A started session may be paid at least this long, however short its `expiresAt` was. */
const MIN_PAYING_TIME_MS: number = 30 * MINUTE;
/** How long an expired or unknown session is watched on. */
const WATCH_ON_MS: number = 24 * HOUR;
/** At most one look per this time, whoever asks. */
export const MIN_LOOK_INTERVAL_MS: number = SECOND;
/** How often a session looks whose property cannot be served today. */
export const BROKEN_PROPERTY_DELAY_MS: number = 10 * MINUTE;

/** The facts a schedule depends on. */
export interface ScheduleFacts {
  readonly state: SessionState;
  /** Since when the session is in this state. */
  readonly since: number;
  readonly startedAt: number;
  readonly expiresAt: number;
  readonly returnedAt: number | null;
}

/** When a pending session expires. */
export function payingDeadline(facts: Pick<ScheduleFacts, 'startedAt' | 'expiresAt'>): number {
  return Math.max(facts.expiresAt, facts.startedAt + MIN_PAYING_TIME_MS);
}

/** Milliseconds until the next look at the upstream; undefined when nobody looks any more. */
export function lookDelay(facts: ScheduleFacts, now: number): number | undefined {
  if (facts.state === 'unknown') return now - facts.since < WATCH_ON_MS ? HOUR : undefined;
  if (facts.state !== 'pending' && facts.state !== 'expired') return undefined;
  if (facts.returnedAt !== null && now - facts.returnedAt < 30 * SECOND) return SECOND;
  const sinceStart = now - facts.startedAt;
  if (facts.state === 'pending') {
    if (sinceStart < 10 * SECOND) return SECOND;
    if (sinceStart < 30 * SECOND) return 2 * SECOND;
    if (sinceStart < 15 * MINUTE) return 5 * SECOND;
    return 15 * SECOND;
  }
  const sinceExpiry = now - payingDeadline(facts);
  if (sinceExpiry < HOUR) return MINUTE;
  if (sinceExpiry < WATCH_ON_MS) return 10 * MINUTE;
  return undefined;
}

/** What a page is told to wait before it asks again. */
export function guestPollDelay(facts: ScheduleFacts, now: number): number {
  if (facts.state === 'open') return 5 * SECOND;
  return Math.min(lookDelay(facts, now) ?? MINUTE, MINUTE);
}
