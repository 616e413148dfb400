import { expect, test } from 'vitest';
import { tokenKeptUntil } from './token-retention.ts';

const DAY = 24 * 60 * 60_000;
const NOW = Date.parse('2026-11-28T10:00:00Z');
const keptFor365 = NOW + 365 * DAY;

const kept = (validUntil: string | null | undefined, timeZone: string = 'Europe/Vienna') =>
  tokenKeptUntil(validUntil, { keepCardsDays: 365, timeZone }, NOW);

test.each([
  ['2027-03-27', 'Europe/Vienna', '2027-03-27T23:00:00Z'],
  ['2027-03-28', 'Europe/Vienna', '2027-03-28T22:00:00Z'],
  ['2026-12-31', 'Pacific/Honolulu', '2027-01-01T10:00:00Z'],
  ['2026-12-31', 'Pacific/Auckland', '2026-12-31T11:00:00Z'],
  [' 2026-12-31T00:00:00', 'UTC', '2027-01-01T00:00:00Z'],
])('a card that is valid until %s is kept to the end of that day in %s', (validUntil, timeZone, end) => {
  expect(kept(validUntil, timeZone)).toBe(Date.parse(end));
});

test.each(['2000-01-01', '2026-11-27'])('a card that was valid until %s is not kept', (validUntil) => {
  expect(kept(validUntil)).toBe(NOW);
});

test.each(['2027-11-29', '2999-12-31', '9999-12-31'])('a card that is valid until %s is kept as others are', (date) => {
  expect(kept(date)).toBe(keptFor365);
});

test.each([
  ...['12/27', '12-27', '1227', '2712', '12/2027', '2027-12', '31.12.2027', '20271231', '27-12-31', '12 27', 'soon'],
  ...['0001-01-01', '1999-12-31', '2026-02-30', '2026-13-01', '2026-11-011', '', null, undefined],
])('what is no date, %j, limits nothing', (validUntil) => {
  expect(kept(validUntil)).toBe(keptFor365);
});
