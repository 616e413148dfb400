import { LONGEST_TIMER_MS, wait } from './wait.ts';

/** How {@link poll} reads, waits and ends. */
export interface PollOptions<Value> {
  /** Whether a value ends the polling; it is still yielded. */
  isFinal: (value: Value) => boolean;
  /** Delay in milliseconds after read number `attempt`, counted from 1; `value` is what it gave. */
  schedule: (attempt: number, value: Value) => number;
  /**
   * Delay in milliseconds after a failed read, or `undefined` to give up and throw the error. `failures` counts
   * consecutive failures from 1. @default gives up at the first failure
   */
  onFailure?: ((error: unknown, failures: number) => number | undefined) | undefined;
  /** Aborting ends the polling by throwing the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Stop without a final value after this many milliseconds. @default never */
  deadlineMs?: number | undefined;
}

const DEADLINE = Symbol('deadline');

/**
 * Reads again and again until a value is final, yielding every value. Ends quietly at the deadline, which also cuts off
 * a read in flight. Knows nothing about what it reads.
 */
export async function* poll<Value>(
  read: (signal: AbortSignal) => Promise<Value>,
  { isFinal, schedule, onFailure, signal, deadlineMs }: PollOptions<Value>,
): AsyncGenerator<Value, void, undefined> {
  signal?.throwIfAborted();
  const stop = new AbortController();
  const stopped = new Promise<never>((_, reject) => {
    stop.signal.addEventListener('abort', () => reject(stop.signal.reason));
  });
  stopped.catch(() => undefined);
  const onAbort = (): void => stop.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort);
  const deadline =
    deadlineMs === undefined
      ? undefined
      : setTimeout(() => stop.abort(DEADLINE), Math.min(deadlineMs, LONGEST_TIMER_MS));

  try {
    for (let attempt = 1, failures = 0; ; attempt++) {
      let value: Value;
      try {
        value = await Promise.race([read(stop.signal), stopped]);
      } catch (error) {
        stop.signal.throwIfAborted();
        const retryMs = onFailure?.(error, ++failures);
        if (retryMs === undefined) throw error;
        await wait(retryMs, stop.signal);
        continue;
      }
      failures = 0;
      yield value;
      if (isFinal(value)) return;
      await wait(schedule(attempt, value), stop.signal);
    }
  } catch (error) {
    if (error !== DEADLINE) throw error;
  } finally {
    clearTimeout(deadline);
    signal?.removeEventListener('abort', onAbort);
  }
}
