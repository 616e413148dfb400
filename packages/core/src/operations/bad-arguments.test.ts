import { describe, expect, it } from 'vitest';
import { fakeUpstream, sampleOptions } from '../../test-support/fake-upstream.ts';
import { type Client, createClient } from '../client.ts';
import type { ClientOptions } from '../context.ts';
import { Money } from '../values/money.ts';

const amount = Money.ofMinor(12000n, 'EUR');
const callbacks = { callbackSuccessUrl: 'https://hotel.example/s', callbackAbortUrl: 'https://hotel.example/a' };

/** An input that each operation takes. */
const GOOD = {
  createToken: { cardNo: '4242424242424242', valid: '2028-12-31', cvc: '123', cardText: 'A. Guest' },
  pay: { tokenNo: 'TK-0001', amount, text: 'No-show RES-1234' },
  reversal: { transactionID: 'T-2', amount },
  initpayNoIframe: { amount, cardInfoRefID: 'b', resNo: 'r', ...callbacks },
  initCreateTokenNoIframe: { cardInfoRefID: 'b', ...callbacks },
  paystatus: { requestID: 'R-1' },
  transaction: { requestID: 'R-1' },
} as const satisfies Partial<Record<keyof Client, object>>;
const OPERATIONS = [...(Object.keys(GOOD) as (keyof typeof GOOD)[]), 'waitForResult'] as const;
const NOTHING: readonly unknown[] = [undefined, null, 'x'];

/** Expects that a call rejects, and that nothing was sent and no part of a card number is shown. */
async function expectRefusal(
  act: (client: Client) => Promise<unknown>,
  refusal: object = {},
  settings: Partial<ClientOptions> = {},
): Promise<void> {
  const upstream = fakeUpstream([{}]);
  const error = await act(createClient(sampleOptions({ fetch: upstream.fetch, ...settings }))).catch((e: unknown) => e);
  expect(error).toMatchObject({ code: 'invalid_input', ...refusal });
  expect(String(error) + JSON.stringify(error)).not.toContain('4242');
  expect([...upstream.requests, ...upstream.logins]).toEqual([]);
}

describe('before any request', () => {
  it.each(OPERATIONS.flatMap((operation) => NOTHING.map((input) => ({ operation, input }))))(
    '$operation refuses $input',
    async ({ operation, input }) => {
      await expectRefusal((client) => client[operation](input as never));
    },
  );

  it.each(NOTHING)('watch refuses %j', async (input) => {
    await expectRefusal((client) => client.watch(input as never).next());
  });

  it.each<[operation: keyof typeof GOOD, path: string, input: object]>([
    ['createToken', 'cardNo', { cardNo: '4242 4242 4242 4242' }],
    ['createToken', 'valid', { valid: '2028-02-30' }],
    ['createToken', 'valid', { valid: '12/28' }],
    ['createToken', 'cvc', { cvc: '12' }],
    ['pay', 'amount', { amount: Money.ofMinor(0n, 'EUR') }],
    ['pay', 'amount', { amount: Money.ofMinor(-1n, 'EUR') }],
    ['pay', 'amount', { amount: { minor: 12000, currency: 'EUR' } }],
    ['pay', 'tokenNo', { tokenNo: ' ' }],
    ['pay', 'datetime', { datetime: '2026-06-01 12:00' }],
    ['pay', 'text', { text: 5 }],
    ['reversal', 'transactionID', { transactionID: '' }],
    ['reversal', 'transactionID', { transactionID: '[redacted]' }],
    ['reversal', 'transactionID', { transactionID: 'T-[redacted]' }],
    ['reversal', 'transactionID', { transactionID: 'T-2\ufffd' }],
    ['initpayNoIframe', 'callbackSuccessUrl', { callbackSuccessUrl: '/return' }],
    ['initpayNoIframe', 'callbackAbortUrl', { callbackAbortUrl: 'ftp://hotel.example/' }],
    ['initpayNoIframe', 'resNo', { resNo: '' }],
    ['initpayNoIframe', 'cardInfoRefID', { cardInfoRefID: '' }],
    ['paystatus', 'version', { version: 'V3' }],
    ['paystatus', 'version', { version: '' }],
    ['paystatus', 'version', { version: null }],
    ['transaction', 'amount', { request: { amount: 120 } }],
  ])('%s refuses a bad %s: %j', async (operation, path, input) => {
    await expectRefusal((client) => client[operation]({ ...GOOD[operation], ...input } as never), { path });
  });

  it.each<[option: string, code: string, values: readonly unknown[]]>([
    ['deadlineMs', 'configuration', [Number.NaN, '1000', null]],
    ['timeoutMs', 'configuration', [Number.NaN, 0, -1, '1000', null]],
    ['maxNetworkRetries', 'configuration', [Number.NaN, -1, 1.5, 11, Infinity, '1', null]],
    ['maxSurchargePercent', 'invalid_input', [Number.NaN, -1, 101, Infinity, '10', null]],
  ])('waitForResult and watch refuse a %s that is no such number', async (path, code, values) => {
    const request = { operation: 'initpayNoIframe', amount, surcharge: true, cardInfoRefID: 'b' } as const;
    for (const value of values) {
      const options = { [path]: value };
      await expectRefusal((client) => client.waitForResult({ requestID: 'R-1', request }, options), { code, path });
      if (path === 'maxSurchargePercent') continue;
      await expectRefusal((client) => client.watch({ requestID: 'R-1' }, options).next(), { code, path });
    }
  });

  it('pay refuses an amount that whole major units cannot express', async () => {
    const input = { ...GOOD.pay, amount: Money.parse('120.50', 'EUR') };
    await expectRefusal((client) => client.pay(input), { path: 'amount' }, { amountUnit: 'major' });
  });
});
