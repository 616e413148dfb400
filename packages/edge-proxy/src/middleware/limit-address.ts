/** Limits by the caller's address. */
import { ProblemError } from '../problem.ts';
import type { AppContext } from './app-context.ts';
import type { LimitedAct } from './rate-limits.ts';

/** Counts a failed authentication; too many are answered 429 instead of 401. */
export function limitFailures(c: AppContext): Promise<void> {
  return limit(c, 'failure');
}

/** Counts a guest's call. */
export function limitGuest(c: AppContext): Promise<void> {
  return limit(c, 'guest');
}

async function limit(c: AppContext, act: LimitedAct): Promise<void> {
  if (await c.get('dependencies').allow(act, c.req.raw.headers)) return;
  throw new ProblemError('rate_limited', {
    detail: 'Too many requests from this address; wait a moment',
    retryAfterSeconds: 60,
  });
}
