/**
 * What the watcher concludes from what it sees: pure, so that every order of observations can be tested. It never
 * moves a session itself; it names the event, and `session-machine.ts` says whether that is a transition.
 */
import type { SessionEvent } from './session-machine.ts';

/** How long an upstream error waits for an abort return before it counts as a failure. */
const ERROR_HOLD_MS = 5_000;
/** How long after a contradicting record the second read happens. */
const CONTRADICTION_RECHECK_MS = 5_000;
/** How long an unreadable record is read again before the session is unknown. */
const UNREADABLE_LIMIT_MS: number = 15 * 60_000;
const MAX_READ_DELAY_MS = 60_000;

/** Why a session ended badly or uncertainly. */
export type SessionErrorCode =
  | 'upstream_failed'
  | 'canceled_by_guest'
  | 'amount_mismatch'
  | 'amount_unit_mismatch'
  | 'record_mismatch'
  | 'record_unreadable';

/** What the watcher remembers between looks. Instants in milliseconds. */
export interface SessionWatch {
  /** First visit to the abort URL. */
  readonly abortReturnAt: number | null;
  /** Latest visit to a return URL: polling is quick again for a while. */
  readonly returnedAt: number | null;
  /** First time the upstream said state 2. */
  readonly errorSeenAt: number | null;
  /** First time the upstream said state 1. */
  readonly doneSeenAt: number | null;
  /** The object id that came with state 1, in the upstream's form. */
  readonly objectID: string | null;
  /** First contradicting record. */
  readonly contradictionAt: number | null;
  /** Reads of the record that did not decide anything. */
  readonly readAttempts: number;
}

/** A watcher that has seen nothing. */
export const NEW_WATCH: SessionWatch = {
  abortReturnAt: null,
  returnedAt: null,
  errorSeenAt: null,
  doneSeenAt: null,
  objectID: null,
  contradictionAt: null,
  readAttempts: 0,
};

/** One thing the watcher saw. */
export type Observation =
  | { readonly seen: 'returned'; readonly through: 'success' | 'abort' }
  | { readonly seen: 'state_error' }
  | { readonly seen: 'state_done'; readonly objectID: string }
  | { readonly seen: 'record_consistent' }
  | { readonly seen: 'record_contradicts'; readonly code: SessionErrorCode }
  | { readonly seen: 'record_not_readable' }
  | { readonly seen: 'time' };

/** What follows from an observation. */
export interface Conclusion {
  readonly watch: SessionWatch;
  /** The event to apply, if the observation decides something. */
  readonly event?: SessionEvent;
  /** Why, for events that carry an error. */
  readonly errorCode?: SessionErrorCode;
  /** When to look again at the latest; absent: by the ordinary schedule. */
  readonly lookAt?: number;
}

/** Folds one observation into the watch. `now` in milliseconds. */
export function observe(watch: SessionWatch, observation: Observation, now: number): Conclusion {
  switch (observation.seen) {
    case 'returned': {
      const next = {
        ...watch,
        returnedAt: now,
        abortReturnAt: watch.abortReturnAt ?? (observation.through === 'abort' ? now : null),
      };
      return concludeError(next, now);
    }
    case 'state_error':
      return concludeError({ ...watch, errorSeenAt: watch.errorSeenAt ?? now }, now);
    case 'state_done':
      // Finished with a result outweighs an error seen before: it means that money may have moved.
      return {
        watch: { ...watch, doneSeenAt: watch.doneSeenAt ?? now, objectID: observation.objectID, errorSeenAt: null },
        lookAt: now,
      };
    case 'record_consistent':
      return { watch, event: 'record_consistent' };
    case 'record_contradicts': {
      const contradictionAt = watch.contradictionAt ?? now;
      const next = { ...watch, contradictionAt, readAttempts: watch.readAttempts + 1 };
      const recheckAt = contradictionAt + CONTRADICTION_RECHECK_MS;
      if (now >= recheckAt) return { watch: next, event: 'record_contradicts', errorCode: observation.code };
      return { watch: next, lookAt: recheckAt };
    }
    case 'record_not_readable':
      return concludeUnreadable({ ...watch, readAttempts: watch.readAttempts + 1 }, now);
    case 'time':
      return watch.doneSeenAt === null ? concludeError(watch, now) : concludeUnreadable(watch, now);
  }
}

function concludeError(watch: SessionWatch, now: number): Conclusion {
  if (watch.errorSeenAt === null) return { watch };
  if (watch.abortReturnAt !== null) return { watch, event: 'ended_by_guest', errorCode: 'canceled_by_guest' };
  const decideAt = watch.errorSeenAt + ERROR_HOLD_MS;
  if (now >= decideAt) return { watch, event: 'ended_with_error', errorCode: 'upstream_failed' };
  return { watch, lookAt: decideAt };
}

function concludeUnreadable(watch: SessionWatch, now: number): Conclusion {
  const since = watch.doneSeenAt ?? now;
  if (now - since >= UNREADABLE_LIMIT_MS) return { watch, event: 'record_unreadable', errorCode: 'record_unreadable' };
  const delay = Math.min(MAX_READ_DELAY_MS, 1_000 * 2 ** Math.min(watch.readAttempts, 6));
  return { watch, lookAt: Math.min(now + delay, since + UNREADABLE_LIMIT_MS) };
}
