/** How long a payment waits for a translation. */
const LIMIT_MS = 5_000;

/** The same, rejected when it takes longer than anyone should wait for a language. */
export function inTime<T>(loading: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => setTimeout(reject, LIMIT_MS, new Error('The language is late.')));
  return Promise.race([loading, late]);
}
