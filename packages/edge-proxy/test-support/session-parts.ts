/** The parts of a checkout session on an object's storage, without the object's own methods around them. */
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, type Mock, vi } from 'vitest';
import type { AttemptRecord } from '../src/sessions/attempt-record.ts';
import { AttemptWatcher, type WatchedSession } from '../src/sessions/attempt-watcher.ts';
import { HostedStart } from '../src/sessions/hosted-start.ts';
import type { SessionRecord } from '../src/sessions/session-record.ts';
import { SessionStorage } from '../src/sessions/session-storage.ts';
import { SessionTransitions } from '../src/sessions/session-transitions.ts';
import { FakeUpstream } from './fake-upstream.ts';
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

/** What a test gets. */
export interface SessionParts {
  readonly store: SessionStorage;
  readonly transitions: SessionTransitions;
  /** Of the first attempt. */
  readonly watcher: AttemptWatcher;
  readonly start: HostedStart;
  /** What the session's object tells a start of earlier attempts: true unless a test says otherwise. */
  readonly areUnpaid: Mock<(attempts: readonly AttemptRecord[], traceparent?: string) => Promise<boolean>>;
  readonly apply: Mock<WatchedSession['apply']>;
  readonly waitUntil: Mock<WatchedSession['waitUntil']>;
  /** The first attempt as it is stored. */
  readonly attempt: () => AttemptRecord | undefined;
  /** What is due, in milliseconds from now. */
  readonly due: () => Record<string, number>;
  /** The stored row as it is. */
  readonly row: () => string;
  /** When the alarm rings, in milliseconds from now. */
  readonly alarmIn: () => Promise<number | null>;
}

/** All that can be due of a session with two attempts. */
const KINDS = ['abandon', 'deadline', 'erase', 'erase_token', 'poll 1', 'poll 2', 'settle', 'updates'] as const;

let run = 0;

/** Works with the parts of a session in an object of its own. Without a record nothing is stored there. */
export function withSession<Result>(
  record: SessionRecord | undefined,
  work: (parts: SessionParts) => Promise<Result>,
): Promise<Result> {
  run += 1;
  return runInDurableObject(env.CHECKOUT_SESSIONS.getByName(`parts-${run}`), (_object, { storage }) => {
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
    const areUnpaid: SessionParts['areUnpaid'] = vi.fn(async () => true);
    if (record !== undefined) {
      store.transaction(() => {
        store.create(record, 'fingerprint');
        // The ledger has taken it.
        store.due.clear('updates');
      });
    }
    const due = (): Record<string, number> =>
      Object.fromEntries(
        KINDS.map((kind) => [kind, store.due.get(kind)] as const)
          .filter((task): task is [(typeof KINDS)[number], number] => task[1] !== undefined)
          .map(([kind, at]) => [kind, at - Date.now()]),
      );
    const row = () => storage.sql.exec<{ body: string }>('SELECT body FROM object').one().body;
    const alarmIn = async (): Promise<number | null> => {
      const at = await storage.getAlarm();
      return at === null ? null : at - Date.now();
    };
    const start = new HostedStart(session, areUnpaid);
    const attempt = () => store.load()?.attempts[0];
    const watcher = watcherOf(1);
    return work({ store, transitions, watcher, start, areUnpaid, apply, waitUntil, attempt, due, row, alarmIn });
  });
}

/** Installs a payment service that has opened the hosted page of {@link PENDING}, and the clock, around each test. */
export function usePendingPage(): { upstream: FakeUpstream } {
  const fakes = { upstream: new FakeUpstream() };
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW });
    fakes.upstream = new FakeUpstream().install();
    const init = { amount: '12000', currency: 'EUR', cardInfoRefID: 'cs_1-1', serviceProvider: 'TEST_HOSTED' };
    fakes.upstream.hosted.set(HOSTED.requestID, { state: 0, init });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
  return fakes;
}
