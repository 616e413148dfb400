/** How often one address may do something. Uses the host's limiter where there is one; else the isolate counts itself. */
import type { Bindings } from './bindings.ts';

/** What is limited. */
export type LimitedAct = 'guest' | 'failure';

/** Decides about one more act of an address; false means too many. */
export type RateLimits = (act: LimitedAct, address: string) => Promise<boolean>;

/** Acts an address may do in {@link WINDOW_MS}; `wrangler.jsonc` holds the same figures for the host's limiter. */
const LIMITS: Readonly<Record<LimitedAct, number>> = { guest: 600, failure: 120 };
const WINDOW_MS = 60_000;
const MAX_COUNTERS = 10_000;

/** The limiter of this deployment. `now` in milliseconds. */
export function createRateLimits(
  bindings: Pick<Bindings, 'GUEST_LIMIT' | 'FAILURE_LIMIT'>,
  now: () => number,
): RateLimits {
  const hosted: Readonly<Record<LimitedAct, RateLimit | undefined>> = {
    guest: bindings.GUEST_LIMIT,
    failure: bindings.FAILURE_LIMIT,
  };
  let window = 0;
  let counters = new Map<string, number>();
  return async (act, address) => {
    const limiter = hosted[act];
    if (limiter !== undefined) return (await limiter.limit({ key: address })).success;
    const current = Math.floor(now() / WINDOW_MS);
    // A full table is dropped rather than grown: a flood of addresses must not become a flood of memory.
    if (current !== window || counters.size >= MAX_COUNTERS) {
      window = current;
      counters = new Map();
    }
    const key = `${act} ${address}`;
    const count = (counters.get(key) ?? 0) + 1;
    counters.set(key, count);
    return count <= LIMITS[act];
  };
}
