import { expect, test } from 'vitest';
import { useClock } from '../../test-support/clock.ts';
import { type InvalidProperty, invalidProperty, type Property } from '../properties/configured-properties.ts';
import { keptUntil, MAX_RETENTION_MS, RECORD_RETENTION_MS } from './retention.ts';

const DAY = 86_400_000;
const NOW = Date.parse('2026-06-01T12:00:00Z');
const hotel = (retentionDays: number) => ({ retentionDays }) as Property;
const INVALID = invalidProperty('aurora', 'cannot be opened');
const ERASED: InvalidProperty = { ...INVALID, isRemoved: true };

useClock(NOW);

test('records are kept 400 days, and by the most patient hotel 1,100', () => {
  expect([RECORD_RETENTION_MS, MAX_RETENTION_MS]).toEqual([400 * DAY, 1_100 * DAY]);
});

test.each<[string, number, Parameters<typeof keptUntil>[1], number | undefined]>([
  ['is over', 500 * DAY, { isFinal: true, property: hotel(500) }, undefined],
  ['is over in a millisecond', 500 * DAY - 1, { isFinal: true, property: hotel(500) }, NOW + 1],
  ['is over in a month', 470 * DAY, { isFinal: true, property: hotel(500) }, NOW + 7 * DAY],
  ['is over, but not final', 500 * DAY, { isFinal: false, property: hotel(500) }, NOW + 7 * DAY],
  ['is over in a millisecond, and not final', 500 * DAY - 1, { isFinal: false, property: hotel(500) }, NOW + 7 * DAY],
  ['of a hotel that was removed is over', 400 * DAY, { isFinal: true, property: undefined }, undefined],
  ['of a hotel that was removed is not over', 400 * DAY - 1, { isFinal: true, property: undefined }, NOW + 1],
  ['of a hotel whose texts are erased is over', 400 * DAY, { isFinal: true, property: ERASED }, undefined],
  ['of a hotel whose texts are erased is not over', 400 * DAY - 1, { isFinal: true, property: ERASED }, NOW + 1],
  ['may be longer, of a hotel nobody can read', 1_100 * DAY - 1, { isFinal: true, property: INVALID }, NOW + 1],
  ['is over for every hotel', 1_100 * DAY, { isFinal: true, property: INVALID }, undefined],
])('a record whose time %s', (_what, age, state, expected) => {
  expect(keptUntil({ createdAt: NOW - age }, state)).toBe(expected);
});

test('a record that was completed late is kept from then on', () => {
  const state = { isFinal: true, property: hotel(400) };
  const createdAt = NOW - 700 * DAY;
  const late = NOW - 400 * DAY + 1;
  expect(keptUntil({ createdAt, completedAt: late }, state)).toBe(NOW + 1);
  expect(keptUntil({ createdAt, completedAt: late - 1 }, state)).toBeUndefined();
  expect(keptUntil({ createdAt, completedAt: null }, state)).toBeUndefined();
});
