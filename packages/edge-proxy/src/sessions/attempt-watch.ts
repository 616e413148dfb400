/**
 * What the watcher concludes from what it sees: pure, so that every order of observations can be tested. It never
 * moves an attempt itself; it names the event, and `attempt-machine.ts` says whether that is a transition.
 */
import type { CheckoutErrorCode } from '@innkeep/core/contract';
import type { RecordedRefusal } from '@innkeep/core/hosted';
import type { AttemptEvent } from './attempt-machine.ts';

/** How long an upstream error waits for an abort return before it counts as a failure. */
const ERROR_HOLD_MS = 5_000;
/** How long after a contradicting record the second read happens. */
const CONTRADICTION_RECHECK_MS = 5_000;
/** How long an unreadable record is read again before the attempt is unknown. */
const UNREADABLE_LIMIT_MS: number = 15 * 60_000;
const MAX_READ_DELAY_MS = 60_000;
/** After this many reads the delay stays the same, and counting on would only cost another row. */
const MAX_READS_COUNTED = 6;

/** What the watcher remembers between polls. Instants in milliseconds. */
export interface AttemptWatch {
  /** First visit to the abort URL. */
  readonly abortReturnAt: number | null;
  /** Visit to the success URL, unless a later one to the abort URL took it back; absent until then. */
  readonly successReturnAt?: number | null;
  /** Latest visit to a return URL: a sign of the guest. */
  readonly returnedAt: number | null;
  /** First time the upstream said state 2, unless it has taken that back. */
  readonly errorSeenAt: number | null;
  /** First time the upstream said state 1. */
  readonly doneSeenAt: number | null;
  /** The object id that came with state 1, in the upstream's form. */
  readonly objectID: string | null;
  /** First contradicting record. */
  readonly contradictionAt: number | null;
  /** Reads of the record that did not decide anything, counted up to six. */
  readonly readAttempts: number;
  /** How a record said no; absent until one did. A later poll that cannot read it does not take it back. */
  readonly refusal?: RecordedRefusal;
  /** When something seen asks for another poll, earlier than the schedule; absent until something does. */
  readonly recheckAt?: number;
  /** Nobody answered the last poll of an attempt that has ended; absent otherwise. */
  readonly isUnanswered?: true;
  /** When that was a poll which came much later than planned, since nobody could ask until then; absent otherwise. */
  readonly resumedAt?: number;
}

/** A watcher that has seen nothing. */
export const NEW_WATCH: AttemptWatch = {
  abortReturnAt: null,
  returnedAt: null,
  errorSeenAt: null,
  doneSeenAt: null,
  objectID: null,
  contradictionAt: null,
  readAttempts: 0,
};

/** What a record with an error code says, if it has one. */
interface Refused {
  readonly refusal?: RecordedRefusal | undefined;
}

/** One thing the watcher saw. */
export type Observation =
  /** `isNew`: the guest may have been on the page since the last visit. */
  | { readonly seen: 'returned'; readonly through: 'success' | 'abort'; readonly isNew?: boolean }
  | { readonly seen: 'state_open' }
  | { readonly seen: 'state_error' }
  | { readonly seen: 'state_done'; readonly objectID: string }
  | { readonly seen: 'record_consistent' }
  /** `showsMoney`: it says that something came of the request, which outweighs state 2. */
  | ({ readonly seen: 'record_contradicts'; readonly code: CheckoutErrorCode; readonly showsMoney: boolean } & Refused)
  /** `isUnanswered`: nobody said that there is none. */
  | ({ readonly seen: 'record_not_readable'; readonly isUnanswered?: boolean } & Refused)
  | { readonly seen: 'time' };

export interface Conclusion {
  readonly watch: AttemptWatch;
  /** The event to apply, if the observation decides something. */
  readonly event?: AttemptEvent;
  /** Why, for events that carry an error. */
  readonly errorCode?: CheckoutErrorCode;
}

/** Folds one observation into the watch. `now` in milliseconds. */
export function observe(remembered: AttemptWatch, observation: Observation, now: number): Conclusion {
  const before = withoutFuture(remembered, now);
  const refusal = 'refusal' in observation ? observation.refusal : undefined;
  const watch = refusal === undefined ? before : { ...before, refusal };
  switch (observation.seen) {
    case 'returned': {
      // Loading the page of a visit again is not another visit.
      const { through } = observation;
      const isNew = observation.isNew || watch[`${through}ReturnAt`] == null;
      const next = { ...watch, returnedAt: now };
      if (through === 'success') return { watch: isNew ? { ...next, successReturnAt: now } : next };
      const abortReturnAt = watch.abortReturnAt ?? now;
      return { watch: isNew ? { ...next, abortReturnAt, successReturnAt: null } : next };
    }
    case 'state_error': {
      // Decides nothing by itself: the record is read first.
      const next = { ...watch, errorSeenAt: watch.errorSeenAt ?? now };
      return { watch: { ...next, recheckAt: errorDecidedAt(next) ?? now } };
    }
    case 'state_done':
      // Finished with a result outweighs an error seen before: it means that money may have moved.
      return {
        watch: { ...watch, doneSeenAt: watch.doneSeenAt ?? now, objectID: observation.objectID, errorSeenAt: null },
      };
    case 'record_consistent':
      return { watch, event: 'record_consistent' };
    case 'record_contradicts': {
      if (watch.doneSeenAt === null && !observation.showsMoney) {
        return concludeError({ ...watch, contradictionAt: null }, now);
      }
      const contradictionAt = watch.contradictionAt ?? now;
      const next = { ...watch, contradictionAt, readAttempts: readsWith(watch) };
      const recheckAt = contradictionAt + CONTRADICTION_RECHECK_MS;
      if (now >= recheckAt) return { watch: next, event: 'record_contradicts', errorCode: observation.code };
      return { watch: { ...next, recheckAt } };
    }
    case 'record_not_readable':
      // Nothing says that there is a record to wait for.
      if (watch.doneSeenAt === null && watch.contradictionAt === null) {
        return concludeError(watch, now, observation.isUnanswered);
      }
      return concludeUnreadable({ ...watch, readAttempts: readsWith(watch) }, now);
    case 'state_open': {
      // A state 2 that is taken back was no end, unless a record has shown money meanwhile.
      const isTakenBack = watch.doneSeenAt === null && watch.contradictionAt === null && watch.errorSeenAt !== null;
      if (isTakenBack) return { watch: { ...watch, errorSeenAt: null } };
      return watch.doneSeenAt === null ? { watch } : concludeUnreadable(watch, now);
    }
    case 'time':
      return watch.doneSeenAt === null ? { watch } : concludeUnreadable(watch, now);
  }
}

/** What was seen before a clock went back counts as seen now: nothing is held until the clock is there again. */
function withoutFuture(watch: AttemptWatch, now: number): AttemptWatch {
  const instants = [
    'abortReturnAt',
    'successReturnAt',
    'returnedAt',
    'errorSeenAt',
    'doneSeenAt',
    'contradictionAt',
    'resumedAt',
  ] as const;
  const ahead = instants.filter((name) => (watch[name] ?? 0) > now);
  return ahead.length === 0 ? watch : { ...watch, ...Object.fromEntries(ahead.map((name) => [name, now])) };
}

function readsWith({ readAttempts }: AttemptWatch): number {
  return Math.min(readAttempts + 1, MAX_READS_COUNTED);
}

/** When a state 2 may be called an outcome, if the record shows no money by then; undefined while there is none. */
function errorDecidedAt({ errorSeenAt, abortReturnAt }: AttemptWatch): number | undefined {
  if (errorSeenAt === null) return undefined;
  return abortReturnAt === null ? errorSeenAt + ERROR_HOLD_MS : errorSeenAt;
}

/** The record was read, and shows no money. */
function concludeError(watch: AttemptWatch, now: number, isUnanswered = false): Conclusion {
  // Without an answer nobody knows whether a card was refused: the hold is used to ask again.
  const decidedAt = errorDecidedAt(isUnanswered ? { ...watch, abortReturnAt: null } : watch);
  if (decidedAt === undefined) return { watch };
  if (now < decidedAt) return { watch: { ...watch, recheckAt: decidedAt } };
  if (watch.refusal === 'declined') return { watch, event: 'card_refused', errorCode: 'declined' };
  // The page of a refused card may lead back through the abort address: only without a refusal was it the guest's wish.
  return watch.abortReturnAt === null || watch.refusal !== undefined || isUnanswered
    ? { watch, event: 'ended_with_error', errorCode: 'upstream_failed' }
    : { watch, event: 'ended_by_guest', errorCode: 'canceled_by_guest' };
}

function concludeUnreadable(watch: AttemptWatch, now: number): Conclusion {
  const since = watch.doneSeenAt ?? watch.contradictionAt ?? now;
  if (now - since >= UNREADABLE_LIMIT_MS) return { watch, event: 'record_unreadable', errorCode: 'record_unreadable' };
  const delay = Math.min(MAX_READ_DELAY_MS, 1_000 * 2 ** watch.readAttempts);
  return { watch: { ...watch, recheckAt: Math.min(now + delay, since + UNREADABLE_LIMIT_MS) } };
}
