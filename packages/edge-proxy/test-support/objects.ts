/** Reaching into the objects of the worker under test: alarms by hand, clock by hand. */
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
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

let storages = 0;

/** Runs a function with the storage of an object that has stored nothing yet. */
export function inStorage<Result>(run: (storage: DurableObjectStorage) => Result | Promise<Result>): Promise<Result> {
  storages += 1;
  const stub = env.LEDGERS.getByName(`storage-${storages}`);
  return runInDurableObject(stub, (_object, { storage }) => run(storage));
}
