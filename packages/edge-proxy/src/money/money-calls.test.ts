/** The one call of a charge or a reversal: what leaves, and what is made of each answer. */
import { beforeEach, expect, test } from 'vitest';
import { FakeUpstream } from '../../test-support/fake-upstream.ts';
import { answerMoney } from '../../test-support/money.ts';
import { NEW_CHARGE_RECORD, NEW_REVERSAL_RECORD } from '../../test-support/records.ts';
import { anotherHotel, fakeTokenObject, lateTokenObject } from '../../test-support/upstream.ts';
import { acquirePermit, countCall, isRefused, upstreamOf } from '../upstream/call-budget.ts';
import { sendMoney } from './money-calls.ts';
import type { MoneyRecord } from './money-record.ts';

const CHARGE: MoneyRecord = { ...NEW_CHARGE_RECORD, id: `ch_${'A'.repeat(26)}`, sealedToken: null };
const REVERSAL: MoneyRecord = {
  ...NEW_REVERSAL_RECORD,
  id: `rv_${'A'.repeat(26)}`,
  payment: CHARGE.id,
  amount: CHARGE.amount,
  paymentTransactionId: 'PAY-1',
};

let upstream: FakeUpstream;

beforeEach(() => {
  upstream = new FakeUpstream().install();
  answerMoney(upstream);
});

function send(record: MoneyRecord, { tokenObject = fakeTokenObject(), property = anotherHotel() } = {}) {
  return sendMoney(tokenObject.bindings, property, { record, cardToken: 'TOKEN-SECRET-9876' });
}

test('a charge names its card, its amount and its text', async () => {
  const outcome = { event: 'executed', error: null, transactionId: 'PAY-1', maskedCard: '424242......4242' };
  expect(await send(CHARGE)).toEqual(outcome);
  expect(JSON.parse(upstream.last('pay').body)).toMatchObject({
    tokenNo: 'TOKEN-SECRET-9876',
    amount: '8000',
    currency: 'EUR',
    text: `${CHARGE.id} no_show RES-1`,
    serviceProvider: 'TEST_HOSTED',
  });
});

test.each([
  [{ returnCode: '51' }, { event: 'declined', error: { code: 'declined', returnCode: '51' } }],
  [{ errors: [] }, { event: 'not_executed', error: { code: 'upstream_status' } }],
])('a status with which the hotel’s service refuses is no unknown outcome: %j', async (body, outcome) => {
  const property = anotherHotel({ refusalStatuses: [422] });
  upstream.overrides.pay = () => Response.json(body, { status: 422 });
  expect(await send(CHARGE, { property })).toMatchObject(outcome);
  upstream.overrides.reversal = () => Response.json(body, { status: 422 });
  expect(await send(REVERSAL, { property })).toMatchObject(outcome);
  expect(await send(CHARGE)).toMatchObject({ event: 'no_clear_answer' });
});

test.each([
  ['4242424242424242', '424242......4242'],
  ['', null],
  [undefined, null],
])('the card %j of an answer is kept as %j', async (cardNo, maskedCard) => {
  upstream.overrides.pay = () => Response.json({ returnCode: '0', transactionID: 'PAY-1', cardNo });
  expect(await send(CHARGE)).toMatchObject({ event: 'executed', maskedCard });
});

test('a reversal names the payment and its provider', async () => {
  expect(await send(REVERSAL)).toEqual({ event: 'executed', error: null, transactionId: 'REV-1' });
  const sent = { transactionID: 'PAY-1', amount: '8000', currency: 'EUR', serviceProvider: 'TEST_HOSTED' };
  expect(JSON.parse(upstream.last('reversal').body)).toMatchObject(sent);
  expect(upstream.count('pay')).toBe(0);
});

test.each([' ', 'A\ufffd'])(
  'a reversal of an older payment with the provider %j names the hotel’s own',
  async (kept) => {
    expect(await send({ ...REVERSAL, serviceProvider: kept })).toMatchObject({ event: 'executed' });
    expect(JSON.parse(upstream.last('reversal').body)).toMatchObject({ serviceProvider: 'TEST_HOSTED' });
  },
);

test.each([CHARGE, REVERSAL])(
  'nothing goes to another service than the one it began with, unless the hotel trusts that, too: %#',
  async (record) => {
    const from = (origin?: string) => ({ ...record, hotel: { ...record.hotel, ...(origin && { origin }) } });
    const property = anotherHotel({ allowedOrigins: ['https://old.test'] });
    const outcome = { event: 'not_executed', error: { code: 'untrusted_url' }, transactionId: null };
    expect(await send(from('https://elsewhere.test'), { property })).toMatchObject(outcome);
    // The same service may count otherwise there.
    const major = anotherHotel({ allowedOrigins: ['https://old.test'], amountUnit: 'major' });
    expect(await send(from('https://old.test'), { property: major })).toMatchObject(outcome);
    expect(upstream.requests).toEqual([]);
    for (const origin of ['https://old.test', 'https://pay.test', undefined]) {
      expect(await send(from(origin), { property })).toMatchObject({ event: 'executed' });
    }
  },
);

test('a decline is reported by its code, and names no transaction', async () => {
  upstream.overrides.pay = () => Response.json({ returnCode: '5', returnText: 'no funds' });
  const tokenObject = fakeTokenObject();
  const property = anotherHotel();
  // A report that fails is lost without a word.
  tokenObject.noteReturnCode.mockRejectedValue(new Error('away'));
  expect(await send(CHARGE, { tokenObject, property })).toEqual({
    event: 'declined',
    error: { code: 'declined', message: 'Declined: no funds', returnCode: '5' },
    transactionId: null,
  });
  await expect.poll(() => tokenObject.noteReturnCode).toHaveBeenCalledWith(property.id, '5');
});

test('an answer without a code is reported to nobody', async () => {
  upstream.overrides.pay = () => Promise.reject(new TypeError('Network connection lost.'));
  const tokenObject = fakeTokenObject();
  expect(await send(CHARGE, { tokenObject })).toMatchObject({ event: 'no_clear_answer', transactionId: null });
  await new Promise((resolve) => setTimeout(resolve));
  expect(tokenObject.noteReturnCode).not.toHaveBeenCalled();
});

test.each([
  ['a charge', CHARGE],
  ['a reversal', REVERSAL],
])('%s ends at one time limit, the access token included', async (_what, record) => {
  const tokenObject = lateTokenObject(90_000);
  expect(await send(record, { tokenObject })).toMatchObject({ event: 'no_clear_answer', transactionId: null });
  expect(upstream.requests).toEqual([]);
});

test('money waits for nobody: it leaves whatever else is under way, and releases its permit', async () => {
  const property = anotherHotel({ baseUrl: 'https://pay-full.test/api', allowedOrigins: ['https://pay.test'] });
  const call = { ...upstreamOf(property), source: 'cs_1' };
  const permits = Array.from({ length: 255 }, () => countCall(call));
  for (let nth = 0; nth < 2_100; nth++) permits.push(countCall({ ...call, property: `other-${nth}` }));
  expect(await send(CHARGE, { property })).toMatchObject({ event: 'executed' });
  expect(await send(REVERSAL, { property })).toMatchObject({ event: 'executed' });
  for (const permit of permits.slice(255)) permit.end();
  expect(isRefused(acquirePermit('start', call))).toBe(false);
});
