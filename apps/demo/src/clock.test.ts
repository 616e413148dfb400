import { expect, test } from 'vitest';
import { HotelClock } from './clock.ts';

const START = new Date('2026-09-01T08:00:00Z');

test('reads the real time until it is moved', () => {
  const clock = new HotelClock({ base: () => START });
  expect(clock.now()).toEqual(START);
  clock.advance(3_600_000);
  clock.advance(1_000);
  expect(clock.now()).toEqual(new Date('2026-09-01T09:00:01Z'));
  expect(clock.offsetMs).toBe(3_601_000);
});

test('carries on where a stored offset left it', () => {
  expect(new HotelClock({ base: () => START, offsetMs: 60_000 }).now()).toEqual(new Date('2026-09-01T08:01:00Z'));
});

test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('does not move by %s', (ms) => {
  expect(() => new HotelClock().advance(ms)).toThrow(RangeError);
});
