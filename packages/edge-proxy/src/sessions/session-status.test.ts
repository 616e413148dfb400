import type { AttemptStatus } from '@innkeep/core/contract';
import { expect, test } from 'vitest';
import { PENDING_ATTEMPT, sessionWith } from '../../test-support/records.ts';
import { firstSuccess } from '../records/first-success.ts';
import type { AttemptRecord } from './attempt-record.ts';
import { NEW_WATCH } from './attempt-watch.ts';
import { type Closing, isFinalSession, type StatusInput, sessionStatus, settlesAt } from './session-status.ts';

const DAY = 24 * 60 * 60_000;
const CLOSED: Closing = { at: 5, by: 'deadline', isSettled: false };

function input(statuses: readonly AttemptStatus[], closed: Closing | null = null): StatusInput {
  return { attempts: statuses.map((status) => ({ status, endedAt: 1 })), closed };
}

test.each<[readonly AttemptStatus[], 'succeeded' | 'unknown' | 'pending' | undefined]>([
  [[], undefined],
  [['declined', 'canceled', 'failed', 'abandoned'], undefined],
  [['declined', 'pending'], 'pending'],
  [['unknown', 'pending'], 'unknown'],
  [['succeeded', 'unknown', 'pending', 'declined'], 'succeeded'],
])('attempts that are %j make it %s, whether closed or not', (statuses, status) => {
  expect(sessionStatus(input(statuses))).toBe(status ?? 'open');
  expect(sessionStatus(input(statuses, CLOSED))).toBe(status ?? 'expired');
});

test('only a success and an expiry that is settled are final', () => {
  const settled = { ...CLOSED, isSettled: true };
  expect(isFinalSession(input(['unknown', 'succeeded']))).toBe(true);
  expect(isFinalSession(input(['abandoned'], settled))).toBe(true);
  expect(isFinalSession(input(['abandoned'], CLOSED))).toBe(false);
  for (const status of ['unknown', 'pending'] as const) expect(isFinalSession(input([status], settled))).toBe(false);
  expect(isFinalSession(input(['declined']))).toBe(false);
});

test('it settles a day after the last attempt was abandoned or its guest came back, and at once without one', () => {
  const T = PENDING_ATTEMPT.startedAt;
  const returned = { ...NEW_WATCH, returnedAt: T + 4 };
  const settled = (...attempts: Partial<AttemptRecord>[]): number => settlesAt(sessionWith(attempts)) - T;
  const abandoned = { status: 'abandoned', since: T + 3 } as const;
  const declined = { status: 'declined', since: T + 9 } as const;
  expect(settled(abandoned, { ...abandoned, since: T + 2 }, declined)).toBe(3 + DAY);
  expect(settled(abandoned, { ...abandoned, since: T + 2, watch: returned }, declined)).toBe(4 + DAY);
  expect(settlesAt(sessionWith([declined]))).toBe(0);
});

test('the payment of a session is the one that was seen first, whichever attempt it was', () => {
  const ended = (status: AttemptStatus, endedAt: number | string | null) => ({ status, endedAt });
  expect(firstSuccess([ended('declined', 1), ended('succeeded', 9), ended('succeeded', 4)])?.endedAt).toBe(4);
  const listed = [ended('succeeded', '2026-06-01T10:05:00.000Z'), ended('succeeded', '2026-06-01T10:04:00.000Z')];
  expect(firstSuccess(listed)).toBe(listed[1]);
  expect(firstSuccess([ended('unknown', null)])).toBeUndefined();
});
