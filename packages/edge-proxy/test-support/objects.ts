/** Reaching into the objects of the worker under test: alarms by hand, clock by hand. */
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, vi } from 'vitest';
import type { LedgerObject } from '../src/ledger/ledger-object.ts';
import { createTaggedIds } from '../src/ledger/tagged-ids.ts';
import { type Json, merchant, retrieve, send } from './client.ts';
import type {} from './cloudflare.ts';
import type { FakeUpstream } from './fake-upstream.ts';

/** An event about a session. */
export interface SessionNews {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly object: Json & { readonly seq: number }; readonly duplicate?: Json };
}

/** The ids of the worker under test. */
export const ids = createTaggedIds(env);

/** Moves the fake clock. */
export function passSeconds(seconds: number): void {
  vi.setSystemTime(Date.now() + seconds * 1_000);
}

/**
 * Holds the next call of a method of objects until `goOn`: before it does anything, or once it is done. It waits by the clock: objects do not
 * share what they wait for.
 */
export function holdMethod<Methods extends object>(
  methods: Methods,
  name: keyof Methods & string,
  { isDone = false } = {},
): { isCalled(): Promise<void>; goOn(): void } {
  const method = methods[name] as (...given: unknown[]) => unknown;
  let [isHeld, mayGoOn] = [false, false];
  const hold = async (): Promise<void> => {
    isHeld = true;
    while (!mayGoOn) await scheduler.wait(5);
  };
  vi.spyOn(methods as Record<string, typeof method>, name).mockImplementationOnce(async function (
    this: Methods,
    ...given
  ) {
    if (!isDone) await hold();
    const outcome = await Reflect.apply(method, this, given);
    if (isDone) await hold();
    return outcome;
  });
  return {
    isCalled: () => expect.poll(() => isHeld).toBe(true),
    goOn() {
      mayGoOn = true;
    },
  };
}

/**
 * Runs a session's alarm now. Calls the handler itself: the runtime's own alarm may be firing at the same moment, and
 * then asking for it by name does nothing.
 */
export function runSessionAlarm(id: string): Promise<void> {
  return runInDurableObject(env.CHECKOUT_SESSIONS.getByName(id), (session) => session.alarm());
}

/** Passes time and lets a session's object poll; the session as its merchant sees it then. */
export async function poll(id: string, seconds = 1): Promise<Json> {
  passSeconds(seconds);
  await runSessionAlarm(id);
  return retrieve(id);
}

/** Lets a session's newest attempt end without money; the session as it is then. */
export async function endAttempt(
  upstream: FakeUpstream,
  id: string,
  ending: 'declined' | 'canceled' | 'failed' | 'abandoned',
): Promise<Json> {
  if (ending === 'abandoned') return poll(id, 3_600);
  if (ending === 'declined') upstream.pay(id, { status: '_error', returnCode: '51', paymentObjID: '', token: '' });
  upstream.fail(id);
  await poll(id, 3);
  if (ending !== 'canceled') return poll(id, 5);
  passSeconds(1);
  await send(upstream.returnPath(id, 'abort'));
  return retrieve(id);
}

/** What the feed tells of a session, oldest first. */
export async function eventsOf(id: string): Promise<SessionNews[]> {
  await runSessionAlarm(id);
  await runLedgerAlarm();
  const news: SessionNews[] = [];
  for (let after = -1, next = 0; next !== after; ) {
    after = next;
    const page = await merchant(`/v1/events?after=${after}&limit=100`);
    const { data, nextAfter } = await page.json<{ data: SessionNews[]; nextAfter: number }>();
    news.push(...data.filter((event) => event.data.object.id === id));
    next = nextAfter;
  }
  return news;
}

/** Runs a ledger's alarm now, and waits for what it has begun. */
export function runLedgerAlarm(property = 'aurora'): Promise<void> {
  return runInDurableObject(env.LEDGERS.getByName(property), async (ledger, state) => {
    const begun: Promise<unknown>[] = [];
    const waiting = vi.spyOn(state, 'waitUntil').mockImplementation((work) => void begun.push(work));
    await ledger.alarm();
    waiting.mockRestore();
    await Promise.all(begun);
  });
}

/** Until something happens that nobody waits for. `vi.waitFor` would move the clock. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1_000; tries++) {
    if (await isSo()) return;
    await scheduler.wait(5);
  }
  throw new Error('it has not happened');
}

/** The tables that an object has made. */
export function tablesOf({ sql }: DurableObjectStorage): string[] {
  const query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'";
  return sql
    .exec<{ name: string }>(query)
    .toArray()
    .map(({ name }) => name);
}

/** Everything that an object has on disk. */
export function dumpOf(storage: DurableObjectStorage): [table: string, rows: unknown[]][] {
  return tablesOf(storage).map((name) => [name, storage.sql.exec(`SELECT * FROM "${name}"`).toArray()]);
}

/** A query as an object asks it. */
export interface Query {
  readonly text: string;
  readonly bindings: readonly unknown[];
}

/** What an action reads in a ledger, in rows, and by which queries. */
export function observe<Value>(
  ledger: DurableObjectStub<LedgerObject>,
  act: (object: LedgerObject) => Promise<Value>,
): Promise<{ value: Value; queries: Query[]; rows: number }> {
  return runInDurableObject(ledger, async (object, { storage }) => {
    const prototype = Object.getPrototypeOf(storage.sql) as SqlStorage;
    const { exec } = prototype;
    const cursors: { readonly rowsRead: number }[] = [];
    const queries: Query[] = [];
    prototype.exec = function spy(this: SqlStorage, ...args: Parameters<typeof exec>) {
      const cursor = exec.apply(this, args);
      const [text, ...bindings] = args;
      cursors.push(cursor);
      queries.push({ text, bindings });
      return cursor;
    } as typeof exec;
    try {
      const value = await act(object);
      return { value, queries, rows: cursors.reduce((sum, { rowsRead }) => sum + rowsRead, 0) };
    } finally {
      prototype.exec = exec;
    }
  });
}

let storages = 0;

/** Runs a function with the storage of an object that has stored nothing yet. */
export function inStorage<Result>(run: (storage: DurableObjectStorage) => Result | Promise<Result>): Promise<Result> {
  storages += 1;
  const stub = env.LEDGERS.getByName(`storage-${storages}`);
  return runInDurableObject(stub, (_object, { storage }) => run(storage));
}
