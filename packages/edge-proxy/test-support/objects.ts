/** Reaching into the objects of the worker under test: alarms by hand, clock by hand. */
import { env } from 'cloudflare:workers';
import { runDurableObjectAlarm } from 'cloudflare:test';
import { vi } from 'vitest';
import type { Bindings } from '../src/stores/bindings.ts';

/** The worker's own bindings. */
export const bindings = env as unknown as Bindings;

/** Moves the fake clock. */
export function passSeconds(seconds: number): void {
  vi.setSystemTime(Date.now() + seconds * 1_000);
}

/** Runs a session's alarm now. */
export function runSessionAlarm(id: string): Promise<boolean> {
  return runDurableObjectAlarm(bindings.CHECKOUT_SESSIONS.getByName(id));
}

/** Runs a ledger's alarm now. */
export function runLedgerAlarm(property = 'aurora'): Promise<boolean> {
  return runDurableObjectAlarm(bindings.LEDGERS.getByName(property));
}
