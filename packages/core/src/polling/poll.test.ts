import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { backoffMs } from './backoff.ts';
import { poll } from './poll.ts';

async function collect<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const seen: Value[] = [];
  for await (const value of values) seen.push(value);
  return seen;
}

/** A read that returns 1, 2, 3 …, or throws where the list has an error. */
function counter(failAt: readonly number[] = []) {
  let reads = 0;
  return vi.fn(async (_signal: AbortSignal) => {
    reads += 1;
    if (failAt.includes(reads)) throw new Error(`read ${reads}`);
    return reads;
  });
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe('poll', () => {
  it('yields every value up to the final one, waiting by the schedule', async () => {
    const schedule = vi.fn((attempt: number) => attempt * 100);
    const all = collect(poll(counter(), { isFinal: (value) => value === 3, schedule }));
    await vi.advanceTimersByTimeAsync(299);
    expect(schedule.mock.calls).toEqual([
      [1, 1],
      [2, 2],
    ]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await all).toEqual([1, 2, 3]);
  });

  it('gives up at the first failure unless told otherwise', async () => {
    await expect(collect(poll(counter([1]), { isFinal: () => false, schedule: () => 0 }))).rejects.toThrow('read 1');
  });

  it('looks again after failures, counting those in a row', async () => {
    const onFailure = vi.fn((_: unknown, failures: number) => failures * 10);
    const all = collect(poll(counter([1, 2, 4]), { isFinal: (value) => value === 5, schedule: () => 10, onFailure }));
    await vi.runAllTimersAsync();
    expect(await all).toEqual([3, 5]);
    expect(onFailure.mock.calls.map(([, failures]) => failures)).toEqual([1, 2, 1]);
  });

  it('ends quietly at the deadline, between looks and during one', async () => {
    const between = collect(poll(counter(), { isFinal: () => false, schedule: () => 60, deadlineMs: 100 }));
    await vi.advanceTimersByTimeAsync(100);
    expect(await between).toEqual([1, 2]);

    let aborted = false;
    const hanging = (signal: AbortSignal): Promise<number> =>
      new Promise(() => {
        signal.addEventListener('abort', () => {
          aborted = true;
        });
      });
    const during = collect(poll(hanging, { isFinal: () => false, schedule: () => 60, deadlineMs: 100 }));
    await vi.advanceTimersByTimeAsync(100);
    expect(await during).toEqual([]);
    expect(aborted).toBe(true);
  });

  it('throws the reason of an abort, before, during and between looks', async () => {
    const reason = new Error('enough');
    const options = { isFinal: () => false, schedule: () => 1000 };
    const early = poll(counter(), { ...options, signal: AbortSignal.abort(reason) });
    await expect(early.next()).rejects.toBe(reason);

    const controller = new AbortController();
    const hanging = poll(() => new Promise(() => undefined), { ...options, signal: controller.signal });
    const next = hanging.next();
    controller.abort(reason);
    await expect(next).rejects.toBe(reason);

    const later = new AbortController();
    const looks = poll(counter(), { ...options, signal: later.signal });
    await looks.next();
    const second = looks.next();
    later.abort(reason);
    await expect(second).rejects.toBe(reason);
  });

  it('does not take a very long delay for none at all', async () => {
    const read = counter();
    const looks = poll(read, { isFinal: () => false, schedule: () => 1e12, deadlineMs: 5000 });
    await looks.next();
    const second = looks.next();
    await vi.advanceTimersByTimeAsync(5000);
    expect((await second).done).toBe(true);
    expect(read).toHaveBeenCalledOnce();
  });

  it('stops when its reader stops', async () => {
    const read = counter();
    for await (const value of poll(read, { isFinal: () => false, schedule: () => 0, deadlineMs: 1000 })) {
      expect(value).toBe(1);
      break;
    }
    expect(read).toHaveBeenCalledOnce();
  });
});

it('waits twice as long after each failure in a row, up to 15 seconds, and by chance a quarter less', () => {
  const chance = vi.spyOn(Math, 'random').mockReturnValue(0);
  expect([1, 2, 3, 4, 5, 50].map(backoffMs)).toEqual([1000, 2000, 4000, 8000, 15_000, 15_000]);
  chance.mockReturnValue(0.999);
  expect(backoffMs(1)).toBeCloseTo(750, -1);
  chance.mockRestore();
});
