import { expect, test } from 'vitest';
import { invalidProperty, type Property } from '../properties/configured-properties.ts';
import { isGone, MAX_RETENTION_MS, RECORD_RETENTION_MS } from './retention.ts';

const DAY = 86_400_000;
const INVALID = invalidProperty('aurora', 'cannot be opened');

test('records are kept 400 days, and by the most patient hotel 1,100', () => {
  expect([RECORD_RETENTION_MS, MAX_RETENTION_MS]).toEqual([400 * DAY, 1_100 * DAY]);
});

test('a hotel is gone when it was removed, and not while nobody can read it', () => {
  const hotels = [undefined, { ...INVALID, isRemoved: true }, INVALID, { invalid: false } as Property];
  expect(hotels.map(isGone)).toEqual([true, true, false, false]);
});
