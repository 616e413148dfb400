import type { CardBrand } from '@innkeep/core/values';
import { describe, expect, test } from 'vitest';
import {
  CARD_RESULT,
  CREATED_AT,
  HOSTED,
  HOTEL,
  OPEN_SESSION,
  PAYMENT_RESULT,
  PENDING_SESSION,
} from '../../test-support/records.ts';
import {
  hotelSnapshot,
  newRecord,
  newSession,
  type SessionRecord,
  scheduleFacts,
  toCheckoutView,
  toMerchantSession,
} from './session-record.ts';

const AMOUNT = { value: 12_000, currency: 'EUR' };
const CARD_SESSION: SessionRecord = { ...OPEN_SESSION, kind: 'card', amount: null, surcharge: false };
const PAID: SessionRecord = {
  ...PENDING_SESSION,
  seq: 3,
  state: 'succeeded',
  since: CREATED_AT + 60_000,
  completedAt: CREATED_AT + 60_000,
  result: PAYMENT_RESULT,
};

describe('a new session', () => {
  const origin = {
    id: 'cs_1',
    property: {
      id: 'aurora',
      displayName: 'Hotel Aurora',
      acceptedBrands: ['visa', 'mastercard'] satisfies CardBrand[],
      livemode: false,
      password: 'password-marker',
    },
    createdAt: CREATED_AT,
  };
  const common = { reference: 'RES-1', metadata: { bookingId: '1' }, expiresInSeconds: 3_600 };

  test('of a payment is what was asked for', () => {
    const body = {
      kind: 'payment',
      amount: AMOUNT,
      surcharge: true,
      ...common,
      description: '2 nights',
      returnUrl: 'https://aurora.test/booking',
    } as const;
    expect(newRecord(newSession(body, origin))).toStrictEqual(OPEN_SESSION);
  });

  test('of a card has neither amount nor surcharge, and what was left out is null', () => {
    expect(newRecord(newSession({ kind: 'card', ...common }, origin))).toStrictEqual({
      ...CARD_SESSION,
      description: null,
      returnUrl: null,
    });
  });

  test('may be a payment without a surcharge', () => {
    const body = { kind: 'payment', amount: AMOUNT, surcharge: false, ...common } as const;
    expect(newSession(body, origin)).toMatchObject({ amount: AMOUNT, surcharge: false });
  });
});

test('a snapshot takes the settings that a call needs, and no secret', () => {
  expect(hotelSnapshot({ ...HOSTED, password: 'password-marker' } as typeof HOSTED)).toStrictEqual(HOTEL);
});

describe('the facts of the schedule', () => {
  const started = CREATED_AT + 10_000;
  const facts = {
    state: 'pending',
    since: started,
    startedAt: started,
    expiresAt: OPEN_SESSION.expiresAt,
    returnedAt: null,
    guestSeenAt: started,
    askedAt: null,
  };

  test.each([
    ['a start', {}, {}],
    ['a start again', { askedAgainAt: started + 5 }, { guestSeenAt: started + 5 }],
    [
      'a return after a start again',
      { askedAgainAt: started + 5, watch: { ...OPEN_SESSION.watch, returnedAt: started + 6 } },
      { returnedAt: started + 6, guestSeenAt: started + 6 },
    ],
    [
      'somebody who asked, which is no sign of the guest',
      { watch: { ...OPEN_SESSION.watch, askedAt: started + 7 } },
      { askedAt: started + 7 },
    ],
  ] as const)('know of %s', (_, change, known) => {
    expect(scheduleFacts({ ...PENDING_SESSION, ...change })).toStrictEqual({ ...facts, ...known });
  });

  test('count from the creation of a session that nobody has started', () => {
    expect(scheduleFacts(OPEN_SESSION)).toMatchObject({ startedAt: CREATED_AT, guestSeenAt: CREATED_AT });
  });
});

describe('a merchant sees', () => {
  const open = {
    object: 'checkout_session',
    id: 'cs_1',
    property: 'aurora',
    kind: 'payment',
    status: 'open',
    final: false,
    seq: 1,
    amount: AMOUNT,
    reference: 'RES-1',
    description: '2 nights',
    surcharge: true,
    returnUrl: 'https://aurora.test/booking',
    metadata: { bookingId: '1' },
    livemode: false,
    previous: null,
    createdAt: '2026-06-01T12:00:00.000Z',
    startedAt: null,
    completedAt: null,
    expiresAt: '2026-06-01T13:00:00.000Z',
    late: false,
    result: null,
    error: null,
    recorded: null,
    reversed: null,
    reversing: null,
  };
  const paid = {
    ...open,
    status: 'succeeded',
    final: true,
    seq: 3,
    startedAt: '2026-06-01T12:00:10.000Z',
    completedAt: '2026-06-01T12:01:00.000Z',
    result: PAYMENT_RESULT,
    reversed: { value: 0, currency: 'EUR' },
    reversing: { value: 0, currency: 'EUR' },
  };

  test('a session that nobody has started', () => {
    expect(toMerchantSession(OPEN_SESSION, null)).toStrictEqual(open);
  });

  test('one that expired before anybody started it as expired', () => {
    expect(toMerchantSession({ ...OPEN_SESSION, state: 'lapsed' }, null)).toMatchObject({
      status: 'expired',
      final: true,
    });
  });

  test('a payment', () => {
    expect(toMerchantSession(PAID, null)).toStrictEqual(paid);
  });

  test('a late payment, and what was given back of it', () => {
    const reversals = { reversed: 2_000, reversing: 1_000 };
    expect(toMerchantSession({ ...PAID, endedBefore: true, reversals }, null)).toStrictEqual({
      ...paid,
      late: true,
      reversed: { value: 2_000, currency: 'EUR' },
      reversing: { value: 1_000, currency: 'EUR' },
    });
  });

  test('nothing late while the outcome is doubtful', () => {
    expect(toMerchantSession({ ...PAID, state: 'unknown', endedBefore: true }, null)).toMatchObject({ late: false });
  });

  test('what contradicted, and who resolved it', () => {
    const recorded = {
      amount: null,
      base: null,
      surcharge: null,
      wireAmount: 1.5,
      currency: 'EUR',
      transactionId: null,
      paymentObjectId: null,
      maskedCard: null,
      returnCode: '0',
    };
    const resolution = {
      status: 'failed',
      evidence: 'Portal',
      transactionId: null,
      by: 'web',
      at: CREATED_AT,
    } as const;
    const error = { code: 'upstream_failed', message: 'Resolved by hand: Portal' } as const;
    const record: SessionRecord = { ...PENDING_SESSION, state: 'failed', error, recorded, resolution };
    expect(toMerchantSession(record, null)).toStrictEqual({
      ...open,
      seq: 2,
      status: 'failed',
      final: true,
      startedAt: '2026-06-01T12:00:10.000Z',
      error,
      recorded,
      resolution: { ...resolution, at: '2026-06-01T12:00:00.000Z' },
    });
  });

  test.each(['TOKEN-9876', null])('the token of a card as it is handed over: %s', (token) => {
    const record: SessionRecord = { ...CARD_SESSION, state: 'succeeded', result: CARD_RESULT };
    const { sealedToken: _sealed, tokenLast4: _last4, ...card } = CARD_RESULT;
    expect(toMerchantSession(record, token)).toStrictEqual({
      ...open,
      kind: 'card',
      amount: null,
      surcharge: false,
      status: 'succeeded',
      final: true,
      result: { token, ...card },
    });
  });
});

describe('a guest sees', () => {
  const open = {
    id: 'cs_1',
    kind: 'payment',
    status: 'open',
    final: false,
    seq: 1,
    returned: false,
    livemode: false,
    amount: AMOUNT,
    surcharge: true,
    hotelName: 'Hotel Aurora',
    acceptedBrands: ['visa', 'mastercard'],
    reference: 'RES-1',
    description: '2 nights',
    receipt: null,
    error: null,
    expiresAt: '2026-06-01T13:00:00.000Z',
    nextPollMs: 5_000,
  };

  test('a session that can be started', () => {
    expect(toCheckoutView(OPEN_SESSION, CREATED_AT)).toStrictEqual(open);
  });

  test('one that is being paid, and when to ask again', () => {
    expect(toCheckoutView(PENDING_SESSION, CREATED_AT + 25_000)).toStrictEqual({
      ...open,
      status: 'pending',
      seq: 2,
      nextPollMs: 2_000,
    });
  });

  test('no brands in a session of a version that did not store them', () => {
    const { acceptedBrands: _, ...older } = OPEN_SESSION;
    expect(toCheckoutView(older, CREATED_AT)).toMatchObject({ acceptedBrands: [] });
  });

  test('the receipt of a payment', () => {
    const { total, base, surcharge, maskedCard } = PAYMENT_RESULT;
    expect(toCheckoutView(PAID, CREATED_AT)).toStrictEqual({
      ...open,
      status: 'succeeded',
      final: true,
      seq: 3,
      receipt: { base, surcharge, total, maskedCard, completedAt: '2026-06-01T12:01:00.000Z' },
      nextPollMs: null,
    });
  });

  test('the receipt of a card, without its token', () => {
    const record: SessionRecord = { ...CARD_SESSION, state: 'succeeded', result: CARD_RESULT };
    expect(toCheckoutView(record, CREATED_AT)).toStrictEqual({
      ...open,
      kind: 'card',
      amount: null,
      surcharge: false,
      status: 'succeeded',
      final: true,
      receipt: {
        base: null,
        surcharge: null,
        total: null,
        maskedCard: CARD_RESULT.maskedCard,
        completedAt: '2026-06-01T12:00:00.000Z',
      },
      nextPollMs: null,
    });
  });

  test('the code of an error and not its message', () => {
    const error = { code: 'upstream_failed', message: 'Resolved by hand: Portal' } as const;
    expect(toCheckoutView({ ...PENDING_SESSION, state: 'failed', error }, CREATED_AT)).toStrictEqual({
      ...open,
      status: 'failed',
      final: true,
      seq: 2,
      error: { code: 'upstream_failed' },
      nextPollMs: null,
    });
  });
});
