import { beforeEach, describe, expect, test, vi } from 'vitest';
import { orTimeout, waitAtMost, withDeadline } from './deadline.ts';

const LIMIT_MS = 15_000;
const never = (): Promise<never> => new Promise(() => undefined);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

test('work under a deadline is aborted when the limit is reached, and no sooner', async () => {
  let seen: AbortSignal | undefined;
  const work = withDeadline(LIMIT_MS, (signal) => {
    seen = signal;
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  const outcome = expect(work).rejects.toMatchObject({ name: 'TimeoutError', message: 'The time limit was reached' });
  await vi.advanceTimersByTimeAsync(LIMIT_MS - 1);
  expect(seen?.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await outcome;
});

test('waiting ends at the limit, with nothing or with an error', async () => {
  const waiting = waitAtMost(LIMIT_MS, never());
  const failing = expect(orTimeout(LIMIT_MS, never())).rejects.toMatchObject({ name: 'TimeoutError' });
  await vi.advanceTimersByTimeAsync(LIMIT_MS);
  expect(await waiting).toBeUndefined();
  await failing;
});

describe.each([
  ['withDeadline', <T>(work: Promise<T>) => withDeadline(LIMIT_MS, () => work)],
  ['waitAtMost', (work: Promise<unknown>) => waitAtMost(LIMIT_MS, work)],
  ['orTimeout', <T>(work: Promise<T>) => orTimeout(LIMIT_MS, work)],
])('%s', (_name, limited) => {
  test('hands on what comes in time, and leaves no timer behind', async () => {
    expect(await limited(Promise.resolve('done'))).toBe('done');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('hands on a failure, and leaves no timer behind', async () => {
    await expect(limited(Promise.reject(new TypeError('broken')))).rejects.toThrow('broken');
    expect(vi.getTimerCount()).toBe(0);
  });
});
