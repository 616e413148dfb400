/**
 * How often one address may do something. On Cloudflare the host counts and gives the address. Self-hosted, the proxy
 * counts in memory, by the address in a header that the web server in front sets and the operator has named: callers
 * could invent any other header. Without an address nothing is limited: a guess would lump all callers together.
 */
import { type AddressBindings, clientAddress, clientNetwork } from './client-address.ts';
import { TokenBuckets } from './token-buckets.ts';

export type LimitedAct = 'guest' | 'failure';

/**
 * Counts one more act of the sender of these headers.
 * @returns seconds until another one is allowed; 0 when this one is
 */
export type RateLimits = (act: LimitedAct, headers: Headers) => Promise<number>;

/** Acts per minute, as for the host in `wrangler.jsonc`. */
const GUEST_ACTS = 600;
const FAILURES = 120;
/** The host counts by the minute and does not say when one began. */
const HOST_PERIOD_SECONDS = 60;

export interface RateLimitBindings extends AddressBindings {
  readonly FAILURE_LIMIT?: RateLimit;
}

export function createRateLimits(bindings: RateLimitBindings, now: () => number): RateLimits {
  const { GUEST_LIMIT, FAILURE_LIMIT } = bindings;
  const limits = {
    guest: { host: GUEST_LIMIT, own: new TokenBuckets(GUEST_ACTS) },
    failure: { host: FAILURE_LIMIT, own: new TokenBuckets(FAILURES) },
  };
  return async (act, headers) => {
    const { host, own } = limits[act];
    const address = clientAddress(bindings, headers);
    if (address === undefined) return 0;
    const key = clientNetwork(address);
    if (host === undefined) return Math.ceil(own.take(key, now()) / 1_000);
    return (await host.limit({ key })).success ? 0 : HOST_PERIOD_SECONDS;
  };
}
