/** A limit for each address, kept in memory: full at first, refilled evenly, dropped when too many other addresses follow. */

interface Bucket {
  readonly tokens: number;
  /** Milliseconds. */
  readonly at: number;
}

const MINUTE_MS = 60_000;
const MAX_ADDRESSES = 10_000;

/** The buckets of one kind of act. */
export class TokenBuckets {
  readonly #perMinute: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /**
   * Takes one token.
   * @param now milliseconds
   * @returns milliseconds until there is one; 0 when one was taken
   */
  take(address: string, now: number): number {
    const { tokens, at } = this.#buckets.get(address) ?? { tokens: this.#perMinute, at: now };
    const filled = Math.min(this.#perMinute, tokens + (Math.max(0, now - at) * this.#perMinute) / MINUTE_MS);
    const isAllowed = filled >= 1;
    // Moved to the end of the map, so that the map begins with the address that has been quiet longest.
    this.#buckets.delete(address);
    this.#buckets.set(address, { tokens: isAllowed ? filled - 1 : filled, at: now });
    const [quietest] = this.#buckets.keys();
    if (this.#buckets.size > MAX_ADDRESSES && quietest !== undefined) this.#buckets.delete(quietest);
    return isAllowed ? 0 : Math.ceil(((1 - filled) * MINUTE_MS) / this.#perMinute);
  }
}
