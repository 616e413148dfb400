import { expect, test } from 'vitest';
import { duplicatePayments, type ListedPayment } from './duplicate-payment.ts';

const PAID: ListedPayment = {
  id: 'cs_b',
  kind: 'payment',
  status: 'succeeded',
  createdAt: '2026-06-01T10:00:00Z',
  completedAt: '2026-06-01T10:05:00Z',
  result: { total: { value: 12_000, currency: 'EUR' } },
  reversed: null,
};
const OTHER: ListedPayment = { ...PAID, id: 'cs_a', completedAt: '2026-06-01T10:04:00Z' };

test('a payment beside another one names both, the earlier first, and how to give the later one back', () => {
  expect(duplicatePayments(PAID, [OTHER])).toEqual([
    {
      later: PAID,
      payments: ['cs_a', 'cs_b'],
      remedy: 'Give one back: POST /v1/reversals with {"payment":"cs_b"}',
    },
  ]);
  expect(duplicatePayments(OTHER, [PAID])).toEqual(duplicatePayments(PAID, [OTHER]));
});

test('each other payment is a pair of its own; itself is none', () => {
  const third = { ...PAID, id: 'cs_c', completedAt: '2026-06-01T10:06:00Z' };
  expect(duplicatePayments(PAID, [PAID, OTHER, third]).map(({ payments }) => payments)).toEqual([
    ['cs_a', 'cs_b'],
    ['cs_b', 'cs_c'],
  ]);
});

test.each([
  ['the end of the payment', { completedAt: '2026-06-01T10:04:00Z' }, 'cs_z'],
  ['the beginning when both ended at once', { createdAt: '2026-06-01T09:00:00Z' }, 'cs_z'],
  ['the beginning of one whose end is not known', { completedAt: null }, 'cs_z'],
  ['the id when both are alike', {}, 'cs_a'],
])('the order is that of %s', (_what, facts, id) => {
  const first = { ...PAID, ...facts, id };
  expect(duplicatePayments(PAID, [first])[0]).toMatchObject({ later: PAID, payments: [id, 'cs_b'] });
});

test.each<[string, Partial<ListedPayment>]>([
  ['a stored card', { kind: 'card', result: {} }],
  ['a card of which a total is told', { kind: 'card' }],
  ['a payment that failed', { status: 'failed' }],
  ['a payment without a result', { result: null }],
  ['a payment without a total', { result: {} }],
  ['a payment that was given back', { reversed: { value: 12_000, currency: 'EUR' } }],
])('%s is no duplicate', (_what, facts) => {
  expect(duplicatePayments(PAID, [{ ...OTHER, ...facts }])).toEqual([]);
  expect(duplicatePayments({ ...PAID, ...facts }, [OTHER])).toEqual([]);
});

test('what was given back in part is still paid twice', () => {
  const partly = { ...OTHER, reversed: { value: 11_999, currency: 'EUR' } };
  expect(duplicatePayments(PAID, [partly])).toHaveLength(1);
});
