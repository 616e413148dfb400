import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { fakeUpstream, sampleContext, sampleOptions } from '../test-support/fake-upstream.ts';
import { createClient } from './client.ts';
import { type ClientOptions, createContext } from './context.ts';
import { paystatus } from './operations/paystatus.ts';

describe('createContext', () => {
  const good = sampleOptions();
  it.each<[string, Partial<Record<keyof ClientOptions, unknown>>]>([
    ['baseUrl', { baseUrl: 'http://pay.example' }],
    ['baseUrl', { baseUrl: 'pay.example' }],
    ['baseUrl', { baseUrl: 'https://user:pw@pay.example' }],
    ['baseUrl', { baseUrl: 'https://pay.example/?x=1' }],
    ['customerId', { customerId: '' }],
    ['baseUrl', { baseUrl: undefined }],
    ['customerId', { customerId: '.' }],
    ['customerId', { customerId: '..' }],
    ['customerId', { customerId: '\ud800' }],
    ['accessToken', { credentials: undefined, accessToken: 'abc' }],
    ['fetch', { fetch: 'x' }],
    ['now', { now: 5 }],
    ['now', { now: Date.now }],
    ['now', { now: () => new Date('') }],
    ['now', { now: () => undefined }],
    ['onRequest', { onRequest: 'x' }],
    ['onResponse', { onResponse: {} }],
    ['allowedOrigins', { allowedOrigins: 'https://x.example' }],
    ['viewOrigins', { viewOrigins: {} }],
    ['viewOrigins.0', { viewOrigins: [5] }],
    ['credentials', { credentials: null }],
    ['credentials', { credentials: 'x' }],
    ['credentials', { credentials: undefined }],
    ['credentials', { accessToken: async () => 'x' }],
    ['credentials.username', { credentials: { username: '', password: 'x' } }],
    ['credentials.password', { credentials: { username: 'x', password: undefined } }],
    ['hotel.hotelID', { hotel: { ...good.hotel, hotelID: undefined } }],
    ['hotel.hotelID', { hotel: undefined }],
    ['hotel.timeZone', { hotel: { ...good.hotel, timeZone: 'Vienna' } }],
    ['providers.direct', { providers: { hosted: 'x' } }],
    ['providers.hosted', { providers: { direct: 'x' } }],
    ['amountUnit', { amountUnit: undefined }],
    ['amountUnit', { amountUnit: 'cents' }],
    ['expiresInUnit', { expiresInUnit: 'hours' }],
    ['uncertainReturnCodes', { uncertainReturnCodes: '96' }],
    ['uncertainReturnCodes.1', { uncertainReturnCodes: ['96', 96] }],
    ['uncertainReturnCodes.0', { uncertainReturnCodes: [' '] }],
    ['uncertainReturnCodes.0', { uncertainReturnCodes: ['00'] }],
    ['refusalStatuses', { refusalStatuses: 422 }],
    ['refusalStatuses.1', { refusalStatuses: [422, 429] }],
    ['allowedOrigins.1', { allowedOrigins: ['https://a.example', 'https://b.example/path'] }],
    ['allowedOrigins.0', { allowedOrigins: ['http://127.0.0.1:1'] }],
    ['viewOrigins.0', { viewOrigins: ['b.example'] }],
    ['timeoutMs', { timeoutMs: 0 }],
    ['timeoutMs', { timeoutMs: Number.NaN }],
    ['timeoutMs', { timeoutMs: '1000' }],
    ['maxNetworkRetries', { maxNetworkRetries: -1 }],
    ['maxNetworkRetries', { maxNetworkRetries: 1.5 }],
  ])('names the bad setting %s', (path, bad) => {
    const options = { ...good, ...bad } as ClientOptions;
    expect(() => createContext(options)).toThrow(
      expect.objectContaining({ code: 'configuration', path, message: expect.stringContaining(path) }),
    );
  });

  it.each([undefined, null, 'x'])('refuses %j for settings', (settings) => {
    expect(() => createClient(settings as unknown as ClientOptions)).toThrow(
      expect.objectContaining({ code: 'configuration', path: 'options' }),
    );
  });

  it.each([
    ['https://pay.example', 'https://pay.example'],
    ['https://pay.example/', 'https://pay.example'],
    ['https://pay.example/a/b//', 'https://pay.example/a/b'],
    ['https://pay.example/api?', 'https://pay.example/api'],
    ['https://pay.example/#', 'https://pay.example'],
    [new URL('http://127.0.0.1:8790/x/'), 'http://127.0.0.1:8790/x'],
  ])('takes %s for the base address', async (baseUrl, expected) => {
    const upstream = fakeUpstream([{ state: 0 }]);
    await paystatus(sampleContext(upstream, { baseUrl, customerId: 'a/b c' }), { requestID: 'R' });
    expect(upstream.logins[0]?.url).toBe(`${expected}/login`);
    expect(upstream.requests[0]?.url).toMatch(`${expected}/V2/a%2Fb%20c/paystatus?`);
  });

  it.each([
    ['a page', { document: { defaultView: {} } }, false],
    ['a worker of a browser', { WorkerGlobalScope: {}, navigator: { userAgent: 'Mozilla/5.0 (X11)' } }, false],
    ['an edge runtime', { WorkerGlobalScope: {}, navigator: { userAgent: 'Cloudflare-Workers' } }, true],
    ['an edge runtime without a name', { WorkerGlobalScope: {}, navigator: undefined }, true],
    ['a server', {}, true],
  ])('knows %s', (_, globals, allowsMoneyCalls) => {
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
    try {
      expect(createContext(good).allowsMoneyCalls).toBe(allowsMoneyCalls);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it('shows no secret when printed', () => {
    const client = createClient(good);
    expect(inspect(client, { depth: 10, showHidden: true }) + JSON.stringify(client)).not.toContain('demo-password');
  });

  it('lets a logger fail without harm', async () => {
    const upstream = fakeUpstream([{ state: 0 }]);
    const fail = (): never => {
      throw new Error('disk full');
    };
    const context = sampleContext(upstream, { onRequest: fail, onResponse: fail });
    expect(await paystatus(context, { requestID: 'R' })).toMatchObject({ state: 'pending' });
  });
});
