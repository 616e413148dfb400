/** The clock of a test, which stands still until the test moves it. */
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, vi } from 'vitest';
import type {} from './cloudflare.ts';

const YEAR_MS: number = 365 * 24 * 60 * 60_000;

/**
 * Stops the clock so far ahead that no alarm is ever due by the runtime's own clock, which goes on: what is due is what a test runs,
 * however slow the machine is.
 */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: vi.getRealSystemTime() + YEAR_MS });
}

/** Stops the clock at that time around each test of a file, and takes away what the test has put in the place of anything. */
export function useClock(now: number): void {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now }));
}

/** Lets the runtime run an alarm that is set for this very moment: one sends a charge or a reversal, and its news. */
export async function runAlarmsSetForNow(): Promise<void> {
  await runInDurableObject(env.LEDGERS.getByName('nobody'), (_ledger, { storage }) => {
    const storages = Object.getPrototypeOf(storage) as DurableObjectStorage;
    const { setAlarm } = storages;
    vi.spyOn(storages, 'setAlarm').mockImplementation(function (
      this: DurableObjectStorage,
      at: number | Date,
      options?: DurableObjectSetAlarmOptions,
    ) {
      return Reflect.apply(setAlarm, this, [Number(at) === Date.now() ? vi.getRealSystemTime() : at, options]);
    } as DurableObjectStorage['setAlarm']);
  });
}
