import { describe, expect, test } from 'vitest';
import {
  CARD_RESULT,
  HOTEL,
  NEW_CHARGE_RECORD,
  NEW_REVERSAL_RECORD,
  PAYMENT_RESULT,
  PENDING_SESSION,
} from '../../test-support/records.ts';
import { paymentOfCharge, paymentOfSession } from './reversible-payment.ts';
import type { SessionRecord } from './session-record.ts';

describe('a session', () => {
  const paid: SessionRecord = { ...PENDING_SESSION, state: 'succeeded', result: PAYMENT_RESULT };

  test('is given back with what its hosted page was opened with, surcharge included', () => {
    expect(paymentOfSession(paid)).toStrictEqual({
      total: { value: 12_240, currency: 'EUR' },
      reference: 'RES-1',
      paymentTransactionId: 'TX-1',
      serviceProvider: 'TEST_HOSTED',
      hotel: HOTEL,
    });
  });

  test.each<[string, Partial<SessionRecord>]>([
    ['that has not succeeded', { state: 'unknown' }],
    ['that was never started', { hosted: null }],
    ['without a result', { result: null }],
    ['that stored a card', { result: CARD_RESULT }],
    ['whose transaction nobody knows', { result: { ...PAYMENT_RESULT, transactionId: null } }],
  ])('%s has nothing to give back', (_, change) => {
    expect(paymentOfSession({ ...paid, ...change })).toBeUndefined();
  });
});

describe('a charge', () => {
  const paid = { ...NEW_CHARGE_RECORD, state: 'succeeded', transactionId: 'TX-1' } as const;

  test('is given back with what it was made with', () => {
    expect(paymentOfCharge(paid)).toStrictEqual({
      total: { value: 8_000, currency: 'EUR' },
      reference: 'RES-1',
      paymentTransactionId: 'TX-1',
      serviceProvider: 'TEST_HOSTED',
      hotel: HOTEL,
    });
  });

  test.each([
    ['a reversal', { ...NEW_REVERSAL_RECORD, state: 'succeeded', transactionId: 'TX-1' }],
    ['one that has not succeeded', { ...paid, state: 'unknown' }],
    ['one whose transaction nobody knows', { ...paid, transactionId: null }],
  ] as const)('is not %s', (_, record) => {
    expect(paymentOfCharge(record)).toBeUndefined();
  });
});
