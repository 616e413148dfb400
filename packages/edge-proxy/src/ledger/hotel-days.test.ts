import { expect, test } from 'vitest';
import { dayAfter, dayOf, dayStart, daysBetween } from './hotel-days.ts';

const VIENNA = { timeZone: 'Europe/Vienna', dayStartsAt: '04:00' };
const iso = (ms: number): string => new Date(ms).toISOString();

test.each([
  ['2026-06-01T01:59:59Z', '2026-05-31'],
  ['2026-06-01T02:00:00Z', '2026-06-01'],
  ['2026-12-01T02:59:59Z', '2026-11-30'],
  ['2026-12-01T03:00:00Z', '2026-12-01'],
])('at %s it is %s', (instant, day) => {
  expect(dayOf(Date.parse(instant), VIENNA)).toBe(day);
});

test.each([
  ['Europe/Vienna', '04:00', '2026-03-29'],
  ['Europe/Vienna', '02:30', '2026-03-28'],
  ['Europe/Vienna', '02:30', '2026-10-25'],
  ['Pacific/Apia', '00:00', '2026-06-01'],
  ['Atlantic/Azores', '00:00', '2026-03-29'],
  ['Africa/Cairo', '00:00', '2026-04-24'],
  ['America/Nuuk', '23:30', '2027-03-27'],
])('days of %s that begin at %s follow each other without a gap', (timeZone, dayStartsAt, around) => {
  const clock = { timeZone, dayStartsAt };
  for (let n = -2; n <= 2; n++) {
    const day = dayAfter(around, n);
    const [start, end] = [dayStart(day, clock), dayStart(dayAfter(day), clock)];
    const hours = (end - start) / 3_600_000;
    expect(hours).toBeGreaterThanOrEqual(23);
    expect(hours).toBeLessThanOrEqual(25);
    // Every instant is of the day whose range it is in.
    expect([dayOf(start, clock), dayOf(end - 1, clock)]).toEqual([day, day]);
  }
});

test('a day begins at its hour of the place', () => {
  expect(iso(dayStart('2026-06-01', VIENNA))).toBe('2026-06-01T02:00:00.000Z');
  expect(iso(dayStart('2026-06-01', { timeZone: 'Pacific/Auckland', dayStartsAt: '00:00' }))).toBe(
    '2026-05-31T12:00:00.000Z',
  );
  expect([dayAfter('2028-02-28'), dayAfter('2026-01-01', -1), daysBetween('2026-02-01', '2026-03-01')]).toEqual([
    '2028-02-29',
    '2025-12-31',
    28,
  ]);
});
