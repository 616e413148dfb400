/**
 * Time limits whose timers end with the work. A timer that is left behind keeps an object in memory, and billed, until
 * it fires; `AbortSignal.timeout` cannot be cleared.
 */

/** Runs work under a signal that aborts with a `TimeoutError` after so many milliseconds. */
export async function withDeadline<T>(limitMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(timeoutError()), limitMs);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for work, but not longer than so many milliseconds; the work itself goes on. */
export function waitAtMost(limitMs: number, work: Promise<unknown>): Promise<unknown> {
  return race(limitMs, work, () => undefined);
}

/** The same, but rejects with a `TimeoutError` when the limit is reached. */
export function orTimeout<T>(limitMs: number, work: Promise<T>): Promise<T> {
  return race(limitMs, work, () => {
    throw timeoutError();
  });
}

async function race<T>(limitMs: number, work: Promise<T>, atLimit: () => T): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  try {
    return await Promise.race([work, limit.then(atLimit)]);
  } finally {
    clearTimeout(timer);
  }
}

function timeoutError(): DOMException {
  return new DOMException('The time limit was reached', 'TimeoutError');
}
