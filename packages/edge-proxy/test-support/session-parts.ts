/** The parts of a checkout session on an object's storage, without the object's own methods around them. */
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, type Mock, vi } from 'vitest';
import type { SessionRecord } from '../src/records/session-record.ts';
import { HostedStart } from '../src/sessions/hosted-start.ts';
import { SessionTransitions } from '../src/sessions/session-transitions.ts';
import { SessionWatcher, type WatchedSession } from '../src/sessions/session-watcher.ts';
import { SessionStorage } from '../src/storage/session-storage.ts';
import { FakeUpstream } from './fake-upstream.ts';
import { CREATED_AT, HOSTED, OPEN_SESSION, PENDING_SESSION } from './records.ts';

/** The clock of these tests: ahead of the runtime's, so that no alarm rings. */
export const NOW: number = Date.now() + 86_400_000;

/** Session records made at {@link NOW}. */
export const OPEN: SessionRecord = atNow(OPEN_SESSION);
export const PENDING: typeof PENDING_SESSION = { ...atNow(PENDING_SESSION), hosted: HOSTED };

function atNow(record: SessionRecord): SessionRecord {
  const moved = <Instant extends number | null>(at: Instant) => (at === null ? at : at + NOW - CREATED_AT);
  return {
    ...record,
    surcharge: false,
    createdAt: NOW,
    expiresAt: moved(record.expiresAt) ?? 0,
    since: moved(record.since) ?? 0,
    startedAt: moved(record.startedAt),
  };
}

/** What a test gets. */
export interface SessionParts {
  readonly store: SessionStorage;
  readonly transitions: SessionTransitions;
  readonly watcher: SessionWatcher;
  readonly start: HostedStart;
  readonly apply: Mock<WatchedSession['apply']>;
  readonly waitUntil: Mock<WatchedSession['waitUntil']>;
  /** What is due, in milliseconds from now. */
  readonly due: () => Record<string, number>;
  /** When the alarm rings, in milliseconds from now. */
  readonly alarmIn: () => Promise<number | null>;
}

let run = 0;

/** Works with the parts of a session in an object of its own. Without a record nothing is stored there. */
export function withSession<Result>(
  record: SessionRecord | undefined,
  work: (parts: SessionParts) => Promise<Result>,
): Promise<Result> {
  run += 1;
  return runInDurableObject(env.CHECKOUT_SESSIONS.getByName(`parts-${run}`), (_object, { storage }) => {
    const store = new SessionStorage(storage);
    const transitions: SessionTransitions = new SessionTransitions(store, (next, now) => watcher.planLook(next, now));
    const apply = vi.fn<WatchedSession['apply']>((event, change) => transitions.apply(event, change));
    const waitUntil = vi.fn<WatchedSession['waitUntil']>();
    const session = { bindings: env, store, apply, waitUntil };
    const watcher = new SessionWatcher(session);
    if (record !== undefined) store.create(record, 'fingerprint');
    const due = (): Record<string, number> =>
      Object.fromEntries(
        storage.sql
          .exec<{ kind: string; at: number }>('SELECT kind, at FROM due ORDER BY kind')
          .toArray()
          .map(({ kind, at }) => [kind, at - Date.now()]),
      );
    const alarmIn = async (): Promise<number | null> => {
      const at = await storage.getAlarm();
      return at === null ? null : at - Date.now();
    };
    return work({ store, transitions, watcher, start: new HostedStart(session), apply, waitUntil, due, alarmIn });
  });
}

/** Installs a payment service that has opened the hosted page of {@link PENDING}, and the clock, around each test. */
export function usePendingPage(): { upstream: FakeUpstream } {
  const fakes = { upstream: new FakeUpstream() };
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW });
    fakes.upstream = new FakeUpstream().install();
    const init = { amount: '12000', currency: 'EUR', cardInfoRefID: PENDING.id, serviceProvider: 'TEST_HOSTED' };
    fakes.upstream.hosted.set(HOSTED.requestID, { state: 0, init });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
  return fakes;
}
