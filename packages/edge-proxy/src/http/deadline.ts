/**
 * Time limits whose timers end with the work. A timer that is left behind keeps an object in memory, and billed, until
 * it fires; `AbortSignal.timeout` cannot be cleared.
 */

/** Runs work under a signal that aborts with a `TimeoutError` after a number of milliseconds. */
export async function withDeadline<T>(limitMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(timeoutError()), limitMs);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for work, but not longer than a number of milliseconds; the work itself goes on. */
export function waitAtMost(limitMs: number, work: Promise<unknown>): Promise<unknown> {
  return race<unknown>(limitMs, work, (resolve) => resolve(undefined));
}

/** The same, but rejects with a `TimeoutError` when the limit is reached. */
export function orTimeout<T>(limitMs: number, work: Promise<T>): Promise<T> {
  return race<T>(limitMs, work, (_resolve, reject) => reject(timeoutError()));
}

type Settle<T> = (resolve: (value: T) => void, reject: (error: unknown) => void) => void;

/** One promise and one timer, because every call of an object has such a limit: `Promise.race` makes several. */
function race<T>(limitMs: number, work: Promise<T>, atLimit: Settle<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => atLimit(resolve, reject), limitMs);
    work.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}

function timeoutError(): DOMException {
  return new DOMException('The time limit was reached', 'TimeoutError');
}
