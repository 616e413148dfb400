import type { AttemptStatus } from '@innkeep/core/contract';
import { expect, test } from 'vitest';
import {
  ATTEMPT_EVENTS,
  type AttemptEvent,
  canStillMove,
  endedWithoutMoney,
  hasFailed,
  nextAttemptStatus,
} from './attempt-machine.ts';

// Written from the rules, not from the table: every cell that is not here must be empty.
const ENDINGS: Readonly<Partial<Record<AttemptEvent, AttemptStatus>>> = {
  record_consistent: 'succeeded',
  card_refused: 'declined',
  ended_with_error: 'failed',
  ended_by_guest: 'canceled',
  record_contradicts: 'unknown',
  record_unreadable: 'unknown',
};
/** Money that shows after an ending without money. */
const LATE: typeof ENDINGS = {
  record_consistent: 'succeeded',
  record_contradicts: 'unknown',
  record_unreadable: 'unknown',
  resolved_succeeded: 'succeeded',
};
const EXPECTED: Readonly<Record<AttemptStatus, typeof ENDINGS>> = {
  pending: { ...ENDINGS, guest_gone: 'abandoned' },
  abandoned: { ...ENDINGS, resolved_succeeded: 'succeeded', resolved_failed: 'failed' },
  unknown: {
    record_consistent: 'succeeded',
    record_contradicts: 'unknown',
    resolved_succeeded: 'succeeded',
    resolved_failed: 'failed',
  },
  succeeded: {},
  declined: LATE,
  canceled: LATE,
  failed: LATE,
};
const STATUSES = Object.keys(EXPECTED) as AttemptStatus[];
const CELLS = STATUSES.flatMap((status) => ATTEMPT_EVENTS.map((event) => [status, event] as const));

test.each(CELLS)('%s × %s', (status, event) => {
  expect(nextAttemptStatus(status, event)).toBe(EXPECTED[status][event]);
});

test('money that shows late moves whatever has not succeeded', () => {
  expect(STATUSES.filter((status) => !canStillMove(status))).toEqual(['succeeded']);
  expect(STATUSES.filter(endedWithoutMoney).sort()).toEqual(['abandoned', 'canceled', 'declined', 'failed']);
  expect(STATUSES.filter(hasFailed).sort()).toEqual(['canceled', 'declined', 'failed']);
});
