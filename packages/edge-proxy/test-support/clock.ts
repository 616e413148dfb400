/** The clock of a test, which stands still until the test moves it. */
import { vi } from 'vitest';

const YEAR_MS: number = 365 * 24 * 60 * 60_000;

/**
 * Stops the clock so far ahead that no alarm is ever due by the runtime's own clock, which goes on: what is due is what a test runs,
 * however slow the machine is.
 */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: vi.getRealSystemTime() + YEAR_MS });
}
