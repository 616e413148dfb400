import type { MerchantClient } from '@innkeep/core/merchant';
import { describe, expect, it } from 'vitest';
import { endOfFeed } from './end-of-feed.ts';

describe('endOfFeed', () => {
  // Positions begin at 1, and what is older than the retention is gone.
  it.each([
    [0, 0],
    [1, 0],
    [2, 0],
    [3, 0],
    [100, 0],
    [4_711, 4_000],
    [1_048_576, 0],
  ])('finds position %i, everything up to %i being forgotten', async (end, forgotten) => {
    let calls = 0;
    const list = async ({ after = 0 }: { after?: number } = {}) => {
      calls++;
      const next = Math.max(after, forgotten) + 1;
      return { object: 'list', data: next <= end ? [{ seq: next }] : [], nextAfter: Math.min(next, end) };
    };
    const events = { list } as unknown as MerchantClient['events'];
    expect(await endOfFeed(events, new AbortController().signal)).toBe(end);
    expect(calls).toBeLessThan(50);
  });
});
