import { describe, expect, it } from 'vitest';
import { parsePropertyFields } from './property-check.ts';

const WEBHOOK = { url: 'https://hotel.example/hooks', secret: `whsec_${'A'.repeat(43)}=` };
const KEY = { id: 'web', sha256: 'a'.repeat(64), scopes: ['checkout'] };
const GATEWAY = { apiKey: '0'.repeat(40), allow: ['RMS/roomreq'] };
const COMPLETE = {
  displayName: 'Hotel Aurora',
  livemode: true,
  baseUrl: 'https://pay.example/api',
  customerId: '1234',
  username: 'demo',
  password: 'demo-password',
  hotelID: '1',
  hotelIDType: 'X',
  user: 'web',
  timeZone: 'Europe/Vienna',
  amountUnit: 'minor',
  expiresInUnit: 'minutes',
  providerDirect: 'D',
  providerHosted: 'H',
  allowedOrigins: ['https://status.example'],
  viewOrigins: ['https://view.example'],
  origins: ['https://hotel.example'],
  merchantKeys: [KEY],
  webhooks: [WEBHOOK],
  gateway: { ...GATEWAY, apiKeyIn: 'query', productId: { value: 'p', in: 'query', name: 'productid' } },
  maxAmount: { EUR: 500_000 },
  surcharge: true,
  maxSurchargePercent: 4.5,
  moto: false,
  previousPassword: 'older',
};
const LOOPBACK = { livemode: false, baseUrl: 'http://127.0.0.1:8790' };

/** The first bad field; undefined when the settings are good. */
function badField(fields: object, written?: readonly string[]): string | undefined {
  const parsed = parsePropertyFields({ ...COMPLETE, ...fields }, written);
  return 'issues' in parsed ? parsed.issues[0].field : undefined;
}

const REQUIRED = ['displayName', 'baseUrl', 'customerId', 'username', 'password', 'hotelID', 'hotelIDType', 'user'];
const ALSO_REQUIRED = ['timeZone', 'amountUnit', 'providerDirect', 'providerHosted', 'origins', 'merchantKeys'];
const OPTIONAL = [
  'livemode',
  'expiresInUnit',
  'allowedOrigins',
  'viewOrigins',
  'webhooks',
  'gateway',
  'maxAmount',
  'maxSurchargePercent',
];

describe('the settings of a hotel', () => {
  it.each([
    {},
    ...OPTIONAL.map((field) => ({ [field]: undefined })),
    LOOPBACK,
    {
      ...LOOPBACK,
      allowedOrigins: ['http://localhost:1'],
      viewOrigins: ['http://[::1]:2'],
      origins: ['http://127.0.0.1:4000'],
    },
    { ...LOOPBACK, webhooks: [{ ...WEBHOOK, url: 'http://127.0.0.1:4000/hooks' }] },
    { webhooks: [{ ...WEBHOOK, secret: [WEBHOOK.secret, WEBHOOK.secret] }] },
    { gateway: { ...GATEWAY, productId: { value: 'p', in: 'query', name: 'communication/productid' } } },
    { uncertainReturnCodes: ['05', '91', 'E~1'] },
    { uncertainReturnCodes: [] },
    { refusalStatuses: [400, 422] },
    { ...LOOPBACK, providerDirect: 'SANDBOX_DIRECT', providerHosted: 'SANDBOX_HOSTED' },
    { livemode: false, baseUrl: 'https://[::1]:8790' },
    { origins: [] },
    { livemode: false, origins: [], localOrigins: true },
    { ...LOOPBACK, deskOrigins: ['https://office.example', 'http://127.0.0.1:4000'] },
    { localOrigins: false },
    { maxSurchargePercent: 0 },
    { maxSurchargePercent: 100 },
    { merchantKeys: [{ ...KEY, sha256: 'A'.repeat(64) }] },
  ])('are good with %j', (fields) => {
    expect(badField(fields)).toBeUndefined();
  });

  it.each([
    ...[...REQUIRED, ...ALSO_REQUIRED].map((field) => ({ [field]: undefined })),
    ...[...REQUIRED, 'providerDirect'].map((field) => ({ [field]: '' })),
    // The payment client refuses them.
    ...[...REQUIRED.slice(2), 'providerDirect', 'providerHosted'].map((field) => ({ [field]: ' ' })),
    ...['.', '..', 'a\ud800'].map((customerId) => ({ customerId })),
    { unheardOf: 1 },
    { displayName: 'x'.repeat(81) },
    { livemode: 'yes' },
    { maxSurchargePercent: -0.1 },
    { maxSurchargePercent: 100.1 },
    { maxSurchargePercent: '10' },
    { baseUrl: 'http://pay.example' },
    { baseUrl: 'https://user@pay.example' },
    { baseUrl: 'https://pay.example?x=1' },
    { timeZone: 'Europe/Nowhere' },
    { amountUnit: 'cents' },
    { expiresInUnit: 'hours' },
    { uncertainReturnCodes: '91' },
    { uncertainReturnCodes: [91] },
    { uncertainReturnCodes: ['91', ''] },
    { uncertainReturnCodes: ['91', '9 1'] },
    { uncertainReturnCodes: ['x'.repeat(17)] },
    { uncertainReturnCodes: ['00'] },
    { refusalStatuses: ['422'] },
    { refusalStatuses: [403] },
    { refusalStatuses: [500] },
    { origins: ['https://hotel.example/'] },
    { deskOrigins: ['https://office.example/'] },
    { deskOrigins: ['https://office.example', 'http://127.0.0.1:4000'] },
    { localOrigins: 'yes' },
    { localOrigins: true, livemode: true },
    { origins: ['http://127.0.0.1:4000'] },
    { allowedOrigins: ['http://127.0.0.1:1'] },
    { viewOrigins: ['https://view.example', 'http://view.example'] },
    { merchantKeys: [] },
    { merchantKeys: [KEY, { ...KEY, sha256: 'abc' }] },
    { merchantKeys: [{ ...KEY, scopes: [] }] },
    { merchantKeys: [{ ...KEY, scopes: ['everything'] }] },
    { merchantKeys: [{ ...KEY, id: 'a b' }] },
    { webhooks: [{ ...WEBHOOK, url: 'http://hotel.example/hooks' }] },
    { webhooks: [{ ...WEBHOOK, url: 'https://192.0.2.1/hooks' }] },
    { webhooks: [{ ...WEBHOOK, url: 'https://hotel/hooks' }] },
    { webhooks: [{ ...WEBHOOK, url: 'https://127.0.0.1/hooks' }] },
    { webhooks: [{ ...WEBHOOK, secret: 'whsec_short' }] },
    { gateway: { ...GATEWAY, apiKey: 'short' } },
    { gateway: { ...GATEWAY, allow: ['RMS'] } },
    { gateway: { ...GATEWAY, productId: { value: 'x', in: 'xml', name: 'p' } } },
    { gateway: { ...GATEWAY, productId: { value: 'x', in: 'header', name: 'communication/productid' } } },
    { gateway: { ...GATEWAY, productId: { value: 'x', in: 'query', name: 'a b' } } },
    { maxAmount: { euro: 1 } },
    { maxAmount: { EUX: 1 } },
    { maxAmount: { EUR: 0 } },
    { maxAmount: { EUR: 1.5 } },
    { previousPassword: '' },
    ...['https://127.0.0.1:8790', 'http://127.0.0.1:8790'].map((baseUrl) => ({ baseUrl, livemode: true })),
    { providerDirect: 'SANDBOX_DIRECT' },
    { providerHosted: 'SANDBOX_HOSTED' },
    { providerHosted: ' sandbox_other' },
    { allowedOrigins: ['https://localhost:8790'] },
    { viewOrigins: ['https://view.example', 'https://127.0.0.1'] },
  ])('are refused with %j, naming the field', (fields) => {
    const [name = ''] = Object.keys(fields);
    expect(badField(fields)?.split('.')[0]).toBe(name);
  });

  const productId = { value: 'p', in: 'header', name: 'productid' };
  const ofProductId = (changes: object) => ({ gateway: { ...GATEWAY, productId: { ...productId, ...changes } } });
  it.each<[string, object]>([
    ...[' ', 'a\nb', 'a\u0000', 'a\ud800', '4242 4242 4242 4242'].map((displayName): [string, object] => [
      'displayName',
      { displayName },
    ]),
    ...[`${'k'.repeat(39)} `, `${'k'.repeat(39)}ü`, '😀'.repeat(20)].map((apiKey): [string, object] => [
      'gateway.apiKey',
      { gateway: { ...GATEWAY, apiKey } },
    ]),
    ['gateway.apiKey', { gateway: { ...GATEWAY, apiKey: `k:${'k'.repeat(38)}`, apiKeyIn: 'basic' } }],
    ...['Content-Type', 'host'].map((name): [string, object] => ['gateway.productId.name', ofProductId({ name })]),
    ['gateway.productId.name', ofProductId({ in: 'query', name: 'api_key' })],
    ['gateway.productId.value', ofProductId({ value: 'p ' })],
  ])('are read with a %s that is not written any more: %j', (field, fields) => {
    const [name = ''] = Object.keys(fields);
    expect(badField(fields)).toBeUndefined();
    expect(badField(fields, ['origins'])).toBeUndefined();
    expect(badField(fields, [name])).toBe(field);
  });

  it.each([
    [{ amountUnit: 'cents' }, 'must be minor or major'],
    [{ origins: null }, 'must be a list'],
    [{ gateway: 5 }, 'must be an object'],
    [{ moto: 1 }, 'must be true or false'],
    [{ maxAmount: { EUR: 0 } }, 'must be above zero, in minor units'],
    [{ webhooks: [{ ...WEBHOOK, secret: 5 }] }, 'must be a text or a list'],
    [{ webhooks: [{ ...WEBHOOK, secret: [] }] }, 'must not be empty'],
    [{ maxSurchargePercent: 'all' }, 'must be a number'],
  ])('are refused with %j in plain words', (fields, message) => {
    expect(parsePropertyFields({ ...COMPLETE, ...fields })).toMatchObject({ issues: [{ message }] });
  });

  it.each([
    [{ colour: 1 }, { field: 'colour', message: 'is not a known field' }],
    [{ display_name: 1 }, { field: 'display_name', message: 'is not a known field' }],
    [{ '4242424242424242': 1 }, { field: '', message: 'has an unknown field' }],
    [{ gateway: { ...GATEWAY, 'password=hunter2': 1 } }, { field: 'gateway', message: 'has an unknown field' }],
    [{ maxAmount: { '4242424242424242': 1 } }, { field: 'maxAmount', message: 'must be an ISO 4217 code' }],
  ])('are refused with %j, and no name is repeated that may be a secret', (fields, issue) => {
    expect(parsePropertyFields({ ...COMPLETE, ...fields })).toMatchObject({ issues: [issue] });
  });

  it('may be written as they are', () => {
    expect(badField({}, Object.keys(COMPLETE))).toBeUndefined();
    expect(badField(ofProductId({}), ['gateway'])).toBeUndefined();
    expect(badField({ gateway: { ...GATEWAY, apiKey: `k:${'k'.repeat(38)}` } }, ['gateway'])).toBeUndefined();
  });
});
