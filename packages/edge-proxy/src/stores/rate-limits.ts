/**
 * How often one address may do something, counted by the host's limiter. Self-hosted there is none, and the caller's
 * address is not known either: there the proxy in front of this one limits.
 */
import type { Bindings } from './bindings.ts';

/** What is limited. */
export type LimitedAct = 'guest' | 'failure';

/** Decides about one more act of an address; false means too many. */
export type RateLimits = (act: LimitedAct, address: string) => Promise<boolean>;

/** The limiter of this deployment; its figures are in `wrangler.jsonc`. */
export function createRateLimits(bindings: Pick<Bindings, 'GUEST_LIMIT' | 'FAILURE_LIMIT'>): RateLimits {
  return async (act, address) => {
    const limiter = act === 'guest' ? bindings.GUEST_LIMIT : bindings.FAILURE_LIMIT;
    return limiter === undefined || (await limiter.limit({ key: address })).success;
  };
}
