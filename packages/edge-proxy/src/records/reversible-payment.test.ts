import { describe, expect, test } from 'vitest';
import {
  ACTOR,
  CARD_RESULT,
  CREATED_AT,
  HOTEL,
  NEW_CHARGE_RECORD,
  NEW_REVERSAL_RECORD,
  OPEN_SESSION,
  PAYMENT_RESULT,
  sessionWith,
} from '../../test-support/records.ts';
import { paymentOfCharge } from '../money/charge-payment.ts';
import type { AttemptRecord } from '../sessions/attempt-record.ts';
import { paymentOfSession } from '../sessions/session-payment.ts';
import { isInOtherUnit } from './reversible-payment.ts';

const { by } = ACTOR;
const RESOLUTION = { status: 'succeeded', evidence: 'Portal', transactionId: 'TX-1', by, at: CREATED_AT } as const;
const eur = (value: number) => ({ value, currency: 'EUR' });
/** What both kinds of payment are refunded with. */
const MADE_WITH = { reference: 'RES-1', paymentTransactionId: 'TX-1', serviceProvider: 'TEST_HOSTED', hotel: HOTEL };

describe('a session', () => {
  const paid: Partial<AttemptRecord> = { status: 'succeeded', result: PAYMENT_RESULT };
  const once = sessionWith([{ status: 'declined' }, paid]);
  const payment = { ...MADE_WITH, total: eur(12_240), attempt: 2 };

  test('is refunded with what its hosted page was opened with, surcharge included', () => {
    expect(paymentOfSession(once, null)).toStrictEqual({ ok: true, value: payment });
    expect(paymentOfSession(once, 2)).toStrictEqual({ ok: true, value: payment });
  });

  test('that was paid twice is refunded by the number of the attempt alone', () => {
    const twice = sessionWith([{ ...paid, result: { ...PAYMENT_RESULT, transactionId: 'TX-0' } }, {}, paid]);
    expect(paymentOfSession(twice, null)).toMatchObject({
      ok: false,
      code: 'invalid_request',
      detail: 'Attempts 1 and 3 of this session were paid: name the one you mean',
      param: 'attempt',
      resource: 'cs_1',
    });
    expect(paymentOfSession(twice, 1)).toMatchObject({ value: { attempt: 1, paymentTransactionId: 'TX-0' } });
    expect(paymentOfSession(twice, 3)).toMatchObject({ value: { attempt: 3, paymentTransactionId: 'TX-1' } });
    expect(paymentOfSession(twice, 2)).toStrictEqual({ ok: true, value: undefined });
  });

  test.each([
    ['a hundred times as much', 1_200_000, true],
    ['a hundred times as much with a surcharge', 1_224_000, true],
    ['a hundredth', 120, true],
    ['a hundredth with a surcharge', 123, true],
    ['what was asked for', 12_000, false],
    ['fifty times as much', 600_000, false],
    ['two hundred times as much', 2_400_000, false],
    ['a fiftieth', 240, false],
    ['next to nothing', 1, false],
    ['a little more', 13_000, false],
  ])('of which a person found that %s was taken', (_, value, isInOtherUnit) => {
    const amount = eur(value);
    const resolution = { ...RESOLUTION, amount };
    const record = sessionWith([{ ...paid, result: { ...PAYMENT_RESULT, total: amount }, resolution }]);
    const expected = { ...payment, attempt: 1, total: amount, ...(isInOtherUnit && { isInOtherUnit }) };
    expect(paymentOfSession(record, null)).toStrictEqual({ ok: true, value: expected });
  });

  test('that a person resolved without an amount, or with that of another currency, keeps its unit', () => {
    for (const resolution of [RESOLUTION, { ...RESOLUTION, amount: { value: 1_200_000, currency: 'USD' } }]) {
      const found = paymentOfSession(sessionWith([{ ...paid, resolution }]), null);
      expect(found).toStrictEqual({ ok: true, value: { ...payment, attempt: 1 } });
    }
  });

  test('in a currency without decimals has no other unit', () => {
    const yen = (value: number) => ({ value, currency: 'JPY' });
    expect(isInOtherUnit(yen(12_000), yen(1_200_000))).toBe(false);
  });

  test.each<[string, Partial<AttemptRecord>[]]>([
    ['that nobody has started', []],
    ['that has not succeeded', [{ ...paid, status: 'unknown' }]],
    ['without a result', [{ ...paid, result: null }]],
    ['whose transaction nobody knows', [{ ...paid, result: { ...PAYMENT_RESULT, transactionId: null } }]],
  ])('%s has nothing to refund', (_, attempts) => {
    for (const wanted of [null, 1]) {
      expect(paymentOfSession(sessionWith(attempts), wanted)).toStrictEqual({ ok: true, value: undefined });
    }
  });

  test('that stored cards has nothing to refund, and need not say of which', () => {
    const stored = { ...paid, result: CARD_RESULT };
    const record = sessionWith([stored, stored], { base: { ...OPEN_SESSION, kind: 'card' } });
    expect(paymentOfSession(record, null)).toStrictEqual({ ok: true, value: undefined });
  });
});

describe('a charge', () => {
  const paid = { ...NEW_CHARGE_RECORD, state: 'succeeded', transactionId: 'TX-1' } as const;

  test('is refunded with what it was made with', () => {
    expect(paymentOfCharge(paid)).toStrictEqual({ ...MADE_WITH, total: eur(8_000), attempt: null });
  });

  test('of which a person found that another amount was taken is refunded up to that', () => {
    const found = (value: number) => paymentOfCharge({ ...paid, resolution: { ...RESOLUTION, amount: eur(value) } });
    expect(found(8_200)).toMatchObject({ total: eur(8_200) });
    expect([found(8_200)?.isInOtherUnit, found(80)?.isInOtherUnit]).toEqual([undefined, true]);
  });

  test.each([
    ['a reversal', { ...NEW_REVERSAL_RECORD, state: 'succeeded', transactionId: 'TX-1' }],
    ['one that has not succeeded', { ...paid, state: 'unknown' }],
    ['one whose transaction nobody knows', { ...paid, transactionId: null }],
  ] as const)('is not %s', (_, record) => {
    expect(paymentOfCharge(record)).toBeUndefined();
  });
});
