/**
 * Watches one attempt at the payment service: one poll at a time, what follows from it, and when to poll again.
 * `sessions/attempt-watch.ts` decides what a poll means, and the session whether it moves.
 */
import { waitAtMost } from '../http/deadline.ts';
import { type PropertyBindings, propertyOf } from '../properties/properties.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { AccessTokenBindings } from '../upstream/access-token-source.ts';
import { acquirePermit, isRefused, upstreamOf } from '../upstream/call-budget.ts';
import { type AttemptEvent, canStillMove } from './attempt-machine.ts';
import { type AttemptRecord, cardInfoRefIdOf, scheduleInput } from './attempt-record.ts';
import { type Observation, observe } from './attempt-watch.ts';
import { type PollResult, pollRecord, pollState, type Watched } from './hosted-calls.ts';
import { clearDemand, isPaced, pacePolling } from './poll-demand.ts';
import { abandonedAt, isUnattended, MIN_POLL_INTERVAL_MS, pollDelay, retryDelay } from './polling-schedule.ts';
import { attemptOf, type SessionRecord } from './session-record.ts';
import type { SessionStorage } from './session-storage.ts';
import { type SessionEvent, withAttempt } from './session-transition.ts';

/** A session, as its watchers and its start need it. */
export interface WatchedSession {
  readonly bindings: PropertyBindings & AccessTokenBindings;
  readonly store: SessionStorage;
  readonly apply: (event: SessionEvent) => Promise<SessionRecord | undefined>;
  /** Keeps the object alive for work that its caller may not wait for. */
  readonly waitUntil: (work: Promise<unknown>) => void;
  readonly telemetry?: Telemetry | undefined;
}

const POLL_WAIT_MS = 2_000;
/** How long after a page has read the session somebody still waits for it: pages ask again within a minute. */
const READER_MS = 90_000;
/** A pending attempt polls so long before it is abandoned, however many others poll. */
const LAST_POLL_MS = 5_000;
/** How long after the end of an attempt a failed poll is still repeated. */
const MAKE_UP_MS: number = 48 * 60 * 60_000;

export class AttemptWatcher {
  readonly #session: WatchedSession;
  readonly #number: number;
  /** What its next poll is called among what is due. */
  readonly #kind: string;
  #polling: Promise<void> | undefined;
  #lastPollAt = 0;
  /** When a poll last began, or was given up because it could not have been answered. */
  #lastTriedAt = 0;
  #lastReadAt = 0;
  /** Whether the payment service answered everything that the last poll asked. */
  #wasAnswered = false;
  /** Somebody asked: if the payment is still in motion, it is watched for a while longer. */
  #hasWaitingCaller = false;
  /** A poll stays due on disk until the one being made has ended, so that a crash does not lose it. */
  #keepsPoll = false;

  constructor(session: WatchedSession, number: number) {
    this.#session = session;
    this.#number = number;
    this.#kind = pollKind(number);
  }

  /**
   * Polls, and waits for it two seconds at most; the poll itself goes on.
   * @param traceparent of whoever asked
   */
  async pollNow(traceparent?: string): Promise<void> {
    this.#hasWaitingCaller = true;
    const polling = this.poll(traceparent);
    this.#session.waitUntil(polling);
    await waitAtMost(POLL_WAIT_MS, polling);
  }

  /**
   * Asks anew, at once, before another attempt begins.
   * @returns whether it is certain for now that this one was not paid: false, too, when nobody answered
   */
  async isUnpaid(traceparent?: string): Promise<boolean> {
    await this.#polling;
    this.#hasWaitingCaller = true;
    this.#lastPollAt = 0;
    await this.poll(traceparent);
    const attempt = this.#watched()?.attempt;
    if (attempt === undefined || attempt.status === 'unknown' || !this.#wasAnswered) return false;
    const { doneSeenAt, contradictionAt } = attempt.watch;
    return attempt.resolution !== null || (doneSeenAt === null && contradictionAt === null);
  }

  /** One poll at a time, whoever asks, and at most one a second. */
  poll(traceparent?: string): Promise<void> {
    this.#polling ??= this.#pollOnce(traceparent).finally(() => {
      this.#polling = undefined;
      this.#session.telemetry?.flush();
    });
    return this.#polling;
  }

  /**
   * The last poll of an attempt that is about to count as abandoned: it begins after the deadline, or fails to. False when
   * others had to go first, and it comes later.
   */
  async pollAfter(deadline: number): Promise<boolean> {
    await this.#polling;
    if (this.#lastTriedAt < deadline) await this.poll();
    return this.#lastTriedAt >= deadline;
  }

  /** Somebody's page shows the session: its polls come by the schedule, and one that was deferred for others comes now. */
  noteReader(record: SessionRecord, now: number): void {
    const attempt = attemptOf(record, this.#number);
    if (attempt === undefined) return;
    this.#lastReadAt = now;
    const { due } = this.#session.store;
    const input = scheduleInput(attempt, record);
    if (!isUnattended(input, now)) return;
    const planned = due.get(this.#kind)?.at ?? 0;
    const isLater = planned > now + (pollDelay(input, now) ?? Number.POSITIVE_INFINITY);
    const name = cardInfoRefIdOf(record, attempt);
    // The other polls that come later have a reason of their own: a service, or a configuration, that cannot be used.
    if (!isLater || (this.#lastPollAt > 0 && !isPaced(name))) return;
    clearDemand(name);
    due.set(this.#kind, Math.max(now, this.#soonest(now)));
    due.arm();
  }

  /** Applies an observation to the newest record: commits what follows and plans the next poll. */
  async observe({ observation, result, recorded }: PollResult): Promise<void> {
    const { apply, store } = this.#session;
    const found = this.#watched();
    if (found === undefined) return;
    const { session, attempt } = found;
    const now = Date.now();
    const { watch, event, errorCode, pollAt } = observe(attempt.watch, observation, now);
    if (event !== undefined && isNewlyKnown(attempt, event)) {
      const number = this.#number;
      const moved = await apply({ is: 'attempt', number, event, watch, result, error: errorCode, recorded });
      if (moved !== undefined) return;
    }
    store.transaction(() => {
      const newest = store.load();
      // An awaited hash may have let a transition in between; its plan stands.
      if (newest === undefined || newest.seq !== session.seq) return;
      const next = withAttempt(newest, { ...(attemptOf(newest, this.#number) ?? attempt), watch });
      if (JSON.stringify(watch) !== JSON.stringify(attempt.watch)) store.save(newest.seq, next);
      this.plan(next, now, pollAt);
      store.due.arm();
    });
  }

  /**
   * Plans the next poll by the schedule, or none when nothing can be seen any more, and when the attempt counts as abandoned.
   * Part of the caller's commit.
   * @param pollAt when something seen asks for a poll earlier than the schedule
   */
  plan(record: SessionRecord, now: number, pollAt?: number): void {
    const attempt = attemptOf(record, this.#number);
    if (attempt === undefined) return;
    const { due } = this.#session.store;
    const input = scheduleInput(attempt, record);
    const delay = pollDelay(input, now);
    // Every sign of the guest moves it.
    if (attempt.status === 'pending') due.set('abandon', abandonedAt(input));
    const requestedAt = attempt.status === 'unknown' ? undefined : pollAt;
    this.#keepsPoll = false;
    clearDemand(cardInfoRefIdOf(record, attempt));
    if (requestedAt !== undefined) due.set(this.#kind, Math.max(requestedAt, this.#soonest(now)));
    else if (delay !== undefined) due.set(this.#kind, now + this.#pace({ session: record, attempt }, delay, now));
    else if (this.#polling !== undefined && canStillMove(attempt.status)) this.#keepsPoll = true;
    else due.clear(this.#kind);
  }

  /** When the next poll may be made at the earliest. */
  #soonest(now: number): number {
    return Math.min(this.#lastPollAt, now) + MIN_POLL_INTERVAL_MS;
  }

  /** After how long to poll, instead of by the schedule, when nobody waits for it and others poll as well. */
  #pace({ session, attempt }: Watched, delay: number, now: number): number {
    const input = scheduleInput(attempt, session);
    if (now - this.#lastReadAt < READER_MS || !isUnattended(input, now)) return delay;
    const paced = pacePolling(cardInfoRefIdOf(session, attempt), delay, now);
    // Who has paid by then is not called gone.
    const untilLast = attempt.status === 'pending' ? abandonedAt(input) - LAST_POLL_MS - now : paced;
    return Math.min(paced, Math.max(delay, untilLast));
  }

  async #pollOnce(traceparent: string | undefined): Promise<void> {
    const { bindings, store } = this.#session;
    this.#wasAnswered = false;
    const tooEarly = this.#lastPollAt + MIN_POLL_INTERVAL_MS - Date.now();
    if (tooEarly > 0 && tooEarly <= MIN_POLL_INTERVAL_MS) await scheduler.wait(tooEarly);
    const found = this.#watched();
    if (found === undefined) {
      store.due.clear(this.#kind);
      store.due.arm();
      return;
    }
    const { session, attempt } = found;
    this.#lastPollAt = Date.now();
    // A crash during the poll leaves the next one planned; every branch below moves it.
    const property = await propertyOf(bindings, session.property);
    if (property.invalid) {
      this.#lastTriedAt = this.#lastPollAt;
      clearDemand(cardInfoRefIdOf(session, attempt));
      store.due.set(this.#kind, Date.now() + retryDelay(attempt, Date.now()));
      store.due.arm();
      return;
    }
    const kind = this.#hasWaitingCaller ? 'awaited_poll' : 'poll';
    const permit = acquirePermit(kind, { ...upstreamOf(property), source: session.id });
    if (!isRefused(permit) || permit.because === 'failing') this.#lastTriedAt = this.#lastPollAt;
    if (isRefused(permit)) return this.#defer(found, permit.waitMs);
    const results: PollResult[] = [];
    try {
      let current: Watched | undefined = found;
      let seen: Observation['seen'] = 'time';
      if (attempt.status !== 'unknown' && attempt.watch.doneSeenAt === null) {
        const result = await pollState(bindings, property, current, { traceparent });
        seen = result.observation.seen;
        results.push(result);
        await this.observe(result);
        current = this.#watched();
      }
      if (current !== undefined && readsRecord(current.attempt)) {
        const result = await pollRecord(bindings, property, current, { traceparent });
        if (current.attempt.status === 'unknown') seen = result.observation.seen;
        results.push(result);
        await this.observe(result);
      }
      this.#watchOn(seen);
    } finally {
      this.#wasAnswered = results.length > 0 && results.every(isAnswered);
      permit.end(results.length === 0 ? undefined : results.some(isAnswered));
    }
  }

  /** Makes the poll that is due later: it stays on disk, and comes at another time than all the others that were deferred. */
  #defer({ session, attempt }: Watched, waitMs: number): void {
    const { due } = this.#session.store;
    clearDemand(cardInfoRefIdOf(session, attempt));
    const now = Date.now();
    const at = now + Math.round(waitMs * (1 + Math.random()));
    const planned = due.get(this.#kind)?.at ?? now;
    if (planned <= now || planned > at) due.set(this.#kind, at);
    due.arm();
  }

  /** Plans further polls when what was seen is not the end, or when nothing could be seen. */
  #watchOn(seen: Observation['seen']): void {
    const { store } = this.#session;
    const isInMotion = seen === 'state_open' || seen === 'state_done' || seen === 'record_not_readable';
    const hadWaitingCaller = this.#hasWaitingCaller;
    this.#hasWaitingCaller = false;
    const isKept = this.#keepsPoll;
    this.#keepsPoll = false;
    const found = this.#watched();
    if (found === undefined || found.attempt.status === 'pending') return;
    const { session, attempt } = found;
    const now = Date.now();
    store.transaction(() => {
      if (isKept) store.due.clear(this.#kind);
      if (hadWaitingCaller && isInMotion) {
        const watched = { ...attempt, watch: { ...attempt.watch, askedAt: now } };
        store.save(session.seq, withAttempt(session, watched));
        const delay = pollDelay(scheduleInput(watched, session), now);
        if (delay !== undefined) store.due.setEarlier(this.#kind, now + delay);
      } else if (seen === 'time' && attempt.status !== 'unknown' && now - attempt.since < MAKE_UP_MS) {
        store.due.setEarlier(this.#kind, now + retryDelay(attempt, now));
      }
      store.due.arm();
    });
  }

  /** The attempt, if anything can still be seen of it. */
  #watched(): Watched | undefined {
    const session = this.#session.store.load();
    const attempt = session && attemptOf(session, this.#number);
    if (session === undefined || attempt === undefined || !canStillMove(attempt.status)) return undefined;
    return { session, attempt };
  }
}

/** What the next poll of an attempt is called among what is due. */
export function pollKind(number: number): string {
  return `poll ${number}`;
}

function isAnswered({ observation }: PollResult): boolean {
  return observation.seen === 'record_not_readable' ? observation.isUnanswered !== true : observation.seen !== 'time';
}

/** Once something may have ended, the record is read whatever the state is called. */
function readsRecord({ status, watch }: AttemptRecord): boolean {
  return status !== 'pending' || watch.doneSeenAt !== null || watch.errorSeenAt !== null;
}

/** Whether a doubtful record adds anything: not after a person has decided, or when its figures are kept already. */
function isNewlyKnown({ status, recorded, resolution }: AttemptRecord, event: AttemptEvent): boolean {
  if (event !== 'record_contradicts' && event !== 'record_unreadable') return true;
  return status === 'unknown' ? recorded === null : resolution === null;
}
