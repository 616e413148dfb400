/**
 * Watches one attempt at the payment service: one look at a time, what follows from it, and when to look again.
 * `sessions/attempt-watch.ts` decides what a look means, and the session whether it moves.
 */
import { waitAtMost } from '../http/deadline.ts';
import { type PropertyBindings, propertyOf } from '../properties/properties.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { AccessTokenBindings } from '../upstream/access-token-source.ts';
import { isRefused, takeTurn, upstreamOf } from '../upstream/call-budget.ts';
import { type AttemptEvent, canStillMove } from './attempt-machine.ts';
import { type AttemptRecord, cardInfoRefIdOf, scheduleFacts } from './attempt-record.ts';
import { type Observation, observe } from './attempt-watch.ts';
import { lookAtRecord, lookAtState, type Sight, type Watched } from './hosted-calls.ts';
import { countNoLooks, isPaced, paceLook } from './look-demand.ts';
import { abandonedAt, blindDelay, isUnattended, lookDelay, MIN_LOOK_INTERVAL_MS } from './polling-schedule.ts';
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

const LOOK_WAIT_MS = 2_000;
/** How long after a page has read the session somebody still waits for it: pages ask again within a minute. */
const READER_MS = 90_000;
/** A pending attempt looks so long before it is abandoned, however many others look. */
const LAST_LOOK_MS = 5_000;
/** How long after the end of an attempt a failed look is still repeated. */
const MAKE_UP_MS: number = 48 * 60 * 60_000;

export class AttemptWatcher {
  readonly #session: WatchedSession;
  readonly #number: number;
  /** What its next look is called among what is due. */
  readonly #kind: string;
  #looking: Promise<void> | undefined;
  #lastLookAt = 0;
  /** When a poll last began, or was given up because it could not have been answered. */
  #lastTriedAt = 0;
  #lastReadAt = 0;
  /** Whether the payment service answered everything that the last look asked. */
  #wasAnswered = false;
  /** Somebody asked: if the payment is still in motion, it is watched for a while longer. */
  #wasAsked = false;
  /** A look stays due on disk until the one being made has ended, so that a crash does not lose it. */
  #keepsLook = false;

  constructor(session: WatchedSession, number: number) {
    this.#session = session;
    this.#number = number;
    this.#kind = lookKind(number);
  }

  /**
   * Looks, and waits for it two seconds at most; the look itself goes on.
   * @param traceparent of whoever asked
   */
  async lookNow(traceparent?: string): Promise<void> {
    this.#wasAsked = true;
    const looking = this.look(traceparent);
    this.#session.waitUntil(looking);
    await waitAtMost(LOOK_WAIT_MS, looking);
  }

  /**
   * Asks anew, at once, before another attempt begins.
   * @returns whether it is certain for now that this one was not paid: false, too, when nobody answered
   */
  async isUnpaid(traceparent?: string): Promise<boolean> {
    await this.#looking;
    this.#wasAsked = true;
    this.#lastLookAt = 0;
    await this.look(traceparent);
    const attempt = this.#watched()?.attempt;
    if (attempt === undefined || attempt.status === 'unknown' || !this.#wasAnswered) return false;
    const { doneSeenAt, contradictionAt } = attempt.watch;
    return attempt.resolution !== null || (doneSeenAt === null && contradictionAt === null);
  }

  /** One look at a time, whoever asks, and at most one a second. */
  look(traceparent?: string): Promise<void> {
    this.#looking ??= this.#lookOnce(traceparent).finally(() => {
      this.#looking = undefined;
      this.#session.telemetry?.flush();
    });
    return this.#looking;
  }

  /**
   * The last poll of an attempt that is about to count as abandoned: it begins after the deadline, or fails to. False when
   * others had to go first, and it comes later.
   */
  async lookAfter(deadline: number): Promise<boolean> {
    await this.#looking;
    if (this.#lastTriedAt < deadline) await this.look();
    return this.#lastTriedAt >= deadline;
  }

  /** Somebody's page shows the session: its looks come by the schedule, and one that was put off for others comes now. */
  noteReader(record: SessionRecord, now: number): void {
    const attempt = attemptOf(record, this.#number);
    if (attempt === undefined) return;
    this.#lastReadAt = now;
    const { due } = this.#session.store;
    const facts = scheduleFacts(attempt, record);
    if (!isUnattended(facts, now)) return;
    const planned = due.get(this.#kind)?.at ?? 0;
    const isLater = planned > now + (lookDelay(facts, now) ?? Number.POSITIVE_INFINITY);
    const name = cardInfoRefIdOf(record, attempt);
    // The other looks that come later have a reason of their own: a service, or a configuration, that cannot be used.
    if (!isLater || (this.#lastLookAt > 0 && !isPaced(name))) return;
    countNoLooks(name);
    due.set(this.#kind, Math.max(now, this.#soonest(now)));
    due.arm();
  }

  /** Applies an observation to the newest record: commits what follows and plans the next look. */
  async observe({ observation, result, recorded }: Sight): Promise<void> {
    const { apply, store } = this.#session;
    const found = this.#watched();
    if (found === undefined) return;
    const { session, attempt } = found;
    const now = Date.now();
    const { watch, event, errorCode, lookAt } = observe(attempt.watch, observation, now);
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
      this.plan(next, now, lookAt);
      store.due.arm();
    });
  }

  /**
   * Plans the next look by the schedule, or none when nothing can be seen any more, and when the attempt counts as abandoned.
   * Part of the caller's commit.
   * @param lookAt when something seen asks for a look earlier than the schedule
   */
  plan(record: SessionRecord, now: number, lookAt?: number): void {
    const attempt = attemptOf(record, this.#number);
    if (attempt === undefined) return;
    const { due } = this.#session.store;
    const facts = scheduleFacts(attempt, record);
    const delay = lookDelay(facts, now);
    // Every sign of the guest moves it.
    if (attempt.status === 'pending') due.set('abandon', abandonedAt(facts));
    const byFacts = attempt.status === 'unknown' ? undefined : lookAt;
    this.#keepsLook = false;
    countNoLooks(cardInfoRefIdOf(record, attempt));
    if (byFacts !== undefined) due.set(this.#kind, Math.max(byFacts, this.#soonest(now)));
    else if (delay !== undefined) due.set(this.#kind, now + this.#pace({ session: record, attempt }, delay, now));
    else if (this.#looking !== undefined && canStillMove(attempt.status)) this.#keepsLook = true;
    else due.clear(this.#kind);
  }

  /** When the next look may be made at the earliest. */
  #soonest(now: number): number {
    return Math.min(this.#lastLookAt, now) + MIN_LOOK_INTERVAL_MS;
  }

  /** After how long to look, instead of by the schedule, when nobody waits for it and others look as well. */
  #pace({ session, attempt }: Watched, delay: number, now: number): number {
    const facts = scheduleFacts(attempt, session);
    if (now - this.#lastReadAt < READER_MS || !isUnattended(facts, now)) return delay;
    const paced = paceLook(cardInfoRefIdOf(session, attempt), delay, now);
    // Who has paid by then is not called gone.
    const untilLast = attempt.status === 'pending' ? abandonedAt(facts) - LAST_LOOK_MS - now : paced;
    return Math.min(paced, Math.max(delay, untilLast));
  }

  async #lookOnce(traceparent: string | undefined): Promise<void> {
    const { bindings, store } = this.#session;
    this.#wasAnswered = false;
    const tooEarly = this.#lastLookAt + MIN_LOOK_INTERVAL_MS - Date.now();
    if (tooEarly > 0 && tooEarly <= MIN_LOOK_INTERVAL_MS) await scheduler.wait(tooEarly);
    const found = this.#watched();
    if (found === undefined) {
      store.due.clear(this.#kind);
      store.due.arm();
      return;
    }
    const { session, attempt } = found;
    this.#lastLookAt = Date.now();
    // A crash during the look leaves the next one planned; every branch below moves it.
    const property = await propertyOf(bindings, session.property);
    if (property.broken) {
      this.#lastTriedAt = this.#lastLookAt;
      countNoLooks(cardInfoRefIdOf(session, attempt));
      store.due.set(this.#kind, Date.now() + blindDelay(attempt, Date.now()));
      store.due.arm();
      return;
    }
    const kind = this.#wasAsked ? 'asked_look' : 'look';
    const turn = takeTurn(kind, { ...upstreamOf(property), source: session.id });
    if (!isRefused(turn) || turn.because === 'trouble') this.#lastTriedAt = this.#lastLookAt;
    if (isRefused(turn)) return this.#putOff(found, turn.waitMs);
    const sights: Sight[] = [];
    try {
      let current: Watched | undefined = found;
      let seen: Observation['seen'] = 'time';
      if (attempt.status !== 'unknown' && attempt.watch.doneSeenAt === null) {
        const sight = await lookAtState(bindings, property, current, { traceparent });
        seen = sight.observation.seen;
        sights.push(sight);
        await this.observe(sight);
        current = this.#watched();
      }
      if (current !== undefined && readsRecord(current.attempt)) {
        const sight = await lookAtRecord(bindings, property, current, { traceparent });
        if (current.attempt.status === 'unknown') seen = sight.observation.seen;
        sights.push(sight);
        await this.observe(sight);
      }
      this.#watchOn(seen);
    } finally {
      this.#wasAnswered = sights.length > 0 && sights.every(isAnswered);
      turn.end(sights.length === 0 ? undefined : sights.some(isAnswered));
    }
  }

  /** Makes the look that is due later: it stays on disk, and comes at another time than all the others that were put off. */
  #putOff({ session, attempt }: Watched, waitMs: number): void {
    const { due } = this.#session.store;
    countNoLooks(cardInfoRefIdOf(session, attempt));
    const now = Date.now();
    const at = now + Math.round(waitMs * (1 + Math.random()));
    const planned = due.get(this.#kind)?.at ?? now;
    if (planned <= now || planned > at) due.set(this.#kind, at);
    due.arm();
  }

  /** Plans further looks when what was seen is not the end, or when nothing could be seen. */
  #watchOn(seen: Observation['seen']): void {
    const { store } = this.#session;
    const isInMotion = seen === 'state_open' || seen === 'state_done' || seen === 'record_not_readable';
    const wasAsked = this.#wasAsked;
    this.#wasAsked = false;
    const isKept = this.#keepsLook;
    this.#keepsLook = false;
    const found = this.#watched();
    if (found === undefined || found.attempt.status === 'pending') return;
    const { session, attempt } = found;
    const now = Date.now();
    store.transaction(() => {
      if (isKept) store.due.clear(this.#kind);
      if (wasAsked && isInMotion) {
        const watched = { ...attempt, watch: { ...attempt.watch, askedAt: now } };
        store.save(session.seq, withAttempt(session, watched));
        const delay = lookDelay(scheduleFacts(watched, session), now);
        if (delay !== undefined) store.due.setEarlier(this.#kind, now + delay);
      } else if (seen === 'time' && attempt.status !== 'unknown' && now - attempt.since < MAKE_UP_MS) {
        store.due.setEarlier(this.#kind, now + blindDelay(attempt, now));
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

/** What the next look of an attempt is called among what is due. */
export function lookKind(number: number): string {
  return `look ${number}`;
}

function isAnswered({ observation }: Sight): boolean {
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
