import { describe, expect, test } from 'vitest';
import { blindDelay, guestPollDelay, lookDelay, payingDeadline, type ScheduleFacts } from './polling-schedule.ts';
import { loginBackoffMs, renewalMarginMs } from './token-lifetime.ts';
import { judgeDelivery, WEBHOOK_DELAYS_MS, webhookDelay } from './webhook-schedule.ts';

const T = 1_750_000_000_000;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const pending: ScheduleFacts = {
  state: 'pending',
  since: T,
  startedAt: T,
  expiresAt: T + 60 * SECOND,
  returnedAt: null,
};

/** The instants of all looks from `now` on, while nothing else happens. */
function looksOf(facts: ScheduleFacts, now: number): number[] {
  const looks: number[] = [];
  for (
    let at = now, delay = lookDelay(facts, at);
    delay !== undefined && looks.length < 2_000;
    delay = lookDelay(facts, at)
  ) {
    at += delay;
    looks.push(at);
  }
  return looks;
}

describe('looking at the upstream', () => {
  test('takes ten looks a second apart, ten two seconds apart, then one every five', () => {
    const delays: number[] = [];
    for (let now = T; delays.length < 25; now += delays.at(-1) ?? 0) delays.push(lookDelay(pending, now) ?? 0);
    expect(delays.slice(0, 10)).toEqual(Array(10).fill(SECOND));
    expect(delays.slice(10, 20)).toEqual(Array(10).fill(2 * SECOND));
    expect(delays.slice(20)).toEqual(Array(5).fill(5 * SECOND));
  });

  test('stays within fifty looks in the first three minutes', () => {
    let looks = 0;
    for (let now = T + (lookDelay(pending, T) ?? 0); now <= T + 3 * MINUTE; now += lookDelay(pending, now) ?? HOUR)
      looks++;
    expect(looks).toBeLessThanOrEqual(50);
  });

  test('slows down to fifteen seconds after fifteen minutes', () => {
    expect(lookDelay(pending, T + 15 * MINUTE)).toBe(15 * SECOND);
  });

  test('is quick again for thirty seconds after a return', () => {
    const returned = { ...pending, returnedAt: T + 20 * MINUTE };
    expect(lookDelay(returned, T + 20 * MINUTE)).toBe(SECOND);
    expect(lookDelay(returned, T + 20 * MINUTE + 30 * SECOND)).toBe(15 * SECOND);
  });

  test('goes on for twenty-four hours after expiry, and then ends', () => {
    const expired: ScheduleFacts = { ...pending, state: 'expired', since: T + 30 * MINUTE };
    expect(lookDelay(expired, T + 30 * MINUTE)).toBe(MINUTE);
    expect(lookDelay(expired, T + 95 * MINUTE)).toBe(10 * MINUTE);
    expect(lookDelay(expired, T + 25 * HOUR)).toBeUndefined();
  });

  test('reads an unknown session hourly for twenty-four hours', () => {
    const unknown: ScheduleFacts = { ...pending, state: 'unknown', since: T + HOUR };
    expect(lookDelay(unknown, T + HOUR)).toBe(HOUR);
    expect(lookDelay(unknown, T + 25 * HOUR)).toBeUndefined();
  });

  test.each(['failed', 'canceled'] as const)('happens four more times after a session was %s', (state) => {
    expect(looksOf({ ...pending, state, since: T + MINUTE }, T + MINUTE)).toEqual(
      [1, 10, 60, 24 * 60].map((minutes) => T + (minutes + 1) * MINUTE),
    );
  });

  test.each(['failed', 'canceled', 'expired', 'unknown'] as const)(
    'happens three more times when asked about a %s one',
    (state) => {
      const asked = { ...pending, state, since: T - 100 * HOUR, askedAt: T };
      expect(looksOf(asked, T)).toEqual([1, 10, 60].map((minutes) => T + minutes * MINUTE));
    },
  );

  test('thins out to four a day while an expired session’s links can be used', () => {
    const expired: ScheduleFacts = { ...pending, state: 'expired', since: T, expiresAt: T + 30 * 24 * HOUR };
    expect(lookDelay(expired, T + 24 * HOUR)).toBe(6 * HOUR);
    expect(lookDelay(expired, T + 30 * 24 * HOUR - 1)).toBe(6 * HOUR);
    expect(lookDelay(expired, T + 30 * 24 * HOUR)).toBeUndefined();
  });

  test('is affordable for a link of thirty days that a guest started and left', () => {
    const started: ScheduleFacts = { ...pending, expiresAt: T + 30 * 24 * HOUR };
    const deadline = payingDeadline(started);
    const looks = [
      ...looksOf(started, T).filter((at) => at < deadline),
      ...looksOf({ ...started, state: 'expired', since: deadline }, deadline),
    ];
    expect(looks.at(-1)).toBeGreaterThan(T + 29.7 * 24 * HOUR);
    expect(looks.length).toBeGreaterThan(500);
    expect(looks.length).toBeLessThan(750);
  });

  test('that cannot be made comes again after ten minutes, then ever more slowly', () => {
    expect(blindDelay({ state: 'pending', since: T }, T + 24 * HOUR)).toBe(10 * MINUTE);
    expect(blindDelay({ state: 'failed', since: T }, T + MINUTE)).toBe(10 * MINUTE);
    expect(blindDelay({ state: 'failed', since: T }, T + 24 * HOUR)).toBe(2.4 * HOUR);
  });

  test.each(['open', 'succeeded', 'lapsed'] as const)('never happens while %s', (state) => {
    expect(lookDelay({ ...pending, state }, T)).toBeUndefined();
  });
});

test('a started session may be paid for thirty minutes at least', () => {
  expect(payingDeadline({ startedAt: T, expiresAt: T + MINUTE })).toBe(T + 30 * MINUTE);
  expect(payingDeadline({ startedAt: T, expiresAt: T + HOUR })).toBe(T + HOUR);
});

test('a started session ends an hour after the last sign of its guest, however long its links live', () => {
  const expiresAt = T + 30 * 24 * HOUR;
  expect(payingDeadline({ startedAt: T, expiresAt })).toBe(T + HOUR);
  expect(payingDeadline({ startedAt: T, expiresAt, guestSeenAt: T + 50 * MINUTE })).toBe(T + 110 * MINUTE);
  expect(payingDeadline({ startedAt: T, expiresAt: T + HOUR, guestSeenAt: T + 50 * MINUTE })).toBe(T + HOUR);
});

test('a page never waits longer than a minute', () => {
  for (const state of ['open', 'pending', 'expired', 'unknown'] as const) {
    expect(guestPollDelay({ ...pending, state }, T + 26 * HOUR)).toBeLessThanOrEqual(MINUTE);
  }
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

describe('webhooks', () => {
  test('are tried for more than two days', () => {
    expect(WEBHOOK_DELAYS_MS.reduce((sum, delay) => sum + delay)).toBeGreaterThan(48 * HOUR);
    expect(WEBHOOK_DELAYS_MS).toHaveLength(9);
  });

  test('are retried with up to a tenth of jitter, and given up after the tenth attempt', () => {
    expect(webhookDelay(1, 0)).toBe(5 * SECOND);
    expect(webhookDelay(1, 0.999)).toBeLessThanOrEqual(5.5 * SECOND);
    expect(webhookDelay(9, 0)).toBe(24 * HOUR);
    expect(webhookDelay(10, 0)).toBeUndefined();
  });

  test.each([
    [200, 'accepted'],
    [299, 'accepted'],
    [301, 'retry'],
    [410, 'disable'],
    [404, 'retry'],
    [500, 'retry'],
    [undefined, 'retry'],
  ] as const)('status %s means %s', (status, verdict) => {
    expect(judgeDelivery(status)).toBe(verdict);
  });
});

describe('looks after the end', () => {
  const ended = (state: ScheduleFacts['state'], more: Partial<ScheduleFacts> = {}): ScheduleFacts => ({
    ...pending,
    state,
    ...more,
  });

  test('a session that is open or has succeeded is not looked at', () => {
    expect(lookDelay(ended('open'), T)).toBeUndefined();
    expect(lookDelay(ended('succeeded'), T)).toBeUndefined();
  });

  test('an expired one whose guest has just come back is looked at every second, for half a minute', () => {
    expect(lookDelay(ended('expired', { returnedAt: T }), T + 29 * SECOND)).toBe(SECOND);
    expect(lookDelay(ended('expired', { returnedAt: T }), T + 30 * SECOND)).toBe(MINUTE);
    expect(lookDelay(ended('expired', { returnedAt: null }), 10 * SECOND)).toBe(MINUTE);
  });

  test('the first hour of an expired one is over after an hour', () => {
    expect(lookDelay(ended('expired'), T + HOUR - 1)).toBe(MINUTE);
    expect(lookDelay(ended('expired'), T + HOUR)).toBe(10 * MINUTE);
  });

  test('nobody has asked about one until somebody has', () => {
    expect(lookDelay(ended('failed', { since: 0, askedAt: null }), T)).toBeUndefined();
    expect(lookDelay(ended('failed', { since: 0, askedAt: null }), 48 * HOUR)).toBeUndefined();
    expect(lookDelay(ended('failed', { since: 0, askedAt: T }), T)).toBe(MINUTE);
  });
});

test('a page asks as often as the proxy looks, and every five seconds before it has begun', () => {
  expect(guestPollDelay({ ...pending, state: 'open' }, T)).toBe(5 * SECOND);
  expect(guestPollDelay(pending, T)).toBe(SECOND);
  expect(guestPollDelay(pending, T + 20 * SECOND)).toBe(2 * SECOND);
  expect(guestPollDelay({ ...pending, state: 'expired' }, T + 2 * HOUR)).toBe(MINUTE);
  expect(guestPollDelay({ ...pending, state: 'succeeded' }, T)).toBe(MINUTE);
});
