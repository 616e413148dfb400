/** Delay before the next look, in milliseconds; `attempt` counts from 1. */
export type Schedule = (attempt: number) => number;

/** How a {@link backoffSchedule} grows. */
export interface BackoffOptions {
  /** First delay in milliseconds. @default 1000 */
  initialMs?: number;
  /** Factor from one delay to the next. @default 1.5 */
  factor?: number;
  /** Largest delay in milliseconds. @default 15_000 */
  maxMs?: number;
  /** Largest share of a delay that chance takes away, 0 to 1. @default 0.2 */
  jitter?: number;
  /** Source of chance, 0 ≤ x < 1. @default Math.random */
  random?: () => number;
}

/**
 * A pure delay schedule that grows by a factor up to a limit. Every delay lies between `(1 − jitter)` times its nominal
 * value and that value; nominal values never fall.
 */
export function backoffSchedule(options: BackoffOptions = {}): Schedule {
  const { initialMs = 1000, factor = 1.5, maxMs = 15_000, jitter = 0.2, random = Math.random } = options;
  return (attempt) => {
    const nominal = Math.min(maxMs, initialMs * factor ** Math.max(0, attempt - 1));
    return nominal * (1 - jitter * random());
  };
}
