import type { PaymentReversal } from '@innkeep/core/contract';
import { expect } from 'vitest';
import { attempt, payment } from '../../test-support/fake-desk.ts';
import { all, click, fake, mount, one, send, test, textOf } from '../../test-support/fixture.ts';

const UNKNOWN = 'cs_01J00000000000000000000002';

test('repeats all that will be recorded, and takes another amount than was asked for', async () => {
  const details = await mount('payment-details', { payment: UNKNOWN });
  await click(details, 'Resolve');
  expect(one<HTMLInputElement>(details, '[name=amount]').value).toBe('330.00');
  await send(details, { status: 'succeeded', evidence: 'Portal', transactionId: ' 4711 ', amount: '300' });
  expect(textOf(details)).toContain(`Record that ${UNKNOWN}-1, €300.00 (Transaction ID 4711), went through?`);
  await click(details, 'Back');
  expect(await send(details, { amount: 'x' })).toContain('Enter an amount, such as 20.00.');
  await send(details, { status: 'failed' });
  expect(textOf(details)).toContain(`Record that ${UNKNOWN}-1, €330.00 (Transaction ID 4711), didn’t go through?`);
  await click(details, 'Back');
  await send(details, { status: 'succeeded', amount: '300', transactionId: '' });
  expect(textOf(details)).toContain(`Record that ${UNKNOWN}-1, €300.00, went through?`);
  await click(details, 'Resolve');
  expect(fake.writes.map(({ body }) => body)).toEqual([
    { status: 'succeeded', evidence: 'Portal', attempt: 1, amount: { value: 30_000, currency: 'EUR' } },
  ]);
});

const reversal = {
  id: 'rv_01J00000000000000000000001',
  status: 'unknown',
  amount: { value: 2000, currency: 'EUR' },
  createdAt: '2026-11-26T09:00:00.000Z',
  by: { key: 'desk', person: 'anna', via: 'desk' },
} as PaymentReversal;

test.each([
  ['as much as was asked for moved', {}, '€330.00', 1],
  ['it is a refund', { status: 'succeeded', attempts: [], reversals: [reversal] }, '€20.00', 0],
  ['it is a card', { kind: 'card', amount: null, attempts: [attempt({ status: 'unknown', amount: null })] }, '–', 0],
] as const)('sends no amount when %s', async (_, changes, amount, fields) => {
  fake.payments = [payment({ ...fake.payments[1], ...(changes as object) }, 2)];
  const details = await mount('payment-details', { payment: UNKNOWN });
  await click(details, 'Resolve');
  expect(all(details, '[name=amount]')).toHaveLength(fields);
  expect(await send(details, { status: 'succeeded', evidence: 'Portal' })).toContain(`, ${amount}, went through?`);
  await click(details, 'Resolve');
  expect(fake.writes).toHaveLength(1);
  expect(fake.writes[0]?.body).not.toHaveProperty('amount');
});
