import { expect, test } from 'vitest';
import { ALARMS_MOVED_WITHIN_MS, alarmSetFor } from './moved-alarms.ts';

const STARTED_AT = '1000';
const UNTIL = 1_000 + ALARMS_MOVED_WITHIN_MS;

test('the launcher moves alarms by five minutes at most', () => {
  expect(ALARMS_MOVED_WITHIN_MS).toBe(300_000);
});

test.each([
  ['on Cloudflare, whatever it is', 5, undefined, 5],
  ['where the launcher says nothing', 5, null, 5],
  ['after the time in which it may have been moved', UNTIL + 1, STARTED_AT, UNTIL + 1],
  ['at the end of that time', UNTIL, STARTED_AT, undefined],
  ['within that time', 1_001, STARTED_AT, undefined],
])('an alarm says what it was set for: %s', (_when, scheduledTime, startedAt, expected) => {
  expect(alarmSetFor({ scheduledTime }, startedAt === undefined ? {} : { STARTED_AT: startedAt })).toBe(expected);
});

test('an alarm of which the runtime says nothing was set for no time', () => {
  expect(alarmSetFor(undefined, {})).toBeUndefined();
  expect(alarmSetFor(undefined, { STARTED_AT })).toBeUndefined();
});
