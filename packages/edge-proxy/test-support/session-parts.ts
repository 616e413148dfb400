/** The parts of a checkout session on an object's storage, without the object's own methods around them. */
import { env } from 'cloudflare:workers';
import { beforeEach, vi } from 'vitest';
import type { AttemptRecord } from '../src/sessions/attempt-record.ts';
import { AttemptWatcher, type WatchedSession } from '../src/sessions/attempt-watcher.ts';
import { HostedStart } from '../src/sessions/hosted-start.ts';
import type { SessionRecord } from '../src/sessions/session-record.ts';
import { SessionStorage } from '../src/sessions/session-storage.ts';
import { SessionTransitions } from '../src/sessions/session-transitions.ts';
import { useClock } from './clock.ts';
import { FakeUpstream } from './fake-upstream.ts';
import { inStorage } from './objects.ts';
import { HOSTED, OPEN_SESSION, sessionWith, TERMS } from './records.ts';

/** The clock of these tests: ahead of the runtime's, so that no alarm rings. */
export const NOW: number = Date.now() + 86_400_000;

/** A session made at {@link NOW}. */
export const OPEN: SessionRecord = {
  ...OPEN_SESSION,
  terms: { ...TERMS, surcharge: false },
  createdAt: NOW,
  expiresAt: NOW + 3_600_000,
};

/** That session after these attempts, of which each began {@link NOW} unless it says otherwise. */
export function afterAttempts(
  attempts: readonly Partial<AttemptRecord>[],
  changes: Partial<SessionRecord> = {},
): SessionRecord {
  const began = { startedAt: NOW, since: NOW, terms: OPEN.terms };
  return sessionWith(
    attempts.map((attempt) => ({ ...began, ...attempt })),
    { base: OPEN, ...changes },
  );
}

/** The same, with its first hosted page open. */
export const PENDING: SessionRecord = afterAttempts([{}]);

/** All that can be due of a session with two attempts. */
const KINDS = ['abandon', 'deadline', 'erase', 'erase_token', 'poll 1', 'poll 2', 'settle', 'updates'] as const;

/** What a test gets. */
export type SessionParts = ReturnType<typeof partsOf>;

function partsOf(storage: DurableObjectStorage, record: SessionRecord | undefined) {
  const store = new SessionStorage(storage);
  const transitions = new SessionTransitions(store, (next, number, now) => watcherOf(number).plan(next, now));
  const apply = vi.fn<WatchedSession['apply']>((event) => transitions.apply(event));
  const waitUntil = vi.fn<WatchedSession['waitUntil']>();
  const session = { bindings: env, store, apply, waitUntil };
  const watchers = new Map<number, AttemptWatcher>();
  const watcherOf = (number: number): AttemptWatcher => {
    const watcher = watchers.get(number) ?? new AttemptWatcher(session, number);
    watchers.set(number, watcher);
    return watcher;
  };
  /** What the session's object tells a start of earlier attempts: true unless a test says otherwise. */
  const areUnpaid = vi.fn(async (_attempts: readonly AttemptRecord[], _traceparent?: string): Promise<boolean> => true);
  if (record !== undefined) {
    store.transaction(() => {
      store.create(record, 'fingerprint');
      // The ledger has taken it.
      store.due.clear('updates');
    });
  }
  return {
    store,
    transitions,
    /** Of the first attempt. */
    watcher: watcherOf(1),
    start: new HostedStart(session, areUnpaid),
    areUnpaid,
    apply,
    waitUntil,
    /** The first attempt as it is stored. */
    attempt: () => store.load()?.attempts[0],
    /** What is due, in milliseconds from now. */
    due: (): Record<string, number> =>
      Object.fromEntries(
        KINDS.map((kind) => [kind, store.due.get(kind)] as const)
          .filter((task): task is [(typeof KINDS)[number], number] => task[1] !== undefined)
          .map(([kind, at]) => [kind, at - Date.now()]),
      ),
    /** The stored row as it is. */
    row: () => storage.sql.exec<{ body: string }>('SELECT body FROM object').one().body,
    /** When the alarm rings, in milliseconds from now. */
    alarmIn: async () => {
      const at = await storage.getAlarm();
      return at === null ? null : at - Date.now();
    },
  };
}

/** Works with the parts of a session in a storage of its own. Without a record nothing is stored there. */
export function withSession<Result>(
  record: SessionRecord | undefined,
  work: (parts: SessionParts) => Promise<Result>,
): Promise<Result> {
  return inStorage((storage) => work(partsOf(storage, record)));
}

/** Installs a payment service that has opened the hosted page of {@link PENDING}, and the clock, around each test. */
export function usePendingPage(): { upstream: FakeUpstream } {
  const fakes = { upstream: new FakeUpstream() };
  useClock(NOW);
  beforeEach(() => {
    fakes.upstream = new FakeUpstream().install();
    const init = { amount: '12000', currency: 'EUR', cardInfoRefID: 'cs_1-1', serviceProvider: 'TEST_HOSTED' };
    fakes.upstream.hosted.set(HOSTED.requestID, { state: 0, init });
  });
  return fakes;
}
