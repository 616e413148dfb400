/** Reaching into the objects of the worker under test: alarms by hand, clock by hand. */
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import { createTaggedIds } from '../src/rpc/tagged-ids.ts';
import { type Json, retrieve } from './client.ts';
import type {} from './cloudflare.ts';

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

/** Passes time and lets a session's object look; the session as its merchant sees it then. */
export async function look(id: string, seconds = 1): Promise<Json> {
  passSeconds(seconds);
  await runSessionAlarm(id);
  return retrieve(id);
}

/** Runs a ledger's alarm now. */
export function runLedgerAlarm(property = 'aurora'): Promise<void> {
  return runInDurableObject(env.LEDGERS.getByName(property), (ledger) => ledger.alarm());
}

let storages = 0;

/** Runs a function with the storage of an object that has stored nothing yet. */
export function inStorage<Result>(run: (storage: DurableObjectStorage) => Result | Promise<Result>): Promise<Result> {
  storages += 1;
  const stub = env.LEDGERS.getByName(`storage-${storages}`);
  return runInDurableObject(stub, (_object, { storage }) => run(storage));
}
