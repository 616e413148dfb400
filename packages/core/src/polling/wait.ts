/** Hands over a "check now" function; may return how to stop listening. */
export type Wake = (checkNow: () => void) => StopListening;

// biome-ignore lint/suspicious/noConfusingVoidType: a listener without a clean-up returns nothing.
type StopListening = (() => void) | void;

/** What can end a wait early. */
export interface WaitOptions {
  /** Aborting rejects the wait with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Source of "check now" hints: the first one resolves the wait. */
  wake?: Wake | undefined;
}

/** Timers wrap around above this and would fire at once. */
export const LONGEST_TIMER_MS: number = 2 ** 31 - 1;

/** Waits. Resolves after the delay or when woken; rejects with the signal's reason when aborted. */
export function wait(delayMs: number, { signal, wake }: WaitOptions = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      stopListening?.();
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, Math.min(delayMs, LONGEST_TIMER_MS));
    signal?.addEventListener('abort', end);
    const stopListening = wake?.(end);
  });
}
