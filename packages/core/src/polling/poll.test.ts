import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { backoffSchedule } from './backoff.ts';
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

  it('looks at once when woken, also when the hint comes during a look', async () => {
    let checkNow = (): void => undefined;
    const stopListening = vi.fn();
    const wake = (hint: () => void) => {
      checkNow = hint;
      return stopListening;
    };
    const read = counter();
    const all = collect(poll(read, { isFinal: (value) => value === 3, schedule: () => 1e6, wake }));
    await vi.advanceTimersByTimeAsync(0);
    checkNow();
    await vi.advanceTimersByTimeAsync(0);
    expect(read).toHaveBeenCalledTimes(2);
    read.mockImplementationOnce(async () => {
      checkNow();
      return 2.5;
    });
    checkNow();
    await vi.advanceTimersByTimeAsync(0);
    expect(await all).toEqual([1, 2, 2.5, 3]);
    expect(stopListening).toHaveBeenCalledOnce();
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

describe('backoffSchedule', () => {
  it('stays within its bounds and never falls without jitter', () => {
    fc.assert(
      fc.property(
        fc.record({
          initialMs: fc.integer({ min: 1, max: 10_000 }),
          factor: fc.double({ min: 1, max: 4, noNaN: true }),
          maxMs: fc.integer({ min: 10_000, max: 100_000 }),
          jitter: fc.double({ min: 0, max: 1, noNaN: true }),
        }),
        fc.integer({ min: 1, max: 1000 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (options, attempt, chance) => {
          const nominal = backoffSchedule({ ...options, jitter: 0 });
          const delay = backoffSchedule({ ...options, random: () => chance })(attempt);
          expect(delay).toBeLessThanOrEqual(nominal(attempt));
          expect(delay).toBeGreaterThanOrEqual(nominal(attempt) * (1 - options.jitter) * (1 - 1e-12));
          expect(nominal(attempt)).toBeGreaterThanOrEqual(options.initialMs);
          expect(nominal(attempt)).toBeLessThanOrEqual(options.maxMs);
          expect(nominal(attempt + 1)).toBeGreaterThanOrEqual(nominal(attempt));
        },
      ),
      { seed: 20260601 },
    );
  });
});
