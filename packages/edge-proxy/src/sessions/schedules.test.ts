import { describe, expect, test } from 'vitest';
import { loginBackoffMs, renewalMarginMs } from '../upstream/token-lifetime.ts';
import { abandonedAt, guestPollDelay, nextPollAt, type ScheduleInput, scheduledPoll } from './polling-schedule.ts';

const T = 1_750_000_000_000;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const pending: ScheduleInput = {
  status: 'pending',
  since: T,
  expiresAt: T + 60 * SECOND,
  guestSeenAt: T,
  recheckAt: null,
  resumedAt: null,
  closedAt: null,
};
const abandoned: ScheduleInput = { ...pending, status: 'abandoned', since: T + HOUR };
/** Ended a minute after its start. */
const ENDED = (['declined', 'failed', 'canceled', 'unknown'] as const).map(
  (status): ScheduleInput => ({ ...pending, status, since: T + MINUTE }),
);

/** The instants of all polls while nothing else happens, from {@link T} on. */
function pollsOf(input: ScheduleInput): number[] {
  const polls: number[] = [];
  for (let at = scheduledPoll(input, input.since); at !== undefined; at = scheduledPoll(input, at)) polls.push(at - T);
  return polls;
}

describe('polling the upstream', () => {
  test('takes ever longer intervals of up to five minutes, until the attempt is abandoned', () => {
    const polls = pollsOf(pending);
    expect(polls.slice(0, 6).map((ms) => Math.floor(ms / SECOND))).toEqual([30, 60, 90, 135, 202, 303]);
    const intervals = [...polls, HOUR].map((at, nth) => at - (polls[nth - 1] ?? 0));
    expect(Math.max(...intervals)).toBeLessThanOrEqual(5 * MINUTE);
    expect(polls.every((at) => at < HOUR)).toBe(true);
  });

  test('takes at most 22 polls of an attempt whose guest has gone, that of its end included', () => {
    expect(pollsOf(abandoned)).toEqual([2, 4, 8, 25].map((hours) => hours * HOUR));
    expect(pollsOf(pending).length + 1 + pollsOf(abandoned).length).toBeLessThanOrEqual(22);
    // The proxy was down.
    const late = pollsOf({ ...abandoned, since: T + 3 * DAY });
    expect(late).toEqual([1, 3, 7, 24].map((hours) => 3 * DAY + hours * HOUR));
  });

  test('happens once more when a link ends that lives longer than a day', () => {
    const expiresAt = T + 30 * DAY;
    expect(pollsOf({ ...abandoned, expiresAt })).toEqual([...pollsOf(abandoned), 30 * DAY]);
    for (const ended of ENDED) expect(pollsOf({ ...ended, expiresAt })).toEqual(pollsOf(ended));
  });

  test.each(ENDED)('happens at doubling ages after one was $status, and a last time after a day', (ended) => {
    expect(pollsOf(ended)).toEqual([5, 15, 35, 75, 155, 315, 635, 1_440].map((minutes) => (minutes + 1) * MINUTE));
  });

  test.each(ENDED)('is as often when a guest who had long gone came back, and it ended $status', (ended) => {
    expect(pollsOf({ ...ended, since: T + 25 * HOUR })).toEqual(pollsOf(ended).map((at) => at - MINUTE + 25 * HOUR));
  });

  test('starts again with every sign of the guest', () => {
    const guestSeenAt = T + 40 * MINUTE;
    expect(scheduledPoll({ ...pending, guestSeenAt }, guestSeenAt)).toBe(guestSeenAt + 30 * SECOND);
    expect(scheduledPoll({ ...abandoned, guestSeenAt: T + 3 * DAY }, T + 3 * DAY)).toBe(T + 3 * DAY + 5 * MINUTE);
  });

  test('goes on as soon as ever when a clock went back', () => {
    expect(scheduledPoll(pending, T - DAY)).toBe(T - DAY + 30 * SECOND);
  });

  test('never happens once money was seen', () => {
    expect(pollsOf({ ...pending, status: 'succeeded' })).toEqual([]);
  });
});

const failed = { ...pending, status: 'failed' } as const;
const doubtful = { ...failed, status: 'unknown', recheckAt: T + 1 } as const;
const longLink = { ...abandoned, expiresAt: T + 5 * DAY };
const closed = { ...longLink, closedAt: T + 4 * DAY };
test.each<[string, ScheduleInput, boolean, number, number | undefined]>([
  ['of a pending attempt the schedule goes on', pending, true, MINUTE, 90 * SECOND],
  ['that was not answered it does, too', pending, false, MINUTE, 90 * SECOND],
  ['something seen asks for an earlier one', { ...pending, recheckAt: T + MINUTE + 1 }, true, MINUTE, MINUTE + 1],
  ['something seen before asks for nothing', { ...pending, recheckAt: T + MINUTE }, true, MINUTE, 90 * SECOND],
  ['something seen asks although the schedule has ended', { ...failed, recheckAt: T + 9 * DAY }, true, DAY, 9 * DAY],
  ['that was not answered it asks, too', { ...failed, recheckAt: T + 3 * DAY }, false, 3 * DAY - 1, 3 * DAY],
  ['and as soon as it asks', { ...failed, recheckAt: T + HOUR + 1 }, false, HOUR, HOUR + 1],
  ['of one in doubt the schedule holds, whatever was seen', doubtful, true, 0, 5 * MINUTE],
  ['that was not answered it is repeated after ten minutes', failed, false, 20 * MINUTE, 30 * MINUTE],
  ['again after an outage', { ...failed, resumedAt: T + 3 * DAY }, false, 3 * DAY, 3 * DAY + 10 * MINUTE],
  ['for two days', { ...failed, resumedAt: T + 3 * DAY }, false, 5 * DAY, undefined],
  ['or earlier by the schedule', failed, false, 34 * MINUTE, 35 * MINUTE],
  ['or after a tenth of the time that has passed', failed, false, 30 * HOUR, 33 * HOUR],
  ['until the second day has passed', failed, false, 48 * HOUR, undefined],
  ['the last one', failed, true, 30 * HOUR, undefined],
  ['at the end of a long link it is repeated, too', longLink, false, 5 * DAY, 5 * DAY + 10 * MINUTE],
  ['for two days more', longLink, false, 7 * DAY, undefined],
  ['after a session was ended by hand, too', closed, false, 4 * DAY, 4 * DAY + 10 * MINUTE],
])('after a poll %s', (_, input, isAnswered, age, expected) => {
  expect(nextPollAt(input, isAnswered, T + age)).toBe(expected === undefined ? undefined : T + expected);
});

test('an attempt is abandoned an hour after the last sign of its guest', () => {
  expect(abandonedAt({ guestSeenAt: T + 50 * MINUTE })).toBe(T + 110 * MINUTE);
});

test.each([
  ['pending', false, 2_500],
  ['unknown', false, MINUTE],
  ['expired', false, MINUTE],
  ['expired', true, null],
  ['succeeded', true, null],
  ['open', false, null],
] as const)('a page of a session that is %s (final: %s) asks again in %s ms', (status, isFinal, ms) => {
  expect(guestPollDelay(status, isFinal)).toBe(ms);
});

test('a page whose guest came back as one who has paid asks once a minute, also of an open session', () => {
  expect(guestPollDelay('open', false, true)).toBe(MINUTE);
});

describe('tokens', () => {
  test('are renewed one to two minutes before their end', () => {
    expect(renewalMarginMs(4_800 * SECOND, 0)).toBe(MINUTE);
    expect(renewalMarginMs(4_800 * SECOND, 0.999)).toBeCloseTo(2 * MINUTE, -3);
  });

  test('that live shortly keep most of their life', () => {
    expect(renewalMarginMs(60 * SECOND, 0.5)).toBe(12 * SECOND);
  });

  test('are not asked for after a refusal: 30 s doubling to 15 min', () => {
    expect([1, 2, 3, 4, 5, 6, 50].map(loginBackoffMs)).toEqual(
      [30, 60, 120, 240, 480, 900, 900].map((s) => s * SECOND),
    );
  });
});
