import { Hono } from 'hono';
import { expect, test, vi } from 'vitest';
import { describe } from '../src/http/describe.ts';
import type { CreatedOperation } from '../src/money/money-operation-object.ts';
import { operationResponse } from '../src/money/operation-routes.ts';
import { parseProperty } from '../src/properties/configured-properties.ts';
import { parsePlatforms } from '../src/properties/platforms.ts';
import { decisionOf, deskApp, merchantApp, platformApp, publicApp } from '../src/properties/resource-app.ts';
import { isPage } from '../src/runtime/app.ts';
import { BACK_OFFICE_RESOURCES } from '../src/runtime/back-office-resources.ts';
import { PAGE_RESOURCES } from '../src/runtime/page-resources.ts';
import { isOfBackOffice } from '../src/runtime/payment-resources.ts';
import { createSession, merchant, send } from '../test-support/client.ts';
import { editedDependencies } from '../test-support/edited-proxy.ts';
import { AURORA, KEYS, PLATFORM_KEYS, TEST_ENVIRONMENT, VALLEY_KEYS } from '../test-support/environment.ts';
import { expectProblem } from '../test-support/problem.ts';
import { createApp, RESOURCES } from '../test-support/whole-app.ts';

test('a sub-app that says nothing about its caller is not mounted', () => {
  const anybody = new Hono().get('/', (c) => c.text('all there is'));
  expect(() => createApp(editedDependencies(), [['/v1/everything', anybody]])).toThrow('Nobody decided who may call');
  expect(() => createApp(editedDependencies(), [['/v1/nothing', publicApp({ tag: 'Service' })]])).not.toThrow();
  expect(RESOURCES.map(([, app]) => decisionOf(app).tag)).not.toContain(undefined);
});

test('the worker looks for every route in the module that has it', () => {
  for (const resource of RESOURCES) {
    const [base, { routes }] = resource;
    const isThere = [BACK_OFFICE_RESOURCES.includes(resource), PAGE_RESOURCES.includes(resource)];
    for (const { path } of routes.filter(({ method }) => method !== 'ALL')) {
      const address = `${base}/${path}`.replace(/\/+/g, '/');
      expect([isOfBackOffice(address), isPage(address)], address).toEqual(isThere);
    }
  }
  expect(['/v1', '/v1/nothing', '/v1/chargesheet', '/desk'].map(isOfBackOffice)).toEqual([true, true, true, true]);
  expect(['/', '/pay/v1', '/deskbound', '/v10/payments'].map(isOfBackOffice)).toEqual([false, false, false, false]);
  expect(['/pay/x', '/return/x', '/', '/pay.css', '/v1/pay'].map(isPage)).toEqual([true, true, false, false, false]);
});

test('a route for keys that names no scope, or for desks no feature, is not mounted', () => {
  const described = { id: 'x', summary: '', description: '', answers: {} };
  for (const [app, missing] of [
    [merchantApp({ tag: 'Events' }).get('/x', (c) => c.text('all there is')), 'scope'],
    [merchantApp({ tag: 'Events' }).get('/x', describe(described), (c) => c.text('all there is')), 'scope'],
    [platformApp({ tag: 'Events' }).get('/x', (c) => c.text('all there is')), 'scope'],
    [deskApp({ tag: 'Desk' }).get('/x', describe({ id: 'x', scopes: ['read'] }), (c) => c.text('all')), 'feature'],
  ] as const) {
    expect(() => createApp(editedDependencies(), [['/v1/more', app]])).toThrow(`GET /x names no ${missing}`);
  }
});

test.each([{}, { authorization: 'Bearer sk_test_wrong' }])(
  'an address says what can be done at it to anybody',
  async (headers) => {
    for (const [path, allow] of [
      ['/v1/charges', 'POST, GET, HEAD'],
      ['/v1/charges/x/resolve', 'POST'],
      ['/v1/export.csv', 'GET, HEAD'],
      ['/v1/checkout/start', 'POST'],
      ['/pay/x', 'GET, HEAD, POST'],
      ['/healthz', 'GET, HEAD'],
    ] as const) {
      const answer = await send(path, { method: 'DELETE', headers });
      expect([path, answer.status, answer.headers.get('allow')]).toEqual([path, 405, allow]);
    }
  },
);

test('an address has no other spelling; from that of a page with a slash too many a browser is led to the page', async () => {
  const addresses = new Map(
    RESOURCES.flatMap(([base, app]) =>
      app.routes
        .filter(({ method }) => method !== 'ALL')
        .map(({ path }) => [
          `${base === '/' ? '' : base}${path === '/' ? '' : path}`.replaceAll(/:\w+(\{[^}]*\})?/g, 'success'),
          decisionOf(app).caller === 'platform' ? VALLEY_KEYS.all : KEYS.aurora,
        ]),
    ),
  );
  for (const [path, key] of addresses) {
    for (const alias of [`${path}/`, `/${path}`, path.toUpperCase()]) {
      for (const method of ['GET', 'POST']) {
        const answer = await send(alias, { method, headers: { authorization: `Bearer ${key}` } });
        const isOfPage = /^\/(?:pay\/.+|return\/.+\/start|desk\/[^/]+)\/$/.test(alias);
        const expected = isOfPage ? [308, path] : [404, null];
        expect([method, alias, answer.status, answer.headers.get('location')]).toEqual([method, alias, ...expected]);
      }
    }
  }
});

test('the status of a hotel has what is known, and says what is not', async () => {
  const headers = { authorization: `Bearer ${KEYS.aurora}` };
  for (const [upstreamStatus, shown] of [
    [() => Promise.resolve('down' as const), 'down'],
    [() => Promise.reject(new Error('away')), 'unknown'],
  ] as const) {
    const app = createApp({ ...editedDependencies(), upstreamStatus, maxPending: 400 });
    const answer = await app.request('https://proxy.test/v1/status', { headers });
    expect(await answer.json()).toMatchObject({ upstream: { status: shown }, server: { maxPending: 400 } });
  }
});

test('a charge without an outcome says where it is, and when to ask again', async () => {
  const made = (status: string) =>
    ({ operation: { id: 'ch_1', status }, isReplay: true }) as unknown as CreatedOperation;
  const more = publicApp({ tag: 'Service' }).get('/:status', describe({ id: 'x' }), (c) =>
    operationResponse(c, made(c.req.param('status'))),
  );
  const app = createApp(editedDependencies(), [['/made', more]]);
  for (const [status, http, seconds] of [
    ['sent', 202, '5'],
    ['unknown', 201, null],
  ] as const) {
    const answer = await app.request(`https://proxy.test/made/${status}`);
    expect([status, answer.status, answer.headers.get('retry-after')]).toEqual([status, http, seconds]);
    expect(answer.headers.get('location')).toContain('ch_1');
  }
});

test('a key is said to be used, a platform’s too, but not that of a hotel that cannot be read', async () => {
  const used: unknown[] = [];
  for (const [timeZone, status] of [
    ['Europe/Atlantis', 503],
    ['Europe/Vienna', 200],
  ] as const) {
    const app = createApp({ ...editedDependencies({ timeZone }), noteKeyUse: (owner) => used.push(owner) });
    const headers = { authorization: `Bearer ${KEYS.aurora}` };
    expect((await app.request('https://proxy.test/v1/events', { headers })).status).toBe(status);
  }
  const platforms = parsePlatforms(TEST_ENVIRONMENT);
  const app = createApp({ ...editedDependencies(), platforms, noteKeyUse: (owner) => used.push(owner) });
  await app.request('https://proxy.test/v1/properties', { headers: { authorization: `Bearer ${VALLEY_KEYS.all}` } });
  expect(used).toEqual([{ property: 'aurora' }, { platform: 'valley' }]);
});

test('the list of hotels goes on after those whose secrets count instead of their entries', async () => {
  const entries = ['aurora', 'bergblick', 'chalet', 'dorf'].map((id) => ({ id, displayName: `Alpine ${id}` }));
  const list = async ({ after, limit }: { after: string; limit: number }) =>
    entries
      .filter(({ id }) => id > after)
      .slice(0, limit)
      .map((entry) => ({ ...entry, livemode: false, isRemoved: false, version: 1, updatedAt: 0 }));
  const dependencies = editedDependencies();
  const secret = (id: string, displayName: string) => parseProperty(id, JSON.stringify({ ...AURORA, displayName }));
  const inSecrets = [secret('aurora', 'Aurora'), secret('bergblick', 'Bergblick'), secret('zermatt', 'Alpine Zermatt')];
  const app = createApp({
    ...dependencies,
    directory: { ...dependencies.directory, list },
    properties: { ...dependencies.properties, inSecrets },
    platforms: parsePlatforms(TEST_ENVIRONMENT),
  });
  const headers = { authorization: `Bearer ${PLATFORM_KEYS.all}` };
  for (const limit of [1, 2, 3]) {
    const found: string[] = [];
    for (let cursor = '', pages = 0; pages < 9; pages++) {
      const query = `search=alpine&limit=${limit}${cursor && `&cursor=${cursor}`}`;
      const answer = await app.request(`https://proxy.test/v1/properties?${query}`, { headers });
      const { data, nextCursor } = await answer.json<{ data: { id: string }[]; nextCursor: string | null }>();
      found.push(...data.map(({ id }) => id));
      if (nextCursor === null) break;
      cursor = nextCursor;
    }
    expect(found, `${limit} a page`).toEqual(['chalet', 'dorf', 'zermatt']);
  }
});

// Between a web server and the proxy there is no TLS: what browsers use is the address that the operator has named.
test.each([
  ['https://pay.hotel.example', 'max-age=31536000'],
  ['http://localhost:8787', null],
  ['https://localhost:8443', null],
])('whoever reaches the proxy as %s is told to stay with https: %s', async (address, told) => {
  const app = createApp({ ...editedDependencies(), publicUrl: () => new URL(address) });
  for (const path of ['/healthz', '/pay/x', '/v1/events']) {
    const { headers } = await app.request(`http://127.0.0.1:8787${path}`);
    expect([path, headers.get('strict-transport-security')]).toEqual([path, told]);
  }
});

test('a deployment that does not know its own address says so to whoever needs it', async () => {
  const lines: object[] = [];
  const log = (line: object) => void lines.push(line);
  const app = createApp({ ...editedDependencies(), log, publicUrl: () => undefined });
  const answer = app.request('https://proxy.test/v1/checkout', { headers: { authorization: 'Bearer cs_x' } });
  const detail = expect.stringContaining('PUBLIC_URL is missing');
  await expectProblem(answer, 503, { code: 'property_unavailable', param: 'PUBLIC_URL', detail });
  expect(lines).toMatchObject([{ level: 'error', code: 'property_unavailable', param: 'PUBLIC_URL' }]);
});

test('HEAD is answered as GET, without the body', async () => {
  const answer = await merchant('/v1/events', { method: 'HEAD' });
  expect(answer.status).toBe(200);
  expect(await answer.text()).toBe('');
});

test('the log has no part of an address but an id, and no query', async () => {
  const lines: Record<string, unknown>[] = [];
  const app = createApp({ ...editedDependencies(), log: (line) => lines.push(line) });
  const id = 'cs_01JZ8M4Q9T6V2X3Y5A7B8C9D0E';
  const headers = { authorization: `Bearer ${KEYS.aurora}` };
  const secrets = ['4242424242424242', 'TOKEN-SECRET-9876', `${id}_${'s'.repeat(43)}`];
  for (const secret of secrets) {
    for (const path of [
      '/v1/checkout-sessions',
      '/v1/charges',
      '/v1/reversals',
      '/v1/events',
      '/v1/gateway/RMS',
      '/pay',
    ]) {
      await app.fetch(new Request(`https://proxy.test${path}/${secret}?q=${secret}`, { headers }));
      await app.fetch(new Request(`https://proxy.test${path}/${secret}/resolve`, { method: 'POST', headers }));
    }
  }
  await app.fetch(new Request(`https://proxy.test/v1/checkout-sessions/${id}`, { headers }));
  expect(lines).toHaveLength(37);
  for (const secret of secrets) expect(JSON.stringify(lines)).not.toContain(secret);
  expect(lines.at(-1)).toMatchObject({ resource: id, route: '/v1/checkout-sessions/:id', code: 'not_found' });
  // That is for what is not ours.
  expect(lines.filter((line) => 'error' in line)).toEqual([]);
});

test('the log names the route of a call by key, whatever its key is called, and whoever is refused', async () => {
  const lines: Record<string, unknown>[] = [];
  const noteRefusal = vi.fn();
  const app = createApp({ ...editedDependencies(), noteRefusal, log: (line) => lines.push(line) });
  const ask = (method: string, key: string, secret: string) =>
    app.fetch(
      new Request(`https://proxy.test/v1/checkout-sessions/by-key/${key}`, {
        method,
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        ...(method === 'PUT' && { body: '{}' }),
      }),
    );
  const route = '/v1/checkout-sessions/by-key/:key';
  for (const key of ['RES-1', 'link', 'resolve']) {
    expect((await ask('PUT', key, KEYS.aurora)).status).toBe(400);
    expect((await ask('GET', key, 'sk_wrong')).status).toBe(401);
    expect((await ask('PUT', key, KEYS.auroraEvents)).status).toBe(403);
  }
  expect(lines.map((line) => line.route)).toEqual(Array(9).fill(route));
  const refused = { route: `PUT ${route}`, code: 'forbidden' };
  expect(noteRefusal.mock.calls).toEqual(Array(3).fill(['aurora', expect.objectContaining(refused)]));
});

test('the log names session and hotel of a guest’s call, also where it is refused', async () => {
  const lines: Record<string, unknown>[] = [];
  const app = createApp({ ...editedDependencies(), log: (line) => lines.push(line) });
  const { id, clientSecret } = await createSession();
  const wrong = `${id}_${'x'.repeat(43)}`;
  const ask = (path: string, secret: string, origin = 'https://aurora.test') =>
    app.fetch(new Request(`https://proxy.test${path}`, { headers: { authorization: `Bearer ${secret}`, origin } }));
  await ask('/v1/checkout', clientSecret);
  await ask('/v1/checkout', clientSecret, 'https://evil.test');
  await ask('/v1/checkout', wrong);
  await ask(`/pay/${wrong}`, '');
  await ask(`/return/${id}/${'x'.repeat(43)}/success`, '');
  await ask('/v1/checkout', `cs_${'0'.repeat(26)}_${'x'.repeat(43)}`);
  expect(lines.map(({ resource, property }) => [resource, property])).toEqual([
    ...Array(5).fill([id, 'aurora']),
    [undefined, undefined],
  ]);
});

test('a health check that finds all well leaves no line', async () => {
  const lines: unknown[] = [];
  const app = createApp({ ...editedDependencies(), now: () => 1_000, log: (line) => lines.push(line) });
  for (const method of ['GET', 'HEAD', 'POST']) {
    await app.fetch(new Request('https://proxy.test/healthz', { method }));
  }
  expect(lines).toEqual([expect.objectContaining({ method: 'POST', status: 405, level: 'info', durationMs: 0 })]);
});

test('files are answered as what they are, and the version to whoever asks for health', async () => {
  const app = createApp({ ...editedDependencies(), version: '1.2.3', readFile: async (path) => new Response(path) });
  for (const [path, type] of [
    ['/desk.js', 'text/javascript; charset=utf-8'],
    ['/openapi.json', 'application/json'],
    ['/openapi-platform.json', 'application/json'],
  ] as const) {
    const answer = await app.request(`https://proxy.test${path}`);
    expect([answer.headers.get('content-type'), await answer.text()]).toEqual([type, path]);
  }
  expect(await (await app.request('https://proxy.test/healthz')).json()).toEqual({ status: 'ok', version: '1.2.3' });
});

test('a file that the deployment lacks is a problem, and no script', async () => {
  const readFile = async (): Promise<Response> => new Response('<h1>Not Found</h1>', { status: 404 });
  const answer = await createApp({ ...editedDependencies(), readFile }).request('https://proxy.test/desk.js');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
  expect(await answer.json()).toMatchObject({ code: 'not_found', detail: 'This deployment has no such file' });
});

test('what is not ours is answered without its words', async () => {
  const more = publicApp({ tag: 'Service' }).get('/', () => {
    throw new TypeError(`a secret and 4242 4242 4242 4242 ${'!'.repeat(1_000)}`);
  });
  const lines: unknown[] = [];
  const app = createApp({ ...editedDependencies(), log: (line) => lines.push(line) }, [['/more', more]]);
  const answer = await app.fetch(new Request('https://proxy.test/more'));
  expect(answer.status).toBe(500);
  expect(await answer.text()).not.toContain('a secret');
  const error = expect.stringMatching(/^TypeError: a secret and \[redacted\] !{400,500}$/);
  expect(lines).toEqual([expect.objectContaining({ level: 'error', status: 500, code: 'internal', error })]);
});
