/** The proxy's own page of a desk: its link, its cookie, and everything that ends or refuses them. */
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { SCOPES } from '@innkeep/core/contract';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { sha256Hex } from '../src/http/hash.ts';
import type { Dependencies } from '../src/runtime/app.ts';
import { createSession, type Json } from '../test-support/client.ts';
import { editedDependencies } from '../test-support/edited-proxy.ts';
import { passSeconds } from '../test-support/objects.ts';
import { expectProblem } from '../test-support/problem.ts';
import { createApp } from '../test-support/whole-app.ts';

const KEY = 'sk_test_office';
const OWN = 'https://proxy.test';
const GRANT = { person: { id: 'anna' }, features: ['read', 'reverse'], page: true };
/** As a browser says it of a page that reads from its own origin. */
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

const keyHash = await sha256Hex(KEY);
const lines: object[] = [];
const secrets: string[] = [];

beforeEach(() => {
  lines.length = 0;
  secrets.length = 0;
  passSeconds(1);
});

interface Settings {
  readonly key?: Json;
  /** No page of the hotel's own is a desk unless a test says so. */
  readonly deskOrigins?: readonly string[];
  readonly dependencies?: Partial<Dependencies>;
}

/** The proxy as it is while the hotel's key and the rest are so. */
function proxy({ key, deskOrigins = [], dependencies }: Settings = {}) {
  const merchantKeys = [
    { id: 'web', sha256: '0'.repeat(64), scopes: ['read'] },
    { id: 'office', sha256: keyHash, scopes: SCOPES, ...key },
  ];
  const edited = editedDependencies({ merchantKeys, deskOrigins });
  return createApp({ ...edited, log: (line) => lines.push(line), ...dependencies });
}

type App = ReturnType<typeof proxy>;

interface Call {
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

async function call(app: App, path: string, { headers = {}, body }: Call = {}): Promise<Response> {
  return app.request(`${OWN}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** A call of the back office's server. */
function asOffice(path: string, body?: unknown, app = proxy()): Promise<Response> {
  return call(app, path, { headers: { authorization: `Bearer ${KEY}` }, body });
}

/** Makes a session for the page as the command line does. */
async function makeLink(grant: Json = {}, app = proxy()): Promise<{ id: string; code: string; expiresAt: string }> {
  const answer = await asOffice('/v1/desk-sessions', { ...GRANT, ...grant }, app);
  expect(answer.status).toBe(201);
  const { id, url, expiresAt, ...more } = await answer.json<{ id: string; url: string; expiresAt: string }>();
  expect(more).toEqual({});
  const [, code = ''] = /^https:\/\/proxy\.test\/desk\/aurora#code=([!-~]+)$/.exec(url) ?? [];
  secrets.push(code);
  return { id, code, expiresAt };
}

/** Exchanges a code as the page does. */
function exchange(code: string, { hotel = 'aurora', origin = OWN, app = proxy() } = {}): Promise<Response> {
  return call(app, `/desk/${hotel}/session`, { headers: { origin }, body: { code } });
}

function cookieOf(answer: Response): string {
  const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';');
  secrets.push(cookie.split('=')[1] ?? '');
  return cookie;
}

/** A page that is open. */
async function openPage(grant: Json = {}): Promise<{ id: string; cookie: string }> {
  const { id, code } = await makeLink(grant);
  const answer = await exchange(code);
  expect(answer.status).toBe(204);
  return { id, cookie: cookieOf(answer) };
}

/** What the page asks first. */
function look(
  cookie: string,
  { headers = SAME_ORIGIN, app = proxy(), path = 'desk' }: Call & { app?: App; path?: string } = {},
) {
  return call(app, `/desk/aurora/v1/${path}`, { headers: { cookie, ...headers } });
}

test('the page allows its own script and nothing else, for every hotel alike', async () => {
  const app = proxy();
  const answer = await call(app, '/desk/aurora');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types lit-html",
  );
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
  const text = await answer.text();
  expect(text.match(/<script[^>]*>[^<]*/g)).toEqual(['<script type="module" src="/desk.js">']);
  expect(text).not.toMatch(/<style|style=|https?:/);
  expect(await (await call(app, '/desk/nowhere')).text()).toBe(text);
  expect((await call(app, '/desk/No.Where')).status).toBe(400);
});

describe('the code of a link', () => {
  test('is exchanged for a cookie that no script, no other site and no other address gets', async () => {
    const { code, expiresAt } = await makeLink();
    expect(Date.parse(expiresAt)).toBe(Date.now() + 60_000);
    const answer = await exchange(code);
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    const [cookie, ...attributes] = (answer.headers.get('set-cookie') ?? '').split('; ');
    expect(cookie).toMatch(/^innkeep-desk=ds_[0-9A-Z]{26}_aurora_[\w-]{43}$/);
    expect(cookie).not.toContain(code);
    expect(attributes.sort()).toEqual(['HttpOnly', 'Max-Age=28800', 'Path=/desk/aurora', 'SameSite=Strict', 'Secure']);
    expect(answer.headers.get('access-control-allow-origin')).toBe(null);
  });

  test('asks for https only where the proxy has it', async () => {
    const app = proxy({ dependencies: { publicUrl: () => new URL('http://127.0.0.1:8787') } });
    const made = await asOffice('/v1/desk-sessions', GRANT, app);
    const { url } = await made.json<{ url: string }>();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:8787\/desk\/aurora#/);
    const origin = 'http://127.0.0.1:8787';
    const answer = await exchange(url.split('code=')[1] ?? '', { app, origin });
    expect(answer.headers.get('set-cookie')).not.toContain('Secure');
  });

  test('works once, also for two at once', async () => {
    const { id, code } = await makeLink();
    const answers = await Promise.all([exchange(code), exchange(code)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 401]);
    const cookie = cookieOf(answers.find(({ status }) => status === 204) as Response);
    const again = await exchange(code);
    expect(again.headers.get('set-cookie')).toBe(null);
    const detail = 'This link was used or is older than a minute: ask for a new one';
    await expectProblem(again, 401, { detail, param: 'code' });
    expect(lines.at(-1)).toMatchObject({ status: 401, property: 'aurora', desk: id });
    // Whoever comes second does not end what the first has opened.
    expect((await look(cookie)).status).toBe(200);
  });

  test('works once where two calls reach the ledger in the same moment', async () => {
    const { id, code } = await makeLink();
    const hash = await sha256Hex(code);
    const opened = await runInDurableObject(env.LEDGERS.getByName('aurora'), (ledger) =>
      Promise.all(['a', 'b'].map((secret) => ledger.openDeskPage(id, hash, secret))),
    );
    expect(opened.map((session) => session?.hash)).toEqual(['a', undefined]);
  });

  test('stays revoked when it is used in the same moment', async () => {
    const { id, code } = await makeLink();
    expect((await exchange(code)).status).toBe(204);
    passSeconds(120);
    const actor = { by: { key: 'office', person: null, via: 'key' as const }, requestId: 'r', network: null };
    const found = await runInDurableObject(env.LEDGERS.getByName('aurora'), async (ledger) => {
      await Promise.all([ledger.noteDeskUse(id), ledger.revokeDeskSession(id, actor), ledger.noteDeskUse(id)]);
      return ledger.deskSession(id);
    });
    expect(found?.revokedAt).toEqual(expect.any(Number));
  });

  test.each<[string, (code: string) => string, string]>([
    ['of another hotel', (code) => code, 'borealis'],
    ['of a hotel that is not there', (code) => code.replace('_aurora_', '_nowhere_'), 'nowhere'],
    ['with other random bits', (code) => `${code.slice(0, -3)}AAA`, 'aurora'],
    ['whose id nobody made', (code) => code.replace(/^ds_.{26}/, `ds_${'0'.repeat(26)}`), 'aurora'],
    ['that is something else', () => 'a code', 'aurora'],
  ])('%s opens nothing, and is not used up', async (_, other, hotel) => {
    const { code } = await makeLink();
    expect((await exchange(other(code), { hotel })).status).toBe(401);
    expect((await exchange(code)).status).toBe(204);
  });

  test('is taken from the page of the proxy alone', async () => {
    const { code } = await makeLink();
    for (const origin of ['https://evil.test', 'https://office.aurora.test', 'null', `${OWN}.evil.test`]) {
      const answer = await exchange(code, { origin });
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null]);
    }
    expect((await call(proxy(), '/desk/aurora/session', { body: { code } })).status).toBe(403);
    expect((await exchange(code)).status).toBe(204);
  });

  test('is no secret: neither in a header nor as a cookie', async () => {
    const { code } = await makeLink();
    const headers = { authorization: `Bearer ${code}`, origin: OWN };
    expect((await call(proxy(), '/v1/desk', { headers })).status).toBe(401);
    expect((await look(`innkeep-desk=${code}`)).status).toBe(401);
  });

  test('that cannot be stored more often than the address may is not looked at', async () => {
    const app = proxy({ dependencies: { secondsToWait: async (act) => (act === 'guest' ? 7 : 0) } });
    const { code } = await makeLink();
    const answer = await exchange(code, { app });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '7']);
  });

  test.each([
    [{ origin: 'https://office.aurora.test' }, 400, 'page'],
    [{ expiresInSeconds: 28_801 }, 400, 'expiresInSeconds'],
    [{ page: false }, 400, 'origin'],
    [{ features: ['charge'] }, 403, 'features'],
  ])('is not made with %j', async (grant, status, param) => {
    const app = proxy({ key: { scopes: ['desk', 'read', 'reversals'] } });
    await expectProblem(asOffice('/v1/desk-sessions', { ...GRANT, ...grant }, app), status, { param });
  });
});

describe('the cookie', () => {
  test('opens what the session may, below the address of its hotel', async () => {
    const { id, cookie } = await openPage();
    const answer = await look(cookie);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.json()).toMatchObject({
      property: { id: 'aurora' },
      person: { id: 'anna' },
      features: ['read', 'reverse'],
      expiresAt: new Date(Date.now() + 900_000).toISOString(),
    });
    expect(lines.at(-1)).toMatchObject({ route: '/v1/desk', key: 'office', desk: id, person: 'anna' });
    passSeconds(600);
    const later = new Date(Date.now() + 900_000).toISOString();
    expect(await (await look(cookie)).json()).toMatchObject({ expiresAt: later });
    expect((await look(cookie, { path: 'payments?day=today' })).status).toBe(200);
    const detail = 'This desk session needs the feature "export"';
    await expectProblem(look(cookie, { path: 'payments.csv?day=today' }), 403, { detail });
  });

  test.each<[string, string, (cookie: string) => Record<string, string>, number]>([
    ['at the API itself', '/v1/desk', (cookie) => ({ cookie }), 401],
    ['in a header there', '/v1/desk', (cookie) => ({ authorization: `Bearer ${cookie.split('=')[1]}` }), 401],
    ['below another hotel', '/desk/borealis/v1/desk', (cookie) => ({ cookie }), 401],
    ['with a key beside it', '/desk/aurora/v1/desk', (cookie) => ({ cookie, authorization: 'Bearer sk_test' }), 404],
    ['at what is for guests', '/desk/aurora/v1/checkout', (cookie) => ({ cookie }), 401],
    ['at what is for operators', '/desk/aurora/v1/properties', (cookie) => ({ cookie }), 401],
    ['at what makes desks', '/desk/aurora/v1/desk-sessions', (cookie) => ({ cookie }), 403],
  ])('opens nothing %s', async (_, path, headersOf, status) => {
    const { cookie } = await openPage();
    expect((await call(proxy(), path, { headers: { ...SAME_ORIGIN, ...headersOf(cookie) } })).status).toBe(status);
  });

  test('with the secret of another kind opens nothing', async () => {
    const app = proxy({ deskOrigins: [OWN] });
    const made = await asOffice('/v1/desk-sessions', { ...GRANT, page: false, origin: OWN }, app);
    const { clientSecret } = await made.json<{ clientSecret: string }>();
    const headers = { authorization: `Bearer ${clientSecret}`, origin: OWN };
    expect((await call(app, '/v1/desk', { headers })).status).toBe(200);
    expect((await look(`innkeep-desk=${clientSecret}`, { app })).status).toBe(401);
  });

  test.each<[string, Record<string, string>, number]>([
    ['its own origin', { origin: OWN }, 400],
    ['its own origin, by Sec-Fetch-Site', { 'sec-fetch-site': 'same-origin' }, 400],
    ['another origin that says it is the same', { origin: 'https://evil.test', ...SAME_ORIGIN }, 403],
    ['the same site', { 'sec-fetch-site': 'same-site' }, 403],
    ['nobody knows where', {}, 403],
  ])('writes from %s: %j', async (_, headers, status) => {
    const { cookie } = await openPage();
    for (const path of ['reversals', 'desk/sign-out']) {
      // What gets through is refused for its body alone.
      const answer = await call(proxy(), `/desk/aurora/v1/${path}`, { headers: { cookie, ...headers }, body: [] });
      expect([path, answer.status]).toEqual([path, status]);
      if (status === 403) expect(answer.headers.get('access-control-allow-origin')).toBe(null);
      expect(answer.headers.get('access-control-allow-credentials')).toBe(null);
    }
    if (status === 403) expect((await look(cookie, { headers })).status).toBe(403);
    expect((await look(cookie)).status).toBe(200);
  });

  test('ends when nobody has used it for 15 minutes, while the page asks for news', async () => {
    const { cookie } = await openPage();
    passSeconds(899);
    expect((await look(cookie)).status).toBe(200);
    passSeconds(890);
    for (const path of ['events?after=0', 'payments?day=today'])
      expect((await look(cookie, { path })).status).toBe(200);
    passSeconds(9);
    expect((await look(cookie, { path: 'events?after=0' })).status).toBe(200);
    passSeconds(1);
    await expectProblem(look(cookie), 401, { detail: expect.stringMatching(/^This desk session expired at 20/) });
  });

  test('ends when it was told to, however much it is used', async () => {
    const { cookie } = await openPage({ expiresInSeconds: 1_500 });
    for (const [seconds, status] of [
      [800, 200],
      [699, 200],
      [1, 401],
    ] as const) {
      passSeconds(seconds);
      expect((await look(cookie)).status).toBe(status);
    }
  });

  test('makes a link with a key as other callers do', async () => {
    const { cookie } = await openPage({ features: ['read', 'link'] });
    const { id } = await createSession();
    const link = async (): Promise<unknown> => {
      const headers = { cookie, origin: OWN, 'idempotency-key': 'k' };
      const answer = await call(proxy(), `/desk/aurora/v1/checkout-sessions/${id}/link`, { headers, body: {} });
      expect(answer.status).toBe(200);
      return answer.json();
    };
    expect(await link()).toEqual(await link());
  });

  test('is signed out by its page, in the name of its person, and taken back', async () => {
    const { id, cookie } = await openPage();
    passSeconds(1);
    const answer = await call(proxy(), '/desk/aurora/v1/desk/sign-out', { headers: { cookie, origin: OWN }, body: {} });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('set-cookie')).toMatch(/^innkeep-desk=; Max-Age=0; Path=\/desk\/aurora;/);
    expect((await look(cookie)).status).toBe(401);
    const audit = await asOffice(`/v1/audit?resource=${id}`);
    expect((await audit.json<{ data: Json[] }>()).data).toMatchObject([
      { action: 'desk_session.revoked', by: { person: 'anna', via: 'desk' } },
      { action: 'desk_session.created', by: { key: 'office', via: 'key' } },
    ]);
  });
});

test('a session of the page is listed like every other, and as long as its link or its use lasts', async () => {
  const { id, code } = await makeLink();
  const list = async (): Promise<unknown> =>
    (await (await asOffice('/v1/desk-sessions?limit=100')).json<{ data: Json[] }>()).data.find(
      (each) => each.id === id,
    );
  expect(await list()).toMatchObject({ id, page: true, origin: OWN, status: 'active', person: { id: 'anna' } });
  expect(JSON.stringify(await list())).not.toContain('isOpen');
  passSeconds(59);
  await exchange(code);
  passSeconds(899);
  expect(await list()).toMatchObject({ id, status: 'active' });
  passSeconds(1);
  expect(await list()).toMatchObject({ id, status: 'ended', revokedAt: null });
});

test('neither code nor cookie is in a log, in an answer but that which gave it, or in what is stored', async () => {
  vi.spyOn(console, 'log').mockImplementation((line) => lines.push(line));
  const { code } = await makeLink();
  const wrong = await exchange(`${code}x`);
  const opened = await exchange(code);
  const cookie = cookieOf(opened);
  const answers = [
    wrong,
    await exchange(code),
    await look(cookie),
    await look(cookie, { headers: { origin: 'https://evil.test' } }),
    await look(cookie, { path: `charges/${cookie.split('=')[1]}` }),
    await call(proxy(), `/desk/${code}`),
    await call(proxy(), `/desk/aurora/session?code=${code}`, { headers: { origin: OWN }, body: { wrong: code } }),
    await asOffice('/v1/desk-sessions'),
    await asOffice('/v1/audit?limit=100'),
  ];
  const shown = await Promise.all(answers.map((answer) => answer.text()));
  const stored = await runInDurableObject(env.LEDGERS.getByName('aurora'), (_object, { storage }) =>
    ['desk_session', 'audit'].map((table) => storage.sql.exec(`SELECT * FROM ${table}`).toArray()),
  );
  const seen = JSON.stringify([lines, shown, stored, answers.map(({ headers }) => [...headers])]);
  expect(secrets.map((each) => each.length)).toEqual([80, 80]);
  for (const each of secrets) expect(seen).not.toContain(each.slice(-43));
});
