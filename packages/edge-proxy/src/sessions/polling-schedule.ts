/** When the object polls the upstream, and when a page should ask the object. Pure; instants in milliseconds. */
import type { AttemptStatus, CheckoutStatus } from '@innkeep/core/contract';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** An attempt is abandoned after this long without a sign of its guest. */
const MAX_SILENCE_MS: number = HOUR;
/** Bounds of the interval between polls of a pending attempt that nobody waits for: half the age of the guest's last sign. */
const SHORTEST_MS: number = 30 * SECOND;
const LONGEST_MS: number = 5 * MINUTE;
/** How long an attempt that may still turn out to be paid is polled: each time at twice the age, and the last time at the end. */
const WATCH_ON_MS: number = 24 * HOUR;
/** How long an unanswered poll is repeated. */
const MAKE_UP_MS: number = 2 * WATCH_ON_MS;
const FIRST_RETRY_MS: number = 10 * MINUTE;
/** Shortest time between two polls. */
export const MIN_POLL_INTERVAL_MS: number = SECOND;
/** Shortest time between two polls that readers start. */
export const READER_POLL_INTERVAL_MS = 2_500;
/** How often a page asks that waits for an attempt which is no longer under way. */
const PATIENT_DELAY_MS: number = MINUTE;

export interface ScheduleInput {
  readonly status: AttemptStatus;
  /** Since when the attempt has this status. */
  readonly since: number;
  /** When the session expires. */
  readonly expiresAt: number;
  /** Last sign of the guest: a start, a start again, a return. */
  readonly guestSeenAt: number;
  /** When something seen asks for another poll; null when nothing does. */
  readonly recheckAt: number | null;
  /** When a poll that was not answered came as the first one in a long time; null otherwise. */
  readonly resumedAt: number | null;
  /** When the session was ended; null until then. */
  readonly closedAt: number | null;
}

/** When a pending attempt counts as abandoned. */
export function abandonedAt({ guestSeenAt }: Pick<ScheduleInput, 'guestSeenAt'>): number {
  return guestSeenAt + MAX_SILENCE_MS;
}

/** Until when an attempt that has ended is polled, unless its session lives longer. */
export function watchedUntil({ since, guestSeenAt }: Pick<ScheduleInput, 'since' | 'guestSeenAt'>): number {
  return Math.max(since, guestSeenAt) + WATCH_ON_MS;
}

/** The first scheduled poll after an instant; undefined when there is none. */
export function scheduledPoll(input: ScheduleInput, after: number): number | undefined {
  if (input.status === 'succeeded') return undefined;
  return input.status === 'pending' ? pollWhilePending(input, after) : pollAfterEnd(input, after);
}

/**
 * The next poll after one that was made, or could not be; undefined when there is none.
 * @param isAnswered whether the payment service has answered
 */
export function nextPollAt(input: ScheduleInput, isAnswered: boolean, now: number): number | undefined {
  const { status, recheckAt } = input;
  // What was seen asks for a quarter of an hour at most, whoever answers then.
  const asked = recheckAt !== null && recheckAt > now && status !== 'unknown' ? recheckAt : undefined;
  const next = earlier(scheduledPoll(input, now), asked);
  if (isAnswered || status === 'pending' || !isMadeUp(input, now)) return next;
  // Ever more slowly, so that a hotel that is gone costs next to nothing.
  const retryAt = now + Math.max(FIRST_RETRY_MS, (now - lastAskedAt(input, now)) / 10);
  return earlier(Math.round(retryAt), next);
}

function earlier(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

/** Whether a poll that nobody answers is repeated, ahead of the schedule. */
export function isMadeUp(input: ScheduleInput, now: number): boolean {
  return now - lastAskedAt(input, now) < MAKE_UP_MS;
}

/** From when an ended attempt is polled: from its end or the guest's last sign, and again from the end of its session or an outage. */
function lastAskedAt(
  { status, since, guestSeenAt, closedAt, resumedAt, expiresAt }: ScheduleInput,
  now: number,
): number {
  const endedAt = status === 'abandoned' && now >= expiresAt ? expiresAt : 0;
  return Math.max(since, guestSeenAt, closedAt ?? 0, resumedAt ?? 0, endedAt);
}

/** A poll just before its end is that of the attempt being abandoned. */
function pollWhilePending({ guestSeenAt }: ScheduleInput, after: number): number | undefined {
  // If it is ahead, the clock went back.
  const seenAt = Math.min(guestSeenAt, after);
  let age = 0;
  while (seenAt + age <= after) age += Math.min(LONGEST_MS, Math.max(SHORTEST_MS, age / 2));
  return age < MAX_SILENCE_MS ? seenAt + Math.round(age) : undefined;
}

function pollAfterEnd({ status, since, guestSeenAt, expiresAt }: ScheduleInput, after: number): number | undefined {
  const end = watchedUntil({ since, guestSeenAt });
  const from = end - WATCH_ON_MS;
  // A guest may pay on the page of a link for as long as the link lives.
  if (after >= end) return status === 'abandoned' && expiresAt > end && expiresAt > after ? expiresAt : undefined;
  // Any other end came of what the guest did, however long after the start. An abandoned attempt ends later after an outage.
  const silence = Math.min(MAX_SILENCE_MS, from - guestSeenAt);
  let age = status === 'abandoned' ? Math.max(LONGEST_MS, silence) : LONGEST_MS;
  const birth = from - age;
  while (birth + age <= after || age === from - birth) age *= 2;
  return birth + 2 * age > end ? end : birth + age;
}

/** How long a page should wait before it asks again; null when there is nothing to wait for. */
export function guestPollDelay(status: CheckoutStatus, isFinal: boolean, isAwaited = false): number | null {
  if (isFinal || (status === 'open' && !isAwaited)) return null;
  return status === 'pending' ? READER_POLL_INTERVAL_MS : PATIENT_DELAY_MS;
}
