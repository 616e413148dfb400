import { describe, expect, test } from 'vitest';
import { pacedDelay } from './poll-pace.ts';

const MINUTE = 60_000;
const evenly = () => 1 / 2;

describe('a poll that nobody waits for', () => {
  test('comes by its schedule as long as there are few', () => {
    expect(pacedDelay(5_000, 0, evenly)).toBe(5_000);
    expect(pacedDelay(5_000, 50, () => 0)).toBe(5_000);
  });

  test.each([
    [5_000, 100, 10_000],
    [5_000, 2_000, 200_000],
    [15_000, 667, 200_100],
    [MINUTE, 100, 2 * MINUTE],
  ])('comes later in proportion: every %i ms, with %i polls a second, after %i ms', (delay, wanted, paced) => {
    expect(pacedDelay(delay, wanted, evenly)).toBe(paced);
  });

  test('is left to chance by a fourth either way, and is never sooner than its schedule', () => {
    expect([pacedDelay(5_000, 500, () => 0), pacedDelay(5_000, 500, () => 1)]).toEqual([37_500, 62_500]);
    expect(pacedDelay(5_000, 51, () => 0)).toBe(5_000);
  });

  test('comes within ten minutes, or by its schedule if that is longer', () => {
    expect(pacedDelay(MINUTE, 1_000_000, () => 1)).toBe(10 * MINUTE);
    expect(pacedDelay(60 * MINUTE, 1_000_000, () => 1)).toBe(60 * MINUTE);
  });

  test('keeps ten thousand sessions to about fifty polls a second', () => {
    let state = 1;
    const random = () => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    };
    const polls = Array.from({ length: 10_000 }, () => 1_000 / pacedDelay(5_000, 2_000, random));
    expect(polls.reduce((sum, each) => sum + each, 0)).toBeCloseTo(51, 0);
  });
});
