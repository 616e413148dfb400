import { describe, expect, test } from 'vitest';
import { ACTOR, CREATED_AT, HOTEL, NEW_CHARGE_RECORD, NEW_REVERSAL_RECORD } from '../../test-support/records.ts';
import { type MoneyRecord, newCharge, newReversal, toMerchantOperation } from './money-record.ts';

const origin = {
  id: 'ch_1',
  property: {
    id: 'aurora',
    livemode: false,
    ...HOTEL,
    baseUrl: 'https://pay.test/api',
    password: 'password-marker',
  },
  createdAt: CREATED_AT,
  actor: ACTOR,
};
const BODY = {
  token: 'TOKEN-SECRET-9876',
  amount: { value: 8_000, currency: 'EUR' },
  reference: 'RES-1',
  reason: 'no_show',
  tokenFrom: 'hosted',
  allowDuplicate: false,
  serviceProvider: 'TEST_HOSTED',
} as const;
const ASKED = {
  kind: 'charge',
  id: 'ch_1',
  property: 'aurora',
  livemode: false,
  createdAt: CREATED_AT,
  madeBy: ACTOR,
  amount: { value: 8_000, currency: 'EUR' },
  reference: 'RES-1',
  reason: 'no_show',
  note: null,
  text: null,
  serviceProvider: 'TEST_HOSTED',
  hotel: HOTEL,
};

describe('a new charge', () => {
  test('keeps what was asked for and what the call is made with, and no token', () => {
    expect(newCharge(BODY, origin)).toStrictEqual(ASKED);
  });

  test('goes to the provider that its token comes from', () => {
    const moto = newCharge({ ...BODY, text: 'Thank you', serviceProvider: 'TEST_DIRECT' }, origin);
    expect(moto).toStrictEqual({ ...ASKED, text: 'Thank you', serviceProvider: 'TEST_DIRECT' });
  });
});

test.each([
  [{}, { attempt: null, amount: null }],
  [
    { attempt: 2, amount: { value: 5_000, currency: 'EUR' } },
    { attempt: 2, amount: { value: 5_000, currency: 'EUR' } },
  ],
])('a new reversal of %o asks for %o', (body, asked) => {
  expect(
    newReversal({ payment: 'cs_1', allowDuplicate: false, ...body }, { ...origin, id: 'rv_1', isLimited: false }),
  ).toStrictEqual({
    kind: 'reversal',
    id: 'rv_1',
    property: 'aurora',
    livemode: false,
    createdAt: CREATED_AT,
    madeBy: ACTOR,
    isLimited: false,
    reason: null,
    note: null,
    payment: 'cs_1',
    ...asked,
  });
});

describe('a merchant sees', () => {
  const charge = {
    object: 'charge',
    id: 'ch_1',
    property: 'aurora',
    livemode: false,
    status: 'created',
    final: false,
    seq: 1,
    amount: { value: 8_000, currency: 'EUR' },
    reference: 'RES-1',
    reason: 'no_show',
    by: ACTOR.by,
    note: null,
    transactionId: null,
    maskedCard: null,
    error: null,
    reversed: { value: 0, currency: 'EUR' },
    reversing: { value: 0, currency: 'EUR' },
    createdAt: '2026-06-01T12:00:00.000Z',
    completedAt: null,
  };

  test('a charge that has begun, without its token', () => {
    expect(toMerchantOperation(NEW_CHARGE_RECORD)).toStrictEqual(charge);
  });

  test('a charge that was made, and what was refunded of it', () => {
    const record: MoneyRecord = {
      ...NEW_CHARGE_RECORD,
      seq: 3,
      state: 'succeeded',
      completedAt: CREATED_AT + 1_000,
      transactionId: 'TX-1',
      maskedCard: '424242******4242',
      sums: { reversed: 2_000, reversing: 1_000 },
    };
    expect(toMerchantOperation(record)).toStrictEqual({
      ...charge,
      status: 'succeeded',
      final: true,
      seq: 3,
      transactionId: 'TX-1',
      maskedCard: '424242******4242',
      reversed: { value: 2_000, currency: 'EUR' },
      reversing: { value: 1_000, currency: 'EUR' },
      completedAt: '2026-06-01T12:00:01.000Z',
    });
  });

  test('a reversal, and who resolved it', () => {
    const resolution = {
      status: 'failed',
      evidence: 'Portal',
      transactionId: null,
      by: ACTOR.by,
      at: CREATED_AT + 60_000,
    } as const;
    const error = { code: 'not_executed', message: 'Portal' };
    const record: MoneyRecord = {
      ...NEW_REVERSAL_RECORD,
      seq: 4,
      state: 'failed',
      error,
      resolution,
      completedAt: CREATED_AT + 60_000,
    };
    expect(toMerchantOperation(record)).toStrictEqual({
      object: 'reversal',
      id: 'rv_1',
      property: 'aurora',
      livemode: false,
      status: 'failed',
      final: true,
      seq: 4,
      payment: 'cs_1',
      attempt: 1,
      amount: { value: 5_000, currency: 'EUR' },
      transactionId: null,
      error,
      by: ACTOR.by,
      note: null,
      reference: 'RES-1',
      reason: null,
      createdAt: '2026-06-01T12:00:00.000Z',
      completedAt: '2026-06-01T12:01:00.000Z',
      resolution: { ...resolution, at: '2026-06-01T12:01:00.000Z' },
    });
  });
});
