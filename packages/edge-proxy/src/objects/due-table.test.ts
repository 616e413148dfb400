import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { inStorage } from '../../test-support/objects.ts';
import { type DueRow, DueTable } from './due-table.ts';

const NOW = Date.parse('2026-11-01T12:00:00Z');
/** Not before the runtime's own clock, which alarms go by. */
const LATER = Date.parse('2099-01-01T00:00:00Z');
const MINUTE = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

type Alarm = number | 'deleted';

/** A table whose alarms are only noted. */
function withTable(act: (due: DueTable, alarms: Alarm[]) => void | Promise<void>): Promise<void> {
  return inStorage(async ({ sql }) => {
    sql.exec(DueTable.SCHEMA);
    const alarms: Alarm[] = [];
    const storage = {
      sql,
      setAlarm: async (at: number) => void alarms.push(at),
      deleteAlarm: async () => void alarms.push('deleted'),
    };
    await act(new DueTable(storage as unknown as DurableObjectStorage), alarms);
  });
}

test('a thing is planned, moved and removed', () =>
  withTable((due) => {
    expect(due.get('poll')).toBeUndefined();
    due.set('poll', NOW);
    expect(due.get('poll')).toEqual({ kind: 'poll', at: NOW, attempt: 0 });
    due.set('poll', NOW + 5, 2);
    due.set('settle', NOW);
    expect(due.get('poll')).toEqual({ kind: 'poll', at: NOW + 5, attempt: 2 });
    due.clear('poll');
    expect(due.get('poll')).toBeUndefined();
    expect(due.get('settle')).toBeDefined();
  }));

test('setEarlier plans what is not planned, and never makes a thing later or forgets its attempts', () =>
  withTable((due) => {
    due.setEarlier('poll', NOW);
    expect(due.get('poll')).toEqual({ kind: 'poll', at: NOW, attempt: 0 });
    due.set('poll', NOW, 3);
    due.setEarlier('poll', NOW + 1);
    due.setEarlier('poll', NOW);
    expect(due.get('poll')).toEqual({ kind: 'poll', at: NOW, attempt: 3 });
    due.setEarlier('poll', NOW - 1);
    expect(due.get('poll')).toEqual({ kind: 'poll', at: NOW - 1, attempt: 0 });
  }));

test('a thing is due from its time on', () =>
  withTable((due) => {
    expect(due.isDue('poll')).toBe(false);
    due.set('poll', NOW + 1);
    expect(due.isDue('poll')).toBe(false);
    due.set('poll', NOW);
    expect(due.isDue('poll')).toBe(true);
    due.set('poll', NOW - 1);
    expect(due.isDue('poll')).toBe(true);
  }));

describe('the alarm', () => {
  test('is set to the earliest thing, only when that changes, and deleted with the last', () =>
    withTable((due, alarms) => {
      due.set('poll', NOW + 2);
      due.set('settle', NOW + 1);
      due.arm();
      due.arm();
      due.set('late', NOW + 3);
      due.arm();
      expect(alarms).toEqual([NOW + 1]);
      due.clear('settle');
      due.arm();
      expect(alarms).toEqual([NOW + 1, NOW + 2]);
      due.clear('poll');
      due.clear('late');
      due.arm();
      due.arm();
      expect(alarms).toEqual([NOW + 1, NOW + 2, 'deleted']);
    }));

  test('is set again after every run, since the one that called is used up', () =>
    withTable(async (due, alarms) => {
      due.set('poll', NOW + 1);
      due.arm();
      await due.run(NOW, async () => undefined);
      expect(alarms).toEqual([NOW + 1, NOW + 1]);
    }));

  test('stays the one that called while a run is under way', () =>
    withTable(async (due, alarms) => {
      due.set('poll', NOW);
      due.arm();
      await due.run(NOW, async () => {
        due.set('poll', NOW + 5);
        due.arm();
        expect(alarms).toEqual([NOW]);
      });
      expect(alarms).toEqual([NOW, NOW + 5]);
    }));

  test('and what was planned are forgotten with the transaction that fails', () =>
    inStorage(async (storage) => {
      storage.sql.exec(DueTable.SCHEMA);
      const due = new DueTable(storage);
      due.set('poll', LATER + 1);
      due.arm();
      const change = () => {
        due.set('poll', LATER);
        due.clear('settle');
        due.set('settle', NOW);
        due.arm();
        throw new Error('no');
      };
      expect(() => due.transaction(change)).toThrow('no');
      expect([due.get('poll')?.at, due.get('settle')]).toEqual([LATER + 1, undefined]);
      expect(await storage.getAlarm()).toBe(LATER + 1);
      due.set('poll', LATER);
      due.arm();
      expect(await storage.getAlarm()).toBe(LATER);
    }));
});

describe('a run', () => {
  test('handles what is due, and nothing else', () =>
    withTable(async (due) => {
      due.set('later', NOW + 1);
      due.set('now', NOW);
      due.set('before', NOW - 1, 4);
      const handled: DueRow[] = [];
      await due.run(NOW, async (row) => void handled.push(row));
      expect(handled).toEqual([
        { kind: 'before', at: NOW - 1, attempt: 4 },
        { kind: 'now', at: NOW, attempt: 0 },
      ]);
    }));

  test('goes on with what that has made due, each thing once', () =>
    withTable(async (due, alarms) => {
      due.set('poll', NOW);
      const handled: string[] = [];
      await due.run(NOW, async ({ kind }) => {
        handled.push(kind);
        if (kind === 'poll') due.set('outbox', NOW);
        else due.set('poll', NOW);
        due.arm();
      });
      expect(handled).toEqual(['poll', 'outbox']);
      expect(alarms).toEqual([NOW]);
    }));

  test('tries a thing that fails again later, whatever becomes of the others', () =>
    withTable(async (due, alarms) => {
      const errors = vi.spyOn(console, 'error').mockReturnValue();
      due.set('bad', NOW - 2);
      due.set('good', NOW - 1);
      await due.run(NOW, async ({ kind }) => {
        if (kind === 'bad') throw new Error('no answer');
        await Promise.resolve();
        due.clear(kind);
      });
      expect(due.get('bad')).toEqual({ kind: 'bad', at: NOW + 1_000, attempt: 1 });
      expect(due.get('good')).toBeUndefined();
      expect(alarms).toEqual([NOW + 1_000]);
      const [[line]] = errors.mock.calls as [[string]];
      expect(JSON.parse(line)).toEqual({
        level: 'error',
        message: 'due_failed',
        kind: 'bad',
        error: 'Error: no answer',
      });
    }));

  test.each([
    [0, 1_000],
    [1, 2_000],
    [8, 256_000],
    [9, 5 * MINUTE],
    [40, 5 * MINUTE],
    [5_000, 5 * MINUTE],
  ])('waits longer after each failure, five minutes at most: after %i, %i ms', (attempt, delay) =>
    withTable(async (due) => {
      vi.spyOn(console, 'error').mockReturnValue();
      due.set('bad', NOW, attempt);
      await due.run(NOW, () => Promise.reject(new Error('no answer')));
      expect(due.get('bad')).toEqual({ kind: 'bad', at: NOW + delay, attempt: attempt + 1 });
    }),
  );
});
