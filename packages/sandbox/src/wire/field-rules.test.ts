import { describe, expect } from 'vitest';
import { Caller, HOSTED_PAYMENT, HOSTED_TOKENIZATION, HOTEL } from '../../test-support/caller.ts';
import { it } from '../../test-support/it.ts';

const CARD = { ...HOTEL, serviceProvider: 'SANDBOX_DIRECT', cardNo: '4242424242424242', valid: '2030-10-31' };
const PAY = { ...HOTEL, serviceProvider: 'SANDBOX_DIRECT', tokenNo: 'T', amount: '100', currency: 'EUR' };
const REVERSAL = { ...HOTEL, serviceProvider: 'SANDBOX_DIRECT', transactionID: 'X', amount: '100', currency: 'EUR' };

const OPTIONAL = ['cvc', 'cardText', 'text', 'description', 'supportedFeatures', 'tokenType', 'theme'];
const REQUESTS = {
  createToken: { ...CARD, cvc: '123', cardText: 'Ann' },
  pay: { ...PAY, text: 'x' },
  reversal: REVERSAL,
  initpayNoIframe: HOSTED_PAYMENT,
  initCreateTokenNoIframe: HOSTED_TOKENIZATION,
};

const cases = Object.entries(REQUESTS).flatMap(([operation, request]) =>
  Object.keys(request).map((field) => ({ operation, field, request: request as Record<string, string> })),
);

describe('every field of every request table', () => {
  it.each(cases.filter(({ field }) => !OPTIONAL.includes(field)))(
    'requires $field of $operation',
    async ({ operation, field, request }) => {
      const api = await Caller.loggedIn();
      const { [field]: _, ...without } = request;
      const missing = await api.json(`/V2/1234/${operation}`, without);
      expect(missing).toEqual({ status: 400, json: { error: 'invalid_request', field, reason: 'is missing' } });
      const empty = await api.json(`/V2/1234/${operation}`, { ...request, [field]: '' });
      expect([empty.status, empty.json.field]).toEqual([400, field]);
    },
  );

  it.each(cases.filter(({ field }) => OPTIONAL.includes(field)))(
    'lets $field of $operation be left out or empty',
    async ({ operation, field, request }) => {
      const api = await Caller.loggedIn();
      const { [field]: _, ...without } = request;
      expect((await api.json(`/V2/1234/${operation}`, without)).status).toBe(200);
      expect((await api.json(`/V2/1234/${operation}`, { ...request, [field]: '' })).status).toBe(200);
    },
  );

  it.each(cases)('wants $field of $operation to be a string', async ({ operation, field, request }) => {
    const api = await Caller.loggedIn();
    const { status, json } = await api.json(`/V2/1234/${operation}`, { ...request, [field]: 12 });
    expect([status, json.field, json.reason]).toEqual([400, field, 'must be a string']);
  });

  it.each([
    ...Object.entries(REQUESTS).map(([operation, request]) => [`/V2/1234/${operation}`, request] as const),
    ['/login', { username: 'demo', password: 'demo-password' }] as const,
  ])('refuses a field and a query parameter that %s does not have', async (path, request) => {
    const api = await Caller.loggedIn();
    for (const answer of [
      await api.json(path, { ...request, surprise: 'x' }),
      await api.json(`${path}?surprise=x`, request),
    ]) {
      expect([answer.status, answer.json.field]).toEqual([400, 'surprise']);
    }
  });
});

it.each([
  ['pay', 'amount', '12.00'],
  ['pay', 'amount', '-100'],
  ['pay', 'amount', '0'],
  ['pay', 'amount', '0100'],
  ['pay', 'amount', '1e3'],
  ['pay', 'currency', 'eur'],
  ['pay', 'currency', 'EURO'],
  ['pay', 'currency', 'ZZZ'],
  ['pay', 'hotelIDType', 'OTHER_PMS'],
  ['pay', 'serviceProvider', 'SOMEBODY'],
  ['pay', 'datetime', '2026-11-21T10:00:00Z'],
  ['pay', 'datetime', '2027-02-29T23:59:59'],
  ['pay', 'datetime', '2026-11-21 10:00'],
  ['pay', 'datetime', '2026-11-21T24:00:00'],
  ['createToken', 'valid', '10/30'],
  ['createToken', 'valid', '2030-13-01'],
  ['createToken', 'cvc', '12'],
  ['createToken', 'cardNo', '4242 4242 4242 4242'],
  ['createToken', 'serviceProvider', 'SANDBOX_HOSTED'],
  ['initpayNoIframe', 'serviceProvider', 'SANDBOX_DIRECT'],
  ['initpayNoIframe', 'callbackSuccessUrl', '/relative'],
  ['initpayNoIframe', 'callbackAbortUrl', 'javascript:alert(1)'],
  ['initpayNoIframe', 'callbackAbortUrl', 'https://hotel.example/\nx'],
  ['initpayNoIframe', 'supportedFeatures', 'everything'],
  ['initCreateTokenNoIframe', 'tokenType', 'other'],
  ['initCreateTokenNoIframe', 'theme', 'dark'],
] as const)('refuses %s with %s "%s" and names the field, never the value', async (operation, field, value) => {
  const api = await Caller.loggedIn();
  const { status, json } = await api.json(`/V2/1234/${operation}`, { ...REQUESTS[operation], [field]: value });
  expect([status, json.field]).toEqual([400, field]);
  expect(JSON.stringify(json)).not.toContain(value === '0' ? '"0"' : value);
});

it.each([
  ['the largest amount', { amount: '999999999999' }],
  ['the currency that replaced ANG in 2025', { currency: 'XCG' }],
  ['a local date-time without a zone', { datetime: '2028-02-29T23:59:59' }],
])('takes %s', async (_what, fields) => {
  expect((await (await Caller.loggedIn()).initpay(fields)).status).toBe(200);
});

it('refuses a body that is not a JSON object, and a field that is too long', async ({ api }) => {
  expect((await api.json('/V2/1234/pay', [])).status).toBe(400);
  expect((await api.json('/V2/1234/pay', null)).status).toBe(400);
  const { json } = await api.pay({ tokenNo: 'T', text: 'x'.repeat(501) });
  expect(json).toMatchObject({ field: 'text', reason: 'must be at most 500 characters' });
});

it('refuses a body above 64 KiB', async ({ api }) => {
  expect((await api.pay({ text: 'x'.repeat(70_000) })).status).toBe(413);
});

it('ignores unknown fields and query parameters and takes any theme in the lenient profile', async () => {
  const api = await Caller.loggedIn({ profile: 'lenient' });
  expect((await api.json('/V2/1234/createToken?surprise=x', CARD)).json.tokenNo).toBeDefined();
  expect((await api.initToken({ theme: 'dark', surprise: 'x' })).json.requestID).toBeDefined();
});
