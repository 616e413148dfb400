import { describe, expect, test, vi } from 'vitest';
import { useClock } from '../../test-support/clock.ts';
import { Disk } from '../../test-support/disk.ts';
import { inStorage } from '../../test-support/objects.ts';
import { SCHEDULE_TABLE, type Schedule, type ScheduleStore, type Task, tableSchedule } from './schedule.ts';

const NOW = Date.parse('2099-01-01T12:00:00Z');
const HOUR = 3_600_000;

useClock(NOW);

/** Runs what is due; the kinds that ran. Each is done with its run. */
async function run(schedule: Schedule, calledFor?: number): Promise<string[]> {
  const ran: string[] = [];
  await schedule.run(async ({ kind }) => {
    ran.push(kind);
    schedule.clear(kind);
  }, calledFor);
  return ran;
}

/** A disk, and an instance over it that has armed these tasks. */
function armed(tasks: Record<string, number> = {}): { disk: Disk; schedule: Schedule } {
  const disk = new Disk();
  const schedule = disk.open();
  for (const [kind, at] of Object.entries(tasks)) schedule.set(kind, at);
  if (Object.keys(tasks).length > 0) schedule.arm();
  return { disk, schedule };
}

test('a task is planned, moved, made earlier and removed, and is due from its time on', () => {
  const schedule = new Disk().open();
  expect([schedule.get('poll'), schedule.isDue('poll')]).toEqual([undefined, false]);
  schedule.setEarlier('poll', NOW + 2);
  schedule.setEarlier('poll', NOW + 3);
  expect(schedule.get('poll')).toBe(NOW + 2);
  schedule.setEarlier('poll', NOW + 1);
  expect([schedule.get('poll'), schedule.isDue('poll')]).toEqual([NOW + 1, false]);
  vi.setSystemTime(NOW + 1);
  expect(schedule.isDue('poll')).toBe(true);
  schedule.set('poll', NOW + 9);
  expect(schedule.isDue('poll')).toBe(false);
  schedule.clear('poll');
  expect(schedule.get('poll')).toBeUndefined();
});

test('the alarm is set to the earliest task, only when that changes, and deleted with the last', () => {
  const { disk, schedule } = armed();
  const steps: (() => void)[] = [
    () => schedule.set('poll', NOW + 2),
    () => schedule.set('settle', NOW + 1),
    () => schedule.set('late', NOW + 3),
    () => schedule.clear('settle'),
    () => void ['poll', 'late'].map((kind) => schedule.clear(kind)),
  ];
  for (const step of steps) {
    step();
    schedule.arm();
    schedule.arm();
  }
  expect(disk.alarms).toEqual([NOW + 2, NOW + 1, NOW + 2, null]);
});

describe('what is stored', () => {
  test.each<[string, (schedule: Schedule) => void, number]>([
    ['a task that bears being run again and is done', (schedule) => schedule.clear('poll'), 0],
    ['one that moves to a later time', (schedule) => schedule.set('poll', NOW + 20), 0],
    ['one that stays', (schedule) => schedule.set('poll', NOW + 10), 0],
    ['one that moves to an earlier time', (schedule) => schedule.set('poll', NOW + 9), 1],
    ['a new one', (schedule) => schedule.set('poll 2', NOW + 20), 1],
    ['another task that is done', (schedule) => schedule.clear('settle'), 1],
    ['another that moves to a later time', (schedule) => schedule.set('settle', NOW + 40), 1],
  ])('%s costs as many rows as it must', (_what, change, rows) => {
    const { disk, schedule } = armed({ poll: NOW + 10, settle: NOW + 30 });
    const { writes } = disk;
    change(schedule);
    schedule.arm();
    expect(disk.writes - writes).toBe(rows);
    // Whatever was written, the alarm is the next instance's.
    expect(disk.alarm).toBe(Math.min(...['poll', 'poll 2', 'settle'].map((kind) => schedule.get(kind) ?? Infinity)));
  });

  test.each<[string, ScheduleStore['moved'], number | undefined, string[], plannedAt?: number]>([
    ['counts as due where nobody says otherwise', undefined, NOW + 20, ['poll']],
    ['is over where it says so', () => undefined, NOW + 20, []],
    ['is later where it says so', () => NOW + 30, NOW + 20, []],
    ['is due where it says so', (_task, calledFor) => calledFor, NOW + 20, ['poll']],
    ['is due when the alarm was set for it', () => undefined, NOW + 10, ['poll']],
    ['is due when nobody knows what the alarm was set for', () => undefined, undefined, ['poll']],
    ['is due when the alarm was set by a clock that is ahead', () => undefined, NOW + HOUR, ['poll']],
    ['is due when something was planned later than the alarm', () => undefined, NOW + 12, ['poll'], NOW + 13],
  ])(
    'of what moved without being written, a task before the alarm that calls %s',
    async (_what, moved, calledFor, ran, plannedAt = NOW) => {
      const disk = new Disk();
      disk.row = { tasks: { poll: NOW + 10 }, plannedAt };
      vi.setSystemTime(NOW + 20);
      expect(await run(disk.open(moved && { moved }), calledFor)).toEqual(ran);
    },
  );

  test('a task that is overdue when the alarm is set does not count as moved', async () => {
    const disk = new Disk();
    disk.row = { tasks: { poll: NOW + 10 }, plannedAt: NOW };
    vi.setSystemTime(NOW + 15);
    const schedule = disk.open();
    schedule.set('settle', NOW + 100);
    schedule.arm();
    schedule.arm();
    expect(disk.alarms).toEqual([NOW + 15]);
    expect(await run(disk.open({ moved: () => undefined }), disk.alarm ?? undefined)).toEqual(['poll']);
  });
});

describe('a run', () => {
  test('handles what is due, nothing else, and sets the alarm again, since the one that called is used up', async () => {
    const { disk, schedule } = armed();
    schedule.set('later', NOW + 1);
    schedule.set('now', NOW);
    schedule.set('before', NOW - 1);
    const ran: Task[] = [];
    await schedule.run(async (task) => {
      ran.push(task);
      schedule.clear(task.kind);
    });
    expect(ran).toEqual([
      { kind: 'now', at: NOW },
      { kind: 'before', at: NOW - 1 },
    ]);
    expect(await run(schedule)).toEqual([]);
    expect(disk.alarms).toEqual([NOW + 1, NOW + 1]);
  });

  test('tries a task that fails again, later each time and five minutes later at most, whatever becomes of others', async () => {
    const { disk, schedule } = armed();
    const errors = vi.spyOn(console, 'error').mockReturnValue();
    const delays: number[] = [];
    let isBroken = true;
    schedule.set('bad', NOW);
    for (let nth = 0; nth < 11; nth++) {
      schedule.set('good', Date.now());
      await schedule.run(async ({ kind }) => {
        if (kind === 'bad' && isBroken) throw new Error('no answer');
        await Promise.resolve();
        schedule.set(kind, Date.now() + HOUR);
      });
      expect(schedule.get('good')).toBe(Date.now() + HOUR);
      const at = schedule.get('bad') ?? 0;
      expect([disk.alarm, disk.row?.tasks.bad]).toEqual([at, at]);
      delays.push((at - Date.now()) / 1_000);
      vi.setSystemTime(at);
      isBroken = nth !== 9;
    }
    expect(delays).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 3_600]);
    isBroken = true;
    await schedule.run(() => Promise.reject(new Error('no answer')));
    expect(schedule.get('bad')).toBe(Date.now() + 1_000);
    const line = { level: 'error', message: 'due_failed', kind: 'bad', error: 'Error: no answer' };
    expect(JSON.parse(String(errors.mock.calls[0]?.[0]))).toEqual(line);
  });

  test.each(['before anything is armed', 'after something else was armed'])(
    'that dies %s is made again by the next instance, and by no other alarm meanwhile',
    async (when) => {
      const { disk, schedule } = armed({ send: NOW });
      const { writes } = disk;
      // It never ends: the instance dies with it.
      void schedule.run(() => new Promise(() => undefined), NOW);
      const isArmed = when.startsWith('after');
      if (isArmed) {
        schedule.set('poll', NOW + HOUR);
        schedule.arm();
        schedule.arm();
      }
      expect(disk.writes - writes).toBe(isArmed ? 1 : 0);
      expect(disk.alarm).toBe(NOW + (isArmed ? 30_000 : 0));
      const next = disk.open();
      if (isArmed) expect(await run(next, NOW)).toEqual([]);
      vi.setSystemTime(NOW + 30_000);
      expect(await run(next, disk.alarm ?? undefined)).toEqual(['send']);
    },
  );

  test.each<[string, (schedule: Schedule) => void, number | undefined]>([
    ['moves itself', (schedule) => schedule.set('poll', NOW + 5), NOW + 5],
    ['is done', (schedule) => schedule.clear('poll'), undefined],
  ])('a task that %s while others are under way is left where it is', async (_what, end, at) => {
    const { disk, schedule } = armed();
    schedule.set('poll', NOW);
    schedule.set('send', NOW);
    await schedule.run(async ({ kind }) => {
      if (kind === 'poll') end(schedule);
      schedule.arm();
      await Promise.resolve();
      if (kind === 'send') schedule.clear(kind);
    });
    expect([schedule.get('poll'), disk.alarm]).toEqual([at, at ?? null]);
  });
});

describe('a change that fails', () => {
  test('leaves the schedule as it was, and the alarm is set anew with the next one', () => {
    const { disk, schedule } = armed({ poll: NOW + 2 });
    const change = (): never => {
      schedule.set('poll', NOW + 1);
      schedule.set('settle', NOW + 1);
      throw new Error('no');
    };
    expect(() => schedule.transaction(change)).toThrow('no');
    expect([schedule.get('poll'), schedule.get('settle')]).toEqual([NOW + 2, undefined]);
    schedule.arm();
    expect([disk.alarms, disk.writes]).toEqual([[NOW + 2, NOW + 2], 1]);
    expect(schedule.transaction(() => 7)).toBe(7);
  });

  test('in a table of its own, leaves the disk as it was too', () =>
    inStorage(async (storage) => {
      storage.sql.exec(SCHEDULE_TABLE);
      const schedule = tableSchedule(storage, () => false);
      schedule.set('poll', NOW + 2);
      schedule.arm();
      const change = (): never => {
        schedule.set('poll', NOW + 1);
        schedule.arm();
        throw new Error('no');
      };
      expect(() => schedule.transaction(() => storage.transactionSync(change))).toThrow('no');
      for (const each of [schedule, tableSchedule(storage, () => false)]) expect(each.get('poll')).toBe(NOW + 2);
      schedule.set('poll', NOW + 1);
      schedule.arm();
      expect(tableSchedule(storage, () => false).get('poll')).toBe(NOW + 1);
      expect(await storage.getAlarm()).toBe(NOW + 1);
    }));
});

test('what another object calls for is kept, sets no alarm, and is not run', async () => {
  const disk = new Disk();
  const schedule = disk.open({ isCalledFor: (kind) => kind === 'erase' });
  schedule.set('erase', NOW + 1);
  schedule.set('poll', NOW + 2);
  schedule.arm();
  schedule.clear('poll');
  schedule.arm();
  expect([disk.row?.tasks.erase, disk.alarms]).toEqual([NOW + 1, [NOW + 2, null]]);
  // Overdue, it stays where it is.
  vi.setSystemTime(NOW + HOUR);
  schedule.set('send', NOW + HOUR);
  schedule.arm();
  expect([disk.row?.tasks.erase, schedule.isDue('erase'), disk.alarm]).toEqual([NOW + 1, true, NOW + HOUR]);
  const run: string[] = [];
  await schedule.run(async ({ kind }) => {
    run.push(kind);
    schedule.clear(kind);
  });
  expect([run, schedule.get('erase'), disk.alarm]).toEqual([['send'], NOW + 1, null]);
});

test('what was erased is planned anew, with an alarm of its own', () => {
  const { disk, schedule } = armed({ poll: NOW + 2 });
  disk.row = undefined;
  schedule.reset();
  expect(schedule.get('poll')).toBeUndefined();
  schedule.set('poll', NOW + 2);
  schedule.arm();
  expect(disk.alarms).toEqual([NOW + 2, NOW + 2]);
});

describe('a clock', () => {
  test.each([1_000, HOUR, 48 * HOUR])(
    'set back by %i ms, makes everything due as long from then as it was, for the next instance too',
    async (step) => {
      const { disk, schedule } = armed({ poll: NOW + 5_000, deadline: NOW + HOUR });
      vi.setSystemTime(NOW - step);
      for (const each of [disk.open({ moved: () => undefined }), schedule]) {
        each.followClock(NOW + 5_000);
        expect([each.get('poll'), each.get('deadline')]).toEqual([NOW - step + 5_000, NOW - step + HOUR]);
        expect(disk.alarm).toBe(NOW - step + 5_000);
      }
      // An alarm that comes by the old clock finds nothing due, and one by the new clock does.
      expect(await run(schedule, NOW + 5_000)).toEqual([]);
      vi.setSystemTime(NOW - step + 5_000);
      expect(await run(schedule, Date.now())).toEqual(['poll']);
    },
  );

  test('that was set back is followed once, although what moved was not written', () => {
    const { disk, schedule } = armed({ poll: NOW + 5_000 });
    schedule.set('poll', NOW + HOUR);
    schedule.arm();
    vi.setSystemTime(NOW - 10_000);
    schedule.followClock();
    const next = disk.open();
    next.followClock();
    expect(next.get('poll')).toBe(NOW + HOUR - 10_000);
  });

  test('that goes on moves nothing', () => {
    const { disk, schedule } = armed({ poll: NOW + 5_000 });
    vi.setSystemTime(NOW + 4_999);
    for (const each of [schedule, disk.open()]) {
      each.followClock();
      expect(each.get('poll')).toBe(NOW + 5_000);
    }
    expect([disk.alarms, disk.writes]).toEqual([[NOW + 5_000], 1]);
  });
});
