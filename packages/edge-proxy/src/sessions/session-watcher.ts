/**
 * Watches one checkout session at the payment service: one look at a time, what follows from it, and when to look again.
 * `policy/session-watch.ts` decides what a look means, and the session whether it moves.
 */
import { waitAtMost } from '../deadline.ts';
import {
  blindDelay,
  isUnattended,
  lookDelay,
  MIN_LOOK_INTERVAL_MS,
  payingDeadline,
} from '../policy/polling-schedule.ts';
import { canStillMove, type SessionEvent } from '../policy/session-machine.ts';
import { type Observation, observe } from '../policy/session-watch.ts';
import { type SessionRecord, type StartedRecord, scheduleFacts } from '../records/session-record.ts';
import type { SessionChange } from '../records/session-transition.ts';
import { type PropertyBindings, propertyOf } from '../rpc/properties.ts';
import type { SessionStorage } from '../storage/session-storage.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { AccessTokenBindings } from '../upstream/access-token-source.ts';
import { isRefused, takeTurn, upstreamOf } from '../upstream/call-budget.ts';
import { lookAtRecord, lookAtState, type Sight } from '../upstream/hosted-calls.ts';
import { countNoLooks, isPaced, paceLook } from '../upstream/look-demand.ts';

/** A session, as its watcher and its start need it. */
export interface WatchedSession {
  readonly bindings: PropertyBindings & AccessTokenBindings;
  readonly store: SessionStorage;
  readonly apply: (event: SessionEvent, change?: SessionChange) => Promise<SessionRecord | undefined>;
  /** Keeps the object alive for work that its caller may not wait for. */
  readonly waitUntil: (work: Promise<unknown>) => void;
  readonly telemetry?: Telemetry | undefined;
}

const LOOK_WAIT_MS = 2_000;
/** How long after a page has read the session somebody still waits for it: pages ask again within a minute. */
const READER_MS = 90_000;
/** A pending session looks so long before its deadline, however many others look. */
const LAST_LOOK_MS = 5_000;
/** How long after the end of a session a failed look is still repeated. */
const MAKE_UP_MS: number = 48 * 60 * 60_000;

export class SessionWatcher {
  readonly #session: WatchedSession;
  #looking: Promise<void> | undefined;
  #lastLookAt = 0;
  /** When a poll last began, or was given up because it could not have been answered. */
  #lastTriedAt = 0;
  #lastReadAt = 0;
  /** Somebody asked: if the payment is still in motion, it is watched for a while longer. */
  #wasAsked = false;
  /** A look stays due on disk until the one being made has ended, so that a crash does not lose it. */
  #keepsLook = false;

  constructor(session: WatchedSession) {
    this.#session = session;
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

  /** One look at a time, whoever asks, and at most one a second. */
  look(traceparent?: string): Promise<void> {
    this.#looking ??= this.#lookOnce(traceparent).finally(() => {
      this.#looking = undefined;
      this.#session.telemetry?.flush();
    });
    return this.#looking;
  }

  /**
   * The last poll before a deadline that has passed ends the session: it begins after the deadline, or fails to. False when
   * others had to go first, and it comes later.
   */
  async lookAfter(deadline: number): Promise<boolean> {
    await this.#looking;
    if (this.#lastTriedAt < deadline) await this.look();
    return this.#lastTriedAt >= deadline;
  }

  /** Somebody's page shows the session: its looks come by the schedule, and one that was put off for others comes now. */
  noteReader(record: SessionRecord, now: number): void {
    this.#lastReadAt = now;
    const { due } = this.#session.store;
    const facts = scheduleFacts(record);
    if (!isUnattended(facts, now)) return;
    const planned = due.get('look')?.at ?? 0;
    const isLater = planned > now + (lookDelay(facts, now) ?? Number.POSITIVE_INFINITY);
    // The other looks that come later have a reason of their own: a service, or a configuration, that cannot be used.
    if (!isLater || (this.#lastLookAt > 0 && !isPaced(record.id))) return;
    countNoLooks(record.id);
    due.set('look', Math.max(now, this.#soonest(now)));
    due.arm();
  }

  /** Applies an observation to the newest record: commits what follows and plans the next look. */
  async observe({ observation, result, recorded }: Sight): Promise<void> {
    const { apply, store } = this.#session;
    const record = this.#watched();
    if (record === undefined) return;
    const now = Date.now();
    const { watch, event, errorCode, lookAt } = observe(record.watch, observation, now);
    const watched: SessionRecord = { ...record, watch };
    if (event !== undefined && isNewlyKnown(record, event)) {
      const moved = await apply(event, { watch, result, error: errorCode, recorded });
      if (moved !== undefined) return;
    }
    store.transaction(() => {
      const newest = store.load();
      // An awaited hash may have let a transition in between; its plan stands.
      if (newest === undefined || newest.seq !== record.seq) return;
      if (JSON.stringify(watch) !== JSON.stringify(record.watch)) store.save(record.seq, watched);
      this.planLook(watched, now, lookAt);
      store.due.arm();
    });
  }

  /**
   * Plans the next look by the schedule, or none when nothing can be seen any more. Part of the caller's commit.
   * @param lookAt when something seen asks for a look earlier than the schedule
   */
  planLook(record: SessionRecord, now: number, lookAt?: number): void {
    const { due } = this.#session.store;
    const facts = scheduleFacts(record);
    const delay = lookDelay(facts, now);
    if (record.state === 'pending') {
      // Every sign of the guest moves it, and so does a new version of this code.
      const deadline = payingDeadline(facts);
      if (due.get('deadline')?.at !== deadline) due.set('deadline', deadline);
    }
    const byFacts = record.state === 'unknown' ? undefined : lookAt;
    this.#keepsLook = false;
    countNoLooks(record.id);
    if (byFacts !== undefined) due.set('look', Math.max(byFacts, this.#soonest(now)));
    else if (delay !== undefined) due.set('look', now + this.#pace(record, delay, now));
    else if (this.#looking !== undefined && canStillMove(record.state)) this.#keepsLook = true;
    else due.clear('look');
  }

  /** When the next look may be made at the earliest. */
  #soonest(now: number): number {
    return Math.min(this.#lastLookAt, now) + MIN_LOOK_INTERVAL_MS;
  }

  /** After how long to look, instead of by the schedule, when nobody waits for it and others look as well. */
  #pace(record: SessionRecord, delay: number, now: number): number {
    const facts = scheduleFacts(record);
    if (now - this.#lastReadAt < READER_MS || !isUnattended(facts, now)) return delay;
    const paced = paceLook(record.id, delay, now);
    // Who has paid by then is not called expired.
    const untilLast = record.state === 'pending' ? payingDeadline(facts) - LAST_LOOK_MS - now : paced;
    return Math.min(paced, Math.max(delay, untilLast));
  }

  async #lookOnce(traceparent: string | undefined): Promise<void> {
    const { bindings, store } = this.#session;
    const tooEarly = this.#lastLookAt + MIN_LOOK_INTERVAL_MS - Date.now();
    if (tooEarly > 0 && tooEarly <= MIN_LOOK_INTERVAL_MS) await scheduler.wait(tooEarly);
    const record = this.#watched();
    if (record === undefined) {
      store.due.clear('look');
      store.due.arm();
      return;
    }
    this.#lastLookAt = Date.now();
    // A crash during the look leaves the next one planned; every branch below moves it.
    const property = await propertyOf(bindings, record.property);
    if (property.broken) {
      this.#lastTriedAt = this.#lastLookAt;
      countNoLooks(record.id);
      store.due.set('look', Date.now() + blindDelay(record, Date.now()));
      store.due.arm();
      return;
    }
    const kind = this.#wasAsked ? 'asked_look' : 'look';
    const turn = takeTurn(kind, { ...upstreamOf(property), source: record.id });
    if (!isRefused(turn) || turn.because === 'trouble') this.#lastTriedAt = this.#lastLookAt;
    if (isRefused(turn)) return this.#putOff(record.id, turn.waitMs);
    let isUp: boolean | undefined;
    try {
      let current: StartedRecord | undefined = record;
      let seen: Observation['seen'] = 'time';
      if (current.state !== 'unknown' && current.watch.doneSeenAt === null) {
        const sight = await lookAtState(bindings, property, current, { traceparent });
        seen = sight.observation.seen;
        isUp = isAnswered(sight);
        await this.observe(sight);
        current = this.#watched();
      }
      if (current !== undefined && readsRecord(current)) {
        const sight = await lookAtRecord(bindings, property, current, { traceparent });
        if (current.state === 'unknown') seen = sight.observation.seen;
        isUp ||= isAnswered(sight);
        await this.observe(sight);
      }
      this.#watchOn(seen);
    } finally {
      turn.end(isUp);
    }
  }

  /** Makes the look that is due later: it stays on disk, and comes at another time than all the others that were put off. */
  #putOff(id: string, waitMs: number): void {
    const { due } = this.#session.store;
    countNoLooks(id);
    const now = Date.now();
    const at = now + Math.round(waitMs * (1 + Math.random()));
    const planned = due.get('look')?.at ?? now;
    if (planned <= now || planned > at) due.set('look', at);
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
    const record = this.#watched();
    if (record === undefined || record.state === 'pending') return;
    const now = Date.now();
    store.transaction(() => {
      if (isKept) store.due.clear('look');
      if (wasAsked && isInMotion) {
        const watched: SessionRecord = { ...record, watch: { ...record.watch, askedAt: now } };
        store.save(record.seq, watched);
        const delay = lookDelay(scheduleFacts(watched), now);
        if (delay !== undefined) store.due.setEarlier('look', now + delay);
      } else if (seen === 'time' && record.state !== 'unknown' && now - record.since < MAKE_UP_MS) {
        store.due.setEarlier('look', now + blindDelay(record, now));
      }
      store.due.arm();
    });
  }

  /** The session, if anything can still be seen of it. */
  #watched(): StartedRecord | undefined {
    const record = this.#session.store.load();
    if (record === undefined || record.hosted === null || !canStillMove(record.state)) return undefined;
    return { ...record, hosted: record.hosted };
  }
}

function isAnswered({ observation }: Sight): boolean {
  return observation.seen === 'record_not_readable' ? observation.isUnanswered !== true : observation.seen !== 'time';
}

/** Once something may have ended, the record is read whatever the state is called. */
function readsRecord({ state, watch }: SessionRecord): boolean {
  return state !== 'pending' || watch.doneSeenAt !== null || watch.errorSeenAt !== null;
}

/** Whether a doubtful record adds anything: not after a person has decided, or when its figures are kept already. */
function isNewlyKnown(record: SessionRecord, event: SessionEvent): boolean {
  if (event !== 'record_contradicts' && event !== 'record_unreadable') return true;
  if (record.state === 'unknown') return record.recorded === undefined;
  return record.resolution === null;
}
