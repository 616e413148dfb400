import { expect, test } from 'vitest';
import { hotelDay, noShowFrom } from './hotel-time.ts';

test('the hotel’s day begins at its own midnight', () => {
  expect(hotelDay(new Date('2026-06-30T21:59:59Z'))).toBe('2026-06-30');
  expect(hotelDay(new Date('2026-06-30T22:00:00Z'))).toBe('2026-07-01');
  expect(hotelDay(new Date('2026-12-30T23:00:00Z'), 1)).toBe('2027-01-01');
});

test('a no-show begins at six in the evening, in summer and in winter', () => {
  expect(noShowFrom({ arrival: '2026-07-01' }).toISOString()).toBe('2026-07-01T16:00:00.000Z');
  expect(noShowFrom({ arrival: '2026-12-24' }).toISOString()).toBe('2026-12-24T17:00:00.000Z');
});
