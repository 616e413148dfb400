import { describe, expect, test } from 'vitest';
import { ACTOR, CREATED_AT, HOTEL, NEW_CHARGE_RECORD, NEW_REVERSAL_RECORD } from '../../test-support/records.ts';
import { type MoneyRecord, newCharge, newReversal, toMerchantOperation } from './money-record.ts';
import { NEW_PROGRESS } from './money-transition.ts';

const PROPERTY = {
  id: 'aurora',
  livemode: false,
  ...HOTEL,
  baseUrl: 'https://pay.test/api',
  password: 'password-marker',
};
const ORIGIN = { id: 'ch_1', property: PROPERTY, createdAt: CREATED_AT, actor: ACTOR };
const { amount, reason, serviceProvider } = NEW_CHARGE_RECORD;
const BODY = { token: 'TOKEN-SECRET-9876', amount, reference: 'RES-1', reason, serviceProvider } as const;

/** The fields of a record that it has not got yet when it is asked for. */
function without(record: MoneyRecord, ...later: string[]): object {
  const left = Object.entries(record).filter(([name]) => !(name in NEW_PROGRESS) && !later.includes(name));
  return Object.fromEntries(left);
}

test.each([
  ['keeps what was asked for and what the call is made with, and no token', {}],
  ['goes to the provider that its token comes from', { text: 'Thank you', serviceProvider: 'TEST_DIRECT' }],
])('a new charge %s', (_, changes) => {
  const asked = without(NEW_CHARGE_RECORD, 'sealedToken', 'maskedCard', 'sums');
  expect(newCharge({ ...BODY, tokenFrom: 'hosted', allowDuplicate: false, ...changes }, ORIGIN)).toStrictEqual({
    ...asked,
    ...changes,
  });
});

test.each([
  [{}, { attempt: null, amount: null }],
  [
    { attempt: 2, amount },
    { attempt: 2, amount },
  ],
])('a new reversal of %o asks for %o', (body, asked) => {
  const common = without(NEW_REVERSAL_RECORD, 'reference', 'paymentTransactionId', 'serviceProvider', 'hotel', 'epoch');
  const reversal = { payment: 'cs_1', allowDuplicate: false, ...body };
  expect(newReversal(reversal, { ...ORIGIN, id: 'rv_1', isLimited: false })).toStrictEqual({ ...common, ...asked });
});

describe('a merchant sees', () => {
  const eur = (value: number) => ({ value, currency: 'EUR' });
  const begun = {
    property: 'aurora',
    livemode: false,
    status: 'created',
    final: false,
    seq: 1,
    reference: 'RES-1',
    by: ACTOR.by,
    note: null,
    transactionId: null,
    error: null,
    createdAt: '2026-06-01T12:00:00.000Z',
    completedAt: null,
  };
  const ofCharge = { object: 'charge', id: 'ch_1', amount: eur(8_000), reason: 'no_show', maskedCard: null };
  const charge = { ...begun, ...ofCharge, reversed: eur(0), reversing: eur(0) };

  test('a charge that has begun, without its token', () => {
    expect(toMerchantOperation(NEW_CHARGE_RECORD)).toStrictEqual(charge);
  });

  test('a charge that was made, and what was refunded of it', () => {
    const made = { seq: 3, transactionId: 'TX-1', maskedCard: '424242******4242' };
    const sums = { reversed: 2_000, reversing: 1_000 };
    const ended = { state: 'succeeded', completedAt: CREATED_AT + 1_000 } as const;
    expect(toMerchantOperation({ ...NEW_CHARGE_RECORD, ...made, ...ended, sums })).toStrictEqual({
      ...charge,
      ...made,
      status: 'succeeded',
      final: true,
      reversed: eur(2_000),
      reversing: eur(1_000),
      completedAt: '2026-06-01T12:00:01.000Z',
    });
  });

  test('a reversal, and who resolved it', () => {
    const at = CREATED_AT + 60_000;
    const resolution = { status: 'failed', evidence: 'Portal', transactionId: null, by: ACTOR.by, at } as const;
    const ended = { seq: 4, error: { code: 'not_executed', message: 'Portal' } };
    const record: MoneyRecord = { ...NEW_REVERSAL_RECORD, ...ended, state: 'failed', resolution, completedAt: at };
    const ofReversal = {
      object: 'reversal',
      id: 'rv_1',
      payment: 'cs_1',
      attempt: 1,
      amount: eur(5_000),
      reason: null,
    };
    expect(toMerchantOperation(record)).toStrictEqual({
      ...begun,
      ...ofReversal,
      ...ended,
      status: 'failed',
      final: true,
      completedAt: '2026-06-01T12:01:00.000Z',
      resolution: { ...resolution, at: '2026-06-01T12:01:00.000Z' },
    });
  });
});
