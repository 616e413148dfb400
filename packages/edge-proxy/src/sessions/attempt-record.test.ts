import { describe, expect, test } from 'vitest';
import {
  ACTOR,
  CARD_RESULT,
  CREATED_AT,
  HOSTED,
  HOTEL,
  PENDING_ATTEMPT,
  RECORDED,
} from '../../test-support/records.ts';
import { hotelSnapshot } from '../properties/hotel-snapshot.ts';
import { type AttemptRecord, isAwaited, scheduleInput, toMerchantAttempt } from './attempt-record.ts';

const eur = (value: number) => ({ value, currency: 'EUR' });
const { watch, startedAt } = PENDING_ATTEMPT;
const RESOLUTION = { status: 'failed', evidence: 'Portal', transactionId: null, by: ACTOR.by, at: 1 } as const;

test('a snapshot takes the settings that a call needs, and no secret', () => {
  expect(hotelSnapshot({ ...HOSTED, password: 'password-marker' } as typeof HOSTED)).toStrictEqual(HOTEL);
  // Of an older version.
  const { origin: _, ...older } = HOSTED;
  expect(hotelSnapshot(older)).toStrictEqual(HOTEL);
});

test.each<[string, Partial<AttemptRecord>, object]>([
  ['a start', {}, {}],
  ['a start again', { askedAgainAt: startedAt + 5 }, { guestSeenAt: startedAt + 5 }],
  [
    'a return after a start again',
    { askedAgainAt: startedAt + 5, watch: { ...watch, returnedAt: startedAt + 6 } },
    { guestSeenAt: startedAt + 6 },
  ],
  ['something seen that asks for another poll', { watch: { ...watch, recheckAt: 7 } }, { recheckAt: 7 }],
  ['the end of an outage', { watch: { ...watch, resumedAt: 7 } }, { resumedAt: 7 }],
])('the schedule knows of %s', (_, change, known) => {
  expect(scheduleInput({ ...PENDING_ATTEMPT, ...change }, { expiresAt: 9, closed: null })).toStrictEqual({
    status: 'pending',
    since: startedAt,
    expiresAt: 9,
    guestSeenAt: startedAt,
    recheckAt: null,
    resumedAt: null,
    closedAt: null,
    ...known,
  });
});

const MINUTES = 60_000;
const DAY = 24 * 60 * MINUTES;
const at = 100 * MINUTES;
const back = { ...watch, successReturnAt: at, returnedAt: at };
const unclear = { ...back, refusal: 'unclear' } as const;
const refused = { ...back, refusal: 'declined' } as const;
const failed = { status: 'failed', endedAt: at } as const;
test.each<[string, Partial<AttemptRecord>, number | undefined]>([
  ['while it is pending', { watch: back }, Number.POSITIVE_INFINITY],
  ['for a day once it was abandoned', { status: 'abandoned', since: at - 9, watch: back }, DAY],
  ['for a while after it failed', { ...failed, endedAt: at - 9, watch: back }, 15 * MINUTES],
  ['for as long when it failed afterwards', { ...failed, endedAt: at + 9, watch: back }, 15 * MINUTES],
  ['also after a record without a reason', { ...failed, watch: unclear }, 15 * MINUTES],
  ['not after a refused card', { status: 'declined', endedAt: at - 9, watch: refused }, undefined],
  ['not after a person has decided', { ...failed, watch: back, resolution: RESOLUTION }, undefined],
  ['not while it is in doubt', { status: 'unknown', watch: back }, undefined],
  ['not when its guest did not', { ...failed, watch }, undefined],
])('an attempt whose guest came back as having paid is waited for %s', (_, change, forMs = 0) => {
  const attempt: AttemptRecord = { ...PENDING_ATTEMPT, startedAt: at - 10, ...change };
  const until = Math.min(at + forMs, Number.MAX_SAFE_INTEGER);
  expect([isAwaited(attempt, until - 1), isAwaited(attempt, until)]).toEqual([forMs > 0, forMs > DAY]);
});

describe('a merchant sees', () => {
  const pending = {
    number: 1,
    status: 'pending',
    error: null,
    amount: eur(12_000),
    surcharge: true,
    startedAt: '2026-06-01T12:00:10.000Z',
    endedAt: null,
    late: false,
    result: null,
    recorded: null,
    resolution: null,
    reversed: null,
    reversing: null,
  };
  const ended = { endedAt: CREATED_AT + 60_000 };
  const seenEnded = { endedAt: '2026-06-01T12:01:00.000Z' };

  test('an attempt under way, without what only the proxy needs', () => {
    expect(toMerchantAttempt(PENDING_ATTEMPT, null)).toStrictEqual(pending);
  });

  test('what contradicted, nothing late while it is doubtful, and who resolved it', () => {
    const error = { code: 'record_mismatch', message: 'It does not fit' } as const;
    const doubtful = { ...PENDING_ATTEMPT, status: 'unknown', hadEnded: true, error, recorded: RECORDED } as const;
    const shown = { ...pending, status: 'unknown', error, recorded: RECORDED };
    expect(toMerchantAttempt(doubtful, null)).toStrictEqual(shown);
    const resolution = { ...RESOLUTION, at: CREATED_AT };
    expect(toMerchantAttempt({ ...doubtful, ...ended, status: 'failed', resolution }, null)).toMatchObject({
      ...seenEnded,
      recorded: RECORDED,
      resolution: { ...resolution, at: '2026-06-01T12:00:00.000Z' },
    });
  });

  test.each(['TOKEN-9876', null])('the token of a card as it is handed over: %s', (token) => {
    const stored: AttemptRecord = { ...PENDING_ATTEMPT, status: 'succeeded', result: CARD_RESULT };
    const { sealedToken: _sealed, tokenLast4: _last4, ...card } = CARD_RESULT;
    expect(toMerchantAttempt(stored, token)).toMatchObject({ reversed: null, reversing: null });
    expect(toMerchantAttempt(stored, token).result).toStrictEqual({ token, ...card });
  });
});

test('what an older version stored for the last day of a card, and is no date, is not shown', () => {
  const result = { ...CARD_RESULT, tokenValidUntil: '12/30' };
  expect(toMerchantAttempt({ ...PENDING_ATTEMPT, result }, null).result).toMatchObject({ tokenValidUntil: null });
});
