import { beforeEach, expect, test, vi } from 'vitest';
import { WEBHOOK_SECRETS } from '../../test-support/environment.ts';
import type { Delivery } from './delivery-table.ts';
import { attempt, endpointsOf, mayHear, signatureHeaders } from './webhook-delivery.ts';
import type { Endpoint } from './webhook-endpoint.ts';

const [SECRET, OLD_SECRET] = WEBHOOK_SECRETS;
const URL_WITH_SECRET = 'https://hooks.test:8443/innkeep?token=marker';
const ENDPOINT: Endpoint = { key: 'k', host: 'hooks.test', url: URL_WITH_SECRET, secret: SECRET };
const DELIVERY: Delivery = { position: 1, endpoint: 'k', retryAt: 0, failures: 0, eventId: 'ev_1', body: '{"a":1}' };

let requests: [unknown, RequestInit | undefined][];
let answer: (signal: AbortSignal | null | undefined) => Promise<Response>;

beforeEach(() => {
  requests = [];
  answer = async () => new Response(null, { status: 204 });
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    requests.push([input, init]);
    return answer(init?.signal);
  });
});

test('an endpoint’s key is a hash of its whole address, worked out once for each setting', async () => {
  const settings = { url: URL_WITH_SECRET, secret: SECRET };
  const others = { url: `${URL_WITH_SECRET}2`, secret: SECRET };
  const [endpoint, other] = await endpointsOf([settings, others], [], () => true);
  const key = expect.stringMatching(/^[0-9a-f]{32}$/);
  expect(endpoint).toEqual({ key, host: 'hooks.test:8443', url: URL_WITH_SECRET, secret: SECRET });
  expect((await endpointsOf([settings], [], () => true))[0]).toBe(endpoint);
  expect(other?.key).not.toBe(endpoint?.key);
});

test('an address that a hotel and its platforms name is one endpoint, the hotel’s own, and all their secrets sign', async () => {
  const own = { url: URL_WITH_SECRET, secret: SECRET };
  const of = (platform: string, url: string) => ({
    platform,
    webhook: { url, secret: [OLD_SECRET, SECRET], properties: ['*'] },
  });
  const endpoints = await endpointsOf(
    [own],
    [of('alpine', URL_WITH_SECRET), of('alpine', `${URL_WITH_SECRET}2`), of('valley', `${URL_WITH_SECRET}2`)],
    () => true,
  );
  expect(endpoints.map(({ platform, secret }) => [platform, secret])).toEqual([
    [undefined, [SECRET, OLD_SECRET]],
    ['alpine', [OLD_SECRET, SECRET]],
  ]);
});

test.each([
  ['the hotel’s own hears of real money', [], ['own'], true],
  ['that of a live platform hears of real money', ['alpine'], ['alpine'], true],
  ['that of a platform for trying things out does not', [], ['alpine'], false],
  ['that of two such platforms does not', [], ['alpine', 'valley'], false],
  ['that of a live platform, too, hears of real money', ['valley'], ['alpine', 'valley'], true],
  ['the hotel’s own, which a platform names, too, hears of real money', [], ['own', 'alpine'], true],
])('an endpoint: %s', async (_what, live, owners, hears) => {
  const settings = () => ({ url: URL_WITH_SECRET, secret: SECRET });
  const ofPlatforms = owners
    .filter((owner) => owner !== 'own')
    .map((platform) => ({ platform, webhook: { ...settings(), properties: ['*'] } }));
  const own = owners.includes('own') ? [settings()] : [];
  const [endpoint = ENDPOINT] = await endpointsOf(own, ofPlatforms, (platform) => live.includes(platform));
  const told = (type: string, object: object): boolean =>
    mayHear(endpoint, { ...DELIVERY, body: JSON.stringify({ type, data: { object } }) });
  expect(told('charge.failed', { livemode: true })).toBe(hears);
  expect(told('charge.failed', { livemode: false })).toBe(true);
  expect(told('webhook_endpoint.removed', {})).toBe(true);
  expect(told('payment.redacted', { livemode: true })).toBe(true);
});

test('every secret of a rotation signs, in its order', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_700_000_000_000 });
  const [current, old, both] = await Promise.all(
    [SECRET, OLD_SECRET, [SECRET, OLD_SECRET]].map((secret) => signatureHeaders({ ...ENDPOINT, secret }, DELIVERY)),
  );
  expect(current).toMatchObject({ 'webhook-id': 'ev_1', 'webhook-timestamp': '1700000000' });
  expect(current?.['webhook-signature']).toMatch(/^v1,\S+$/);
  expect(both).toEqual({
    ...current,
    'webhook-signature': `${current?.['webhook-signature']} ${old?.['webhook-signature']}`,
  });
});

test('a secret that cannot be used signs nothing, and what is not signed is not sent', async () => {
  const signature = await signatureHeaders({ ...ENDPOINT, secret: [SECRET, 'whsec_not base64!'] }, DELIVERY);
  expect(signature).toBeUndefined();
  expect(await attempt(ENDPOINT, DELIVERY, signature)).toBeUndefined();
  expect(requests).toEqual([]);
});

test('an event is posted as it is, with its signature, and follows no redirect', async () => {
  answer = async () => new Response(null, { status: 307, headers: { location: 'https://evil.test/' } });
  expect(await attempt(ENDPOINT, DELIVERY, { 'webhook-id': 'ev_1' })).toBe(307);
  const headers = { 'content-type': 'application/json', 'user-agent': 'innkeep', 'webhook-id': 'ev_1' };
  const signal = expect.any(AbortSignal);
  const sent = { method: 'POST', headers, body: '{"a":1}', redirect: 'manual', signal };
  expect(requests).toEqual([[URL_WITH_SECRET, sent]]);
});

test('a body that comes back is not read', async () => {
  const cancel = vi.fn();
  answer = async () => new Response(new ReadableStream({ cancel }), { status: 200 });
  expect(await attempt(ENDPOINT, DELIVERY, {})).toBe(200);
  expect(cancel).toHaveBeenCalledOnce();
});

test('an endpoint that hangs is given up after fifteen seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  answer = (signal) =>
    new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  let isOver = false;
  const attempted = attempt(ENDPOINT, DELIVERY, {}).finally(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(14_999);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await attempted).toBeUndefined();
});
