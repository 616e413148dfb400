/**
 * Who may call now: hotels share what one receiver, a payment service or a webhook host, is sent at a time. Nobody waits in a line:
 * a call without a permit is refused or planned again, so the rule has to leave room for whoever comes next. Pure.
 */
import { COLLECT_MS, hasFailedEnough, type UpstreamHealth } from './upstream-health.ts';

/** What a call is for: a guest or a clerk who waits, a poll that a caller waits for, one in the background. */
export type CallKind = 'start' | 'awaited_poll' | 'poll' | 'gateway' | 'webhook';

/** How many calls may be under way at a time. */
export interface Room {
  readonly hotel: number;
  /** For all hotels of one receiver together. */
  readonly all: number;
}

/** Calls under way, and how earlier ones ended; of one hotel, or of all hotels of a receiver. */
export interface Load {
  readonly underWay: number;
  /** When the call began that is under way longest, and when the latest one began. Milliseconds. */
  readonly oldestAt: number;
  readonly latestAt: number;
  /** How long calls take, on average. */
  readonly typicalMs: number;
  readonly health: UpstreamHealth;
}

/** Why there is no permit: the hotel's own calls, or those of all hotels; or because the receiver does not answer. */
export interface NoPermit {
  readonly because: 'hotel' | 'all' | 'failing';
  /** When there should be a permit again. */
  readonly waitMs: number;
}

type Rooms = Readonly<Record<'ordinary' | 'failing', Room>>;

/**
 * Two hundred guests of one hotel may start in the same moment; all hotels together find more room than a core can make use of. A
 * receiver that does not answer, to which calls hang, gets as many as it takes to see that it is back.
 */
const CALLS: Rooms = { ordinary: { hotel: 256, all: 2_048 }, failing: { hotel: 8, all: 64 } };
/** A ledger has six connections; a platform may receive the webhooks of all its hotels at one host. */
const WEBHOOKS: Rooms = { ordinary: { hotel: 6, all: 128 }, failing: { hotel: 1, all: 8 } };
/** The part of what is still free that one hotel may have under way: what is left shrinks with each greedy one, and stays enough. */
const FREE_PART = 4;
/**
 * How much of the room a kind of call may fill: guests who wait come before polls that can be made later, and those before the gateway.
 * Charges and reversals have no share. They count, but they are written down as sent before they leave: nothing holds them back.
 */
const SHARES: Readonly<Record<CallKind, number>> = {
  start: 1,
  awaited_poll: 1,
  webhook: 1,
  poll: 3 / 4,
  gateway: 1 / 2,
};
/** While a receiver does not answer, the polls of one hotel, and of all, are so far apart. */
const PACE_MS: Readonly<Room> = { hotel: 1_000, all: 100 };
/** How long nothing has succeeded at a receiver that does not answer. */
const SILENCE_MS = 10_000;
const SHORTEST_WAIT_MS = 1_000;
/** By then a call that hangs has reached its time limit. */
const LONGEST_WAIT_MS = 30_000;
/** How long a background poll is deferred while nobody answers. */
const FAILING_WAIT_MS = 10_000;

/** Undefined: the call may be made now. */
export function permitRefusal(
  kind: CallKind,
  { hotel, all }: Readonly<Record<'hotel' | 'all', Load>>,
  now: number,
): NoPermit | undefined {
  const rooms = kind === 'webhook' ? WEBHOOKS : CALLS;
  const share = SHARES[kind];
  const isHotelFailing = isFailing(hotel, now);
  const isAllFailing = isFailing(all, now);
  // A hotel whose own calls have not failed may try: the others may only have accounts that are refused, or closed.
  const mayProbe = hotel.underWay === 0 && !isHotelFailing && kind !== 'poll';
  const isHotelFull = hotel.underWay >= rooms[isHotelFailing ? 'failing' : 'ordinary'].hotel * share;
  const free = rooms[isAllFailing && !mayProbe ? 'failing' : 'ordinary'].all * share - all.underWay;
  const isFull = hotel.underWay >= free / FREE_PART;
  if (isHotelFull || isFull) {
    const waitMs = freeInMs(isHotelFull ? hotel : all, now);
    if (isHotelFailing || isAllFailing)
      return { because: 'failing', waitMs: kind === 'poll' ? Math.max(waitMs, FAILING_WAIT_MS) : waitMs };
    return { because: isHotelFull ? 'hotel' : 'all', waitMs };
  }
  const isTooSoon =
    (isHotelFailing && isWithin(hotel.latestAt, PACE_MS.hotel, now)) ||
    (isAllFailing && isWithin(all.latestAt, PACE_MS.all, now));
  return kind === 'poll' && isTooSoon ? { because: 'failing', waitMs: FAILING_WAIT_MS } : undefined;
}

/**
 * Several independent calls have failed within a minute, and none has succeeded since, for a while: calls that hang reach their time
 * limits together, in a moment in which nobody else may have been answered.
 */
function isFailing({ health }: Load, now: number): boolean {
  const newest = health.failures.at(-1);
  if (newest === undefined || !hasFailedEnough(health) || isWithin(health.succeededAt, SILENCE_MS, now)) return false;
  return isWithin(newest.at, COLLECT_MS, now);
}

/** When the call that began first should end: when calls usually do; one that takes longer, after as long again. */
function freeInMs({ oldestAt, typicalMs }: Load, now: number): number {
  const elapsed = now - oldestAt;
  const left = elapsed < typicalMs ? typicalMs - elapsed : elapsed;
  return Math.round(Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, left)));
}

/** A clock that was set back makes nobody wait. */
function isWithin(at: number, ms: number, now: number): boolean {
  return now >= at && now - at < ms;
}
