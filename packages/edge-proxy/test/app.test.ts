import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { createApp, RESOURCES } from '../src/app.ts';
import { merchantApp, publicApp } from '../src/middleware/resource-app.ts';
import { merchant, send } from '../test-support/client.ts';
import { editedDependencies } from '../test-support/edited-proxy.ts';
import { KEYS } from '../test-support/environment.ts';

test('a sub-app that says nothing about its caller is not mounted', () => {
  const anybody = new Hono().get('/', (c) => c.text('all there is'));
  expect(() => createApp(editedDependencies(), [['/v1/everything', anybody]])).toThrow('Nobody decided who may call');
  expect(() => createApp(editedDependencies(), [['/v1/nothing', publicApp({ tag: 'Service' })]])).not.toThrow();
});

test('a sub-app for merchants asks for the key wherever it is mounted', async () => {
  const more = merchantApp('events', { tag: 'Events' }).get('/', (c) => c.text(c.get('property').id));
  const app = createApp(editedDependencies(), [['/v1/more', more]]);
  const ask = async (headers: Record<string, string>): Promise<number> =>
    (await app.fetch(new Request('https://proxy.test/v1/more', { headers }))).status;
  expect(await ask({})).toBe(401);
  expect(await ask({ authorization: 'Bearer sk_test_wrong' })).toBe(401);
  expect(await ask({ authorization: `Bearer ${KEYS.aurora}` })).toBe(200);
});

test('every address below /v1 asks who calls', async () => {
  const addresses = RESOURCES.flatMap(([base, { routes }]) =>
    routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => [method, `${base}${path}`] as const),
  ).filter(([, path]) => path.startsWith('/v1/'));
  expect(addresses.length).toBeGreaterThan(20);
  for (const [method, path] of addresses) {
    const answer = await send(path.replaceAll(/:\w+/g, 'x').replace(/\/$/, ''), { method });
    expect([method, path, answer.status]).toEqual([method, path, 401]);
  }
});

test.each([{}, { authorization: 'Bearer sk_test_wrong' }])(
  'an address says what can be done at it to anybody',
  async (headers) => {
    for (const [path, allow] of [
      ['/v1/charges', 'POST, GET'],
      ['/v1/charges/x/resolve', 'POST'],
      ['/v1/export.csv', 'GET'],
      ['/v1/checkout/start', 'POST'],
      ['/pay/x', 'GET, POST'],
      ['/healthz', 'GET'],
    ] as const) {
      const answer = await send(path, { method: 'DELETE', headers });
      expect([path, answer.status, answer.headers.get('allow')]).toEqual([path, 405, allow]);
    }
  },
);

test('HEAD is answered as GET, without the body', async () => {
  const answer = await merchant('/v1/events', { method: 'HEAD' });
  expect(answer.status).toBe(200);
  expect(await answer.text()).toBe('');
});

test('an address that cannot be read is refused before anything is done', async () => {
  let calls = 0;
  const more = publicApp({ tag: 'Service' }).post('/', (c) => {
    calls += 1;
    return c.text('done');
  });
  const app = createApp(editedDependencies(), [['/more', more]]);
  const ask = async (url: string): Promise<Response> => {
    const request = new Request('https://proxy.test/more', { method: 'POST' });
    Object.defineProperty(request, 'url', { value: url });
    return app.fetch(request);
  };
  for (const url of ['https://a b/more', 'https://[::1/more', 'https://proxy.test:99999/more']) {
    const answer = await ask(url);
    expect([url, answer.status, calls]).toEqual([url, 400, 0]);
    expect(await answer.json()).toMatchObject({ code: 'invalid_request', param: 'Host' });
  }
  expect((await ask('https://proxy.test/more')).status).toBe(200);
});

test('what is not ours is answered without its words', async () => {
  const more = publicApp({ tag: 'Service' }).get('/', () => {
    throw new TypeError('a secret');
  });
  const lines: unknown[] = [];
  const app = createApp({ ...editedDependencies(), log: (line) => lines.push(line) }, [['/more', more]]);
  const answer = await app.fetch(new Request('https://proxy.test/more'));
  expect(answer.status).toBe(500);
  expect(await answer.text()).not.toContain('a secret');
  expect(lines).toEqual([expect.objectContaining({ code: 'internal', error: 'TypeError: a secret' })]);
});
