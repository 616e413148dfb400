import { expect, test } from 'vitest';
import { TokenBuckets } from './token-buckets.ts';

const T = 1_750_000_000_000;

function takeMany(buckets: TokenBuckets, address: string, count: number, now = T): number {
  return Array.from({ length: count }, () => buckets.take(address, now)).filter((wait) => wait === 0).length;
}

test('an address may do so much at once, and as much again in the next minute', () => {
  const buckets = new TokenBuckets(60);
  expect(takeMany(buckets, 'a', 100)).toBe(60);
  expect(takeMany(buckets, 'a', 100, T + 1_000)).toBe(1);
  expect(takeMany(buckets, 'a', 100, T + 31_000)).toBe(30);
  expect(takeMany(buckets, 'a', 100, T + 3_600_000)).toBe(60);
});

test('one address does not use up another’s share', () => {
  const buckets = new TokenBuckets(2);
  expect(takeMany(buckets, 'a', 5)).toBe(2);
  expect(takeMany(buckets, 'b', 5)).toBe(2);
});

test('a clock that is set back refills nothing and takes nothing away', () => {
  const buckets = new TokenBuckets(2);
  expect(takeMany(buckets, 'a', 1)).toBe(1);
  expect(takeMany(buckets, 'a', 5, T - 60_000)).toBe(1);
});

test('of too many addresses the one that has been quiet longest is forgotten', () => {
  const buckets = new TokenBuckets(1);
  const others = Array.from({ length: 9_999 }, (_, n) => `${n}`);
  for (const address of ['a', 'b', 'a', ...others]) buckets.take(address, T);
  expect(buckets.take('a', T)).toBeGreaterThan(0);
  expect(buckets.take('b', T)).toBe(0);
});

test('it says how long to wait for the next', () => {
  const buckets = new TokenBuckets(6);
  takeMany(buckets, 'a', 6);
  expect(buckets.take('a', T)).toBe(10_000);
  expect(buckets.take('a', T + 4_000)).toBe(6_000);
  expect(buckets.take('a', T + 9_999)).toBe(1);
  expect(buckets.take('a', T + 10_000)).toBe(0);
});
