import { describe, expect, test } from 'vitest';
import { loginBackoffMs, renewalMarginMs } from '../upstream/token-lifetime.ts';
import {
  abandonedAt,
  guestPollDelay,
  isUnattended,
  pollDelay,
  retryDelay,
  type ScheduleInput,
} from './polling-schedule.ts';

const T = 1_750_000_000_000;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const pending: ScheduleInput = {
  status: 'pending',
  since: T,
  startedAt: T,
  expiresAt: T + 60 * SECOND,
  returnedAt: null,
};

/** The instants of all polls from `now` on, while nothing else happens. */
function pollsOf(input: ScheduleInput, now: number): number[] {
  const polls: number[] = [];
  for (
    let at = now, delay = pollDelay(input, at);
    delay !== undefined && polls.length < 2_000;
    delay = pollDelay(input, at)
  ) {
    at += delay;
    polls.push(at);
  }
  return polls;
}

describe('polling the upstream', () => {
  test('takes ten polls a second apart, ten two seconds apart, then one every five', () => {
    const delays: number[] = [];
    for (let now = T; delays.length < 25; now += delays.at(-1) ?? 0) delays.push(pollDelay(pending, now) ?? 0);
    expect(delays.slice(0, 10)).toEqual(Array(10).fill(SECOND));
    expect(delays.slice(10, 20)).toEqual(Array(10).fill(2 * SECOND));
    expect(delays.slice(20)).toEqual(Array(5).fill(5 * SECOND));
  });

  test('stays within fifty polls in the first three minutes', () => {
    let polls = 0;
    for (let now = T + (pollDelay(pending, T) ?? 0); now <= T + 3 * MINUTE; now += pollDelay(pending, now) ?? HOUR)
      polls++;
    expect(polls).toBeLessThanOrEqual(50);
  });

  test('slows down to fifteen seconds after fifteen minutes', () => {
    expect(pollDelay(pending, T + 15 * MINUTE)).toBe(15 * SECOND);
  });

  test('is quick again for thirty seconds after a return', () => {
    const returned = { ...pending, returnedAt: T + 20 * MINUTE };
    expect(pollDelay(returned, T + 20 * MINUTE)).toBe(SECOND);
    expect(pollDelay(returned, T + 20 * MINUTE + 30 * SECOND)).toBe(15 * SECOND);
  });

  test('reads an unknown attempt hourly for twenty-four hours', () => {
    const unknown: ScheduleInput = { ...pending, status: 'unknown', since: T + HOUR };
    expect(pollDelay(unknown, T + HOUR)).toBe(HOUR);
    expect(pollDelay(unknown, T + 25 * HOUR)).toBeUndefined();
  });

  test.each(['declined', 'failed', 'canceled'] as const)('happens four more times after one was %s', (status) => {
    expect(pollsOf({ ...pending, status, since: T + MINUTE }, T + MINUTE)).toEqual(
      [1, 10, 60, 24 * 60].map((minutes) => T + (minutes + 1) * MINUTE),
    );
  });

  test.each(['declined', 'failed', 'canceled', 'abandoned', 'unknown'] as const)(
    'happens three more times when asked about one that is %s',
    (status) => {
      const asked = { ...pending, status, since: T - 100 * HOUR, askedAt: T };
      expect(pollsOf(asked, T)).toEqual([1, 10, 60].map((minutes) => T + minutes * MINUTE));
    },
  );

  test('of an abandoned attempt is quick after a return, thins out, and ends after a day and with its session', () => {
    const abandoned: ScheduleInput = { ...pending, status: 'abandoned', since: T, expiresAt: T + 30 * 24 * HOUR };
    expect(pollDelay({ ...abandoned, returnedAt: T }, T + 30 * SECOND - 1)).toBe(SECOND);
    expect(pollDelay({ ...abandoned, returnedAt: T }, T + 30 * SECOND)).toBe(MINUTE);
    expect(pollDelay(abandoned, T + HOUR - 1)).toBe(MINUTE);
    expect(pollDelay(abandoned, T + HOUR)).toBe(10 * MINUTE);
    expect(pollDelay(abandoned, T + 24 * HOUR)).toBe(6 * HOUR);
    expect(pollDelay(abandoned, T + 30 * 24 * HOUR - 1)).toBe(6 * HOUR);
    expect(pollDelay(abandoned, T + 30 * 24 * HOUR)).toBeUndefined();
    expect(pollDelay({ ...abandoned, expiresAt: T }, T + 24 * HOUR - 1)).toBe(10 * MINUTE);
    expect(pollDelay({ ...abandoned, expiresAt: T }, T + 24 * HOUR)).toBeUndefined();
  });

  test('is affordable for a link of thirty days that a guest started and left', () => {
    const started: ScheduleInput = { ...pending, expiresAt: T + 30 * 24 * HOUR };
    const gone = abandonedAt(started);
    const polls = [
      ...pollsOf(started, T).filter((at) => at < gone),
      ...pollsOf({ ...started, status: 'abandoned', since: gone }, gone),
    ];
    expect(polls.at(-1)).toBeGreaterThan(T + 29.7 * 24 * HOUR);
    expect(polls.length).toBeGreaterThan(500);
    expect(polls.length).toBeLessThan(750);
  });

  test('that cannot be made comes again after ten minutes, then ever more slowly', () => {
    expect(retryDelay({ status: 'pending', since: T }, T + 24 * HOUR)).toBe(10 * MINUTE);
    expect(retryDelay({ status: 'failed', since: T }, T + MINUTE)).toBe(10 * MINUTE);
    expect(retryDelay({ status: 'failed', since: T }, T + 24 * HOUR)).toBe(2.4 * HOUR);
  });

  test('never happens once money was seen, and follows no question that nobody has asked', () => {
    expect(pollDelay({ ...pending, status: 'succeeded', askedAt: T }, T)).toBeUndefined();
    expect(pollDelay({ ...pending, status: 'failed', since: 0, askedAt: null }, T)).toBeUndefined();
  });
});

test('an attempt is abandoned an hour after the last sign of its guest, however long its session lives', () => {
  expect(abandonedAt({ startedAt: T })).toBe(T + HOUR);
  expect(abandonedAt({ startedAt: T, guestSeenAt: T + 50 * MINUTE })).toBe(T + 110 * MINUTE);
});

test.each(['pending', 'abandoned', 'unknown', 'declined'] as const)('%s: whether nobody waits', (status) => {
  const input: ScheduleInput = { ...pending, status, guestSeenAt: T };
  const canBeUnattended = status === 'pending' || status === 'abandoned';
  expect(isUnattended(input, T + 30 * SECOND - 1)).toBe(false);
  expect(isUnattended(input, T + 30 * SECOND)).toBe(canBeUnattended);
  expect(isUnattended({ ...input, askedAt: T }, T + HOUR - 1)).toBe(false);
  expect(isUnattended({ ...input, askedAt: T }, T + HOUR)).toBe(canBeUnattended);
});

describe('a page asks again', () => {
  const delay = (status: 'pending' | 'unknown' | 'expired', attempts: readonly ScheduleInput[], now: number) =>
    guestPollDelay({ status, final: false }, attempts, now);

  test('as often as the proxy looks at whatever attempt it looks at next', () => {
    const declined: ScheduleInput = { ...pending, status: 'declined', since: T - 50 * SECOND };
    expect(delay('pending', [pending], T)).toBe(SECOND);
    expect(delay('pending', [declined, pending], T + 20 * SECOND)).toBe(2 * SECOND);
    expect(delay('unknown', [declined, { ...pending, status: 'unknown' }], T)).toBe(10 * SECOND);
  });

  test('within a minute, and no sooner than the proxy can have looked', () => {
    expect(delay('expired', [{ ...pending, status: 'abandoned' }], T + 26 * HOUR)).toBe(MINUTE);
    expect(delay('unknown', [], T)).toBe(MINUTE);
    expect(delay('unknown', [{ ...pending, status: 'declined', since: T - MINUTE + 1 }], T)).toBe(SECOND);
  });

  test('not while there is nothing to wait for', () => {
    expect(guestPollDelay({ status: 'open', final: false }, [{ ...pending, status: 'declined' }], T)).toBeNull();
    for (const status of ['expired', 'succeeded'] as const) {
      expect(guestPollDelay({ status, final: true }, [pending], T)).toBeNull();
    }
  });
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
