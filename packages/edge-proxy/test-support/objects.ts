/** Reaching into the objects of the worker under test: alarms by hand, clock by hand. */
import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import type {} from './cloudflare.ts';

/** Moves the fake clock. */
export function passSeconds(seconds: number): void {
  vi.setSystemTime(Date.now() + seconds * 1_000);
}

/** Runs a session's alarm now. */
export function runSessionAlarm(id: string): Promise<boolean> {
  return runDurableObjectAlarm(env.CHECKOUT_SESSIONS.getByName(id));
}

/** Runs a ledger's alarm now. */
export function runLedgerAlarm(property = 'aurora'): Promise<boolean> {
  return runDurableObjectAlarm(env.LEDGERS.getByName(property));
}
