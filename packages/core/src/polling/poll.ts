import { LONGEST_TIMER_MS, type Wake, wait } from './wait.ts';

/** How {@link poll} looks, waits and ends. */
export interface PollOptions<Value> {
  /** Whether a value ends the polling; it is still yielded. */
  isFinal: (value: Value) => boolean;
  /** Delay in milliseconds after look number `attempt`, counted from 1; `value` is what that look read. */
  schedule: (attempt: number, value: Value) => number;
  /**
   * Delay in milliseconds after a failed look, or `undefined` to give up and throw the error. `failures` counts
   * consecutive failures from 1. @default gives up at the first failure
   */
  onFailure?: ((error: unknown, failures: number) => number | undefined) | undefined;
  /** Aborting ends the polling by throwing the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Stop without a final value after this many milliseconds. @default never */
  deadlineMs?: number | undefined;
  /** Source of "check now" hints, for example a guest's return. */
  wake?: Wake | undefined;
}

const DEADLINE = Symbol('deadline');

/**
 * Reads again and again until a value is final, yielding every value. Ends quietly at the deadline, which also cuts off
 * a read in flight. Knows nothing about what it reads.
 *
 * @example
 * ```ts
 * import { backoffSchedule, poll } from '@innkeep/core/polling';
 *
 * export async function untilReady(read: (signal: AbortSignal) => Promise<{ ready: boolean }>): Promise<void> {
 *   const looks = poll(read, { isFinal: (value) => value.ready, schedule: backoffSchedule(), deadlineMs: 60_000 });
 *   for await (const value of looks) console.log(value.ready);
 * }
 * ```
 */
export async function* poll<Value>(
  read: (signal: AbortSignal) => Promise<Value>,
  { isFinal, schedule, onFailure, signal, deadlineMs, wake }: PollOptions<Value>,
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

  // Listening all the time keeps a hint that arrives during a read: the wait after it is then skipped.
  let woken = false;
  let checkNow: (() => void) | undefined;
  const stopListening = wake?.(() => {
    woken = true;
    checkNow?.();
  });

  const rest = async (delayMs: number): Promise<void> => {
    if (woken) return;
    await wait(delayMs, {
      signal: stop.signal,
      wake: (wakeUp) => {
        checkNow = wakeUp;
      },
    });
  };

  try {
    for (let attempt = 1, failures = 0; ; attempt++) {
      woken = false;
      let value: Value;
      try {
        value = await Promise.race([read(stop.signal), stopped]);
      } catch (error) {
        stop.signal.throwIfAborted();
        const retryMs = onFailure?.(error, ++failures);
        if (retryMs === undefined) throw error;
        await rest(retryMs);
        continue;
      }
      failures = 0;
      yield value;
      if (isFinal(value)) return;
      await rest(schedule(attempt, value));
    }
  } catch (error) {
    if (error !== DEADLINE) throw error;
  } finally {
    clearTimeout(deadline);
    signal?.removeEventListener('abort', onAbort);
    stopListening?.();
  }
}
