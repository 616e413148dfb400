/**
 * The watching half of a checkout session: one look at a time at the payment service, what follows from it, and when to
 * look again. What a look means is decided in `policy/session-watch.ts`; whether it moves the session, by the session.
 */
import { propertyOf, type Settings } from '../config/settings.ts';
import { BROKEN_PROPERTY_DELAY_MS, lookDelay, MIN_LOOK_INTERVAL_MS } from '../policy/polling-schedule.ts';
import { isFinalSessionState, type SessionEvent } from '../policy/session-machine.ts';
import { type Observation, observe } from '../policy/session-watch.ts';
import type { AccessTokenBindings } from './access-token-source.ts';
import { waitAtMost } from './deadline.ts';
import { lookAtRecord, lookAtState, type Sight } from './hosted-calls.ts';
import { type SessionRecord, type SessionResult, type StartedRecord, scheduleFacts } from './session-record.ts';
import type { SessionStorage } from './session-storage.ts';
import type { SessionChange } from './session-transition.ts';

/** The session as its watcher needs it. */
export interface WatchedSession {
  readonly bindings: Settings & AccessTokenBindings;
  readonly store: SessionStorage;
  /** Applies one event; undefined when the machine has no such arrow, and then nothing changed. */
  readonly apply: (event: SessionEvent, change: SessionChange) => Promise<SessionRecord | undefined>;
  /** Keeps the object alive for work that its caller may not wait for. */
  readonly waitUntil: (work: Promise<unknown>) => void;
}

/** How long a caller waits for a look. */
const LOOK_WAIT_MS = 2_000;

/** The watcher of one session. */
export class SessionWatcher {
  readonly #session: WatchedSession;
  #looking: Promise<void> | undefined;
  #lastLookAt = 0;

  constructor(session: WatchedSession) {
    this.#session = session;
  }

  /** Looks, and waits for it two seconds at most; the look itself goes on. */
  async lookNow(): Promise<void> {
    const looking = this.look();
    this.#session.waitUntil(looking);
    await waitAtMost(LOOK_WAIT_MS, looking);
  }

  /** One look at a time, whoever asks, and at most one a second. */
  look(): Promise<void> {
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Folds an observation into the newest record, commits what follows and plans the next look. */
  async observe(observation: Observation, result?: SessionResult): Promise<void> {
    const { apply, store } = this.#session;
    const record = this.#watched();
    if (record === undefined) return;
    const now = Date.now();
    const { watch, event, errorCode, lookAt } = observe(record.watch, observation, now);
    const watched: SessionRecord = { ...record, watch };
    if (event !== undefined) {
      const moved = await apply(event, {
        watch,
        ...(result === undefined ? {} : { result }),
        ...(errorCode === undefined ? {} : { error: errorCode }),
      });
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
    const delay = lookDelay(scheduleFacts(record), now);
    const byFacts = record.state === 'unknown' ? undefined : lookAt;
    if (byFacts !== undefined) due.set('look', Math.max(byFacts, this.#lastLookAt + MIN_LOOK_INTERVAL_MS));
    else if (delay === undefined) due.clear('look');
    else due.set('look', now + delay);
  }

  async #lookOnce(): Promise<void> {
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
    const property = propertyOf(bindings, record.property);
    if (property.broken) {
      store.due.set('look', Date.now() + BROKEN_PROPERTY_DELAY_MS);
      store.due.arm();
      return;
    }
    let current: StartedRecord | undefined = record;
    if (current.state !== 'unknown' && current.watch.doneSeenAt === null) {
      await this.#take((await lookAtState(bindings, property, current)) ?? { observation: { seen: 'time' } });
      current = this.#watched();
    }
    if (current !== undefined && (current.state === 'unknown' || current.watch.doneSeenAt !== null)) {
      await this.#take(await lookAtRecord(bindings, property, current));
    }
  }

  /** The session, if anything can still be seen of it. */
  #watched(): StartedRecord | undefined {
    const record = this.#session.store.load();
    if (record === undefined || record.hosted === null || isFinalSessionState(record.state)) return undefined;
    return { ...record, hosted: record.hosted };
  }

  #take(sight: Sight): Promise<void> {
    return this.observe(sight.observation, sight.result);
  }
}
