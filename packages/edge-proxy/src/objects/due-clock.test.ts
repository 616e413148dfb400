import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { inStorage } from '../../test-support/objects.ts';
import { DueTable } from './due-table.ts';

/** Not before the runtime's own clock, which alarms go by. */
const NOW = Date.parse('2099-01-01T12:00:00Z');
const HOUR = 3_600_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
});
afterEach(() => {
  vi.useRealTimers();
});

function withTable(act: (due: DueTable, storage: DurableObjectStorage) => Promise<void>): Promise<void> {
  return inStorage((storage) => {
    storage.sql.exec(DueTable.SCHEMA);
    return act(new DueTable(storage), storage);
  });
}

test.each([1_000, HOUR, 48 * HOUR])(
  'set back by %i ms, everything is due as long from then as it was',
  async (step) => {
    await withTable(async (due, storage) => {
      due.set('poll', NOW + 5_000, 2);
      due.set('deadline', NOW + HOUR);
      due.arm();
      vi.setSystemTime(NOW - step);
      // Another instance: nothing but the disk says when it was planned.
      const later = new DueTable(storage);
      later.followClock();
      expect(later.get('poll')).toEqual({ kind: 'poll', at: NOW - step + 5_000, attempt: 2 });
      expect(later.get('deadline')?.at).toBe(NOW - step + HOUR);
      expect(await storage.getAlarm()).toBe(NOW - step + 5_000);
    });
  },
);

test('set back and forward again, it is due once the clock is there', async () => {
  await withTable(async (due) => {
    due.set('poll', NOW + 5_000);
    vi.setSystemTime(NOW - HOUR);
    due.followClock();
    vi.setSystemTime(NOW);
    due.followClock();
    expect(due.isDue('poll')).toBe(true);
  });
});

test('a clock that goes on moves nothing', async () => {
  await withTable(async (due, storage) => {
    due.set('poll', NOW + 5_000);
    due.arm();
    vi.setSystemTime(NOW + 4_999);
    due.followClock();
    expect([due.get('poll')?.at, await storage.getAlarm()]).toEqual([NOW + 5_000, NOW + 5_000]);
  });
});

test('an alarm that comes by another clock finds what it was set for', async () => {
  await withTable(async (due) => {
    due.set('poll', NOW + 5_000);
    vi.setSystemTime(NOW - HOUR + 5_000);
    const handled: string[] = [];
    await due.run(Date.now(), async ({ kind }) => void handled.push(kind));
    expect(handled).toEqual([]);
    vi.setSystemTime(NOW - HOUR + 10_000);
    await due.run(Date.now(), async ({ kind }) => void handled.push(kind));
    expect(handled).toEqual(['poll']);
  });
});
