import { expect, test } from 'vitest';
import { PAYMENT_RESULT } from '../../test-support/records.ts';
import { duplicatePayments, type ListedPayment } from './duplicate-payment.ts';

type Attempt = ListedPayment['attempts'][number];
const endedAt = '2026-06-01T10:05:00Z';
const ATTEMPT: Attempt = { number: 1, status: 'succeeded', endedAt, result: PAYMENT_RESULT, reversed: null };
const ALL = PAYMENT_RESULT.total;
const PAID: ListedPayment = {
  id: 'cs_b',
  kind: 'payment',
  livemode: true,
  createdAt: '2026-06-01T10:00:00Z',
  attempts: [
    { ...ATTEMPT, status: 'declined', result: null },
    { ...ATTEMPT, number: 2 },
  ],
};
const OTHER: ListedPayment = { ...PAID, id: 'cs_a', attempts: [{ ...ATTEMPT, endedAt: '2026-06-01T10:04:00Z' }] };

test('a payment beside another one names both with their attempts, the earlier first, and how to give the later one back', () => {
  expect(duplicatePayments(PAID, [OTHER])).toEqual([
    {
      later: PAID,
      instants: expect.any(String),
      duplicate: {
        payments: [
          { payment: 'cs_a', attempt: 1 },
          { payment: 'cs_b', attempt: 2 },
        ],
        remedy: 'Refund one: POST /v1/reversals with {"payment":"cs_b","attempt":2}',
      },
    },
  ]);
  expect(duplicatePayments(OTHER, [PAID])).toEqual(duplicatePayments(PAID, [OTHER]));
});

test('each other payment is a pair of its own, told apart by who they are and when they were made; itself is none', () => {
  const third = { ...PAID, id: 'cs_c', attempts: [{ ...ATTEMPT, endedAt: '2026-06-01T10:06:00Z' }] };
  const pairs = duplicatePayments(PAID, [PAID, OTHER, third, { ...third, createdAt: '2027-06-01T10:00:00Z' }]);
  expect(pairs.map(({ duplicate }) => duplicate.payments.map(({ payment }) => payment))).toEqual([
    ['cs_a', 'cs_b'],
    ['cs_b', 'cs_c'],
    ['cs_b', 'cs_c'],
  ]);
  expect(new Set(pairs.map(({ instants }) => instants)).size).toBe(3);
});

test.each([
  ['the end of the payment', { attempts: [{ ...ATTEMPT, endedAt: '2026-06-01T10:04:00Z' }] }, 'cs_z'],
  ['the beginning when both ended at once', { createdAt: '2026-06-01T09:00:00Z' }, 'cs_z'],
  ['the beginning of one whose end is not known', { attempts: [{ ...ATTEMPT, endedAt: null }] }, 'cs_z'],
  ['the id when both are alike', {}, 'cs_a'],
])('the order is that of %s', (_what, changes, id) => {
  const first = { ...PAID, ...changes, id };
  const [pair] = duplicatePayments(PAID, [first]);
  expect(pair).toMatchObject({ later: PAID, duplicate: { payments: [{ payment: id }, { payment: 'cs_b' }] } });
});

test.each<[string, Partial<ListedPayment>]>([
  ['a stored card', { kind: 'card' }],
  ['a session without attempts', { attempts: [] }],
  ['a payment that failed', { attempts: [{ ...ATTEMPT, status: 'failed' }] }],
  ['a payment without a result', { attempts: [{ ...ATTEMPT, result: null }] }],
  ['a payment that was refunded', { attempts: [{ ...ATTEMPT, reversed: ALL }] }],
])('%s is no duplicate', (_what, changes) => {
  expect(duplicatePayments(PAID, [{ ...OTHER, ...changes }])).toEqual([]);
  expect(duplicatePayments({ ...PAID, ...changes }, [OTHER])).toEqual([]);
});

test('a payment of test mode is no duplicate of a real one', () => {
  expect(duplicatePayments(PAID, [{ ...OTHER, livemode: false }])).toEqual([]);
});

test('what was refunded in part is still paid twice', () => {
  const partly = { ...OTHER, attempts: [{ ...ATTEMPT, reversed: { ...ALL, value: ALL.value - 1 } }] };
  expect(duplicatePayments(PAID, [partly])).toHaveLength(1);
});

test('of a session that was paid twice, the payment that was not refunded counts', () => {
  const both = {
    ...OTHER,
    attempts: [
      { ...ATTEMPT, reversed: ALL },
      { ...ATTEMPT, number: 2 },
    ],
  };
  expect(duplicatePayments(PAID, [both])[0]?.duplicate.payments[0]).toEqual({ payment: 'cs_a', attempt: 2 });
});
