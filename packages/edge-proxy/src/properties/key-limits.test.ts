import { expect, test } from 'vitest';
import { endOf, findKeyRefusal } from './key-limits.ts';

test.each([
  ['2027-02-28T23:30:00Z', '2027-02-28T23:30:00Z'],
  ['2028-02-29T08:00:00.123456Z', '2028-02-29T08:00:00.123Z'],
  ['2027-03-01 00:00:00Z', '2027-03-01T00:00:00Z'],
  ['2027-02-29T00:00:00Z', '2027-03-01T00:00:00Z'],
  ['2027-02-30T12:00:00Z', '2027-03-01T00:00:00Z'],
  ['2027-02-31T23:59:59.999Z', '2027-03-01T00:00:00Z'],
  ['2026-11-31T08:00:00Z', '2026-12-01T00:00:00Z'],
])('a key until %s ends at %s', (expiresAt, end) => {
  const refusalAt = (now: number) => findKeyRefusal({ expiresAt }, { now, address: undefined })?.reason;
  expect(endOf(expiresAt)).toBe(Date.parse(end));
  expect(refusalAt(Date.parse(end) - 1)).toBeUndefined();
  expect(refusalAt(Date.parse(end))).toBe('expired');
});
