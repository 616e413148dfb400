/** Timers wrap around above this and would fire at once. */
export const LONGEST_TIMER_MS: number = 2 ** 31 - 1;

/** Waits. Resolves after the delay; rejects with the signal's reason when aborted. */
export function wait(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, Math.min(delayMs, LONGEST_TIMER_MS));
    signal?.addEventListener('abort', end);
  });
}
