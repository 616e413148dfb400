/** When a bearer token is renewed and when a refused login may be tried again. Pure. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/**
 * How long before its end a token is renewed: 60 to 120 seconds, but never more than a fifth of its life.
 * @param lifetimeMs what is left of the token when it is issued
 * @param random 0 ≤ random < 1
 */
export function renewalMarginMs(lifetimeMs: number, random: number): number {
  return Math.min(MINUTE + random * MINUTE, lifetimeMs / 5);
}

/** How long no login is tried after a number of refusals in a row: 30 s, doubling to 15 min. */
export function loginBackoffMs(refusals: number): number {
  return Math.min(15 * MINUTE, 30 * SECOND * 2 ** Math.max(0, Math.min(refusals - 1, 10)));
}
