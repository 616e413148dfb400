/** Who may do what: every route with every scope, with each kind of key and without one, as the OpenAPI document says. */
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { PLATFORM_SCOPES, SCOPE_WORDS, SCOPES } from '@innkeep/core/contract';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Operation, operationsOf, wholeOpenApiDocument } from '../openapi/document.ts';
import { sha256Hex } from '../src/http/hash.ts';
import { cards } from '../src/money/card-routes.ts';
import { KeyUseTable } from '../src/properties/key-use-table.ts';
import { createKeyUses } from '../src/properties/key-uses.ts';
import { parsePlatforms } from '../src/properties/platforms.ts';
import type { Dependencies, Resources } from '../src/runtime/app.ts';
import { createSession, PAYMENT, startSession } from '../test-support/client.ts';
import { editedDependencies } from '../test-support/edited-proxy.ts';
import { useFakes } from '../test-support/harness.ts';
import { poll } from '../test-support/objects.ts';
import { expectProblem } from '../test-support/problem.ts';
import { createApp, RESOURCES } from '../test-support/whole-app.ts';

type Route = Pick<Operation, 'method' | 'path'>;

const fakes = useFakes();

const MOTO: Resources = [['/v1/cards', cards(env)]];
const OPERATIONS = operationsOf([...RESOURCES, ...MOTO]);
const ADDRESS = '198.51.100.7';
const LIMITS = {
  expired: { expiresAt: '2020-01-01T00:00:00Z' },
  elsewhere: { allowFrom: ['203.0.113.0/24', '2001:db8::/32'] },
  here: { allowFrom: ['192.0.2.1', '198.51.100.0/24'], expiresAt: '2100-01-01T00:00:00Z' },
};

/** A key for each scope, and keys that have every scope and a limit. */
const HOTEL_KEYS = keysOf('sk', SCOPES);
const PLATFORM_KEYS = keysOf('pk', PLATFORM_SCOPES);
const FOREIGN_KEYS = [{ id: 'pk.foreign', scopes: PLATFORM_SCOPES }];
const CALLERS = ['none', 'guest', ...[...HOTEL_KEYS, ...PLATFORM_KEYS, ...FOREIGN_KEYS].map(({ id }) => id)];

function keysOf(kind: 'sk' | 'pk', scopes: readonly string[]) {
  return [
    ...scopes.map((scope) => ({ id: `${kind}.${scope}`, scopes: [scope] })),
    ...Object.entries(LIMITS).map(([name, limits]) => ({ id: `${kind}.${name}`, scopes, ...limits })),
  ];
}

const secretOf = (id: string): string => id.replace('.', '_test_');

async function stored<Key extends { readonly id: string }>(key: Key) {
  return { ...key, sha256: await sha256Hex(secretOf(key.id)) };
}

async function platform(keys: readonly { readonly id: string }[], pattern: string): Promise<string> {
  const all = (await Promise.all(keys.map(stored))).map((key) => ({ ...key, properties: [pattern] }));
  return JSON.stringify({ displayName: 'Alpine', keys: all });
}

let dependencies: Dependencies;
let app: ReturnType<typeof createApp>;
let guest: string;
const refusals: object[] = [];
const lines: object[] = [];
beforeAll(async () => {
  const merchantKeys = await Promise.all(HOTEL_KEYS.map(stored));
  dependencies = {
    ...editedDependencies({ merchantKeys, moto: true }),
    platforms: parsePlatforms({
      PLATFORM_ALPINE: await platform(PLATFORM_KEYS, '*'),
      PLATFORM_OTHER: await platform(FOREIGN_KEYS, 'other_*'),
    }),
    clientAddress: (headers: Headers) => headers.get('x-real-ip') ?? undefined,
    countKeyRefusal: (refusal: object) => refusals.push(refusal),
    log: (line: object) => lines.push(line),
  };
  app = createApp(dependencies, MOTO);
  guest = (await createSession()).clientSecret;
});

beforeEach(() => {
  refusals.length = 0;
  lines.length = 0;
});

/** A call that has a body and a query which fit nothing. */
async function ask({ method, path }: Route, caller: string, address: string = ADDRESS): Promise<Response> {
  const url = `https://proxy.test${path.replaceAll(/:\w+(\{[^}]*\})?/g, 'success')}?unheard-of=1`;
  const secret = caller === 'guest' ? guest : secretOf(caller);
  return app.request(url, {
    method,
    headers: {
      'content-type': 'application/json',
      'innkeep-property': 'aurora',
      // A key in a page is refused, whatever it may do.
      ...(caller === 'guest' || caller === 'none' ? { origin: 'https://aurora.test' } : {}),
      ...(address === '' ? {} : { 'x-real-ip': address }),
      ...(caller === 'none' ? {} : { authorization: `Bearer ${secret}` }),
    },
    ...(method === 'GET' ? {} : { body: '{}' }),
  });
}

/** Whether a caller gets past the question who calls. */
async function isAllowed(route: Route, caller: string): Promise<boolean> {
  const answer = await ask(route, caller);
  const text = await answer.text();
  return ![401, 403].includes(answer.status) && !text.includes('There is nothing at this address');
}

const { paths } = wholeOpenApiDocument('0.0.0') as {
  paths: Record<string, Record<string, { security: readonly Record<string, string[]>[] }>>;
};

const toPath = (path: string): string => path.replace(/:(\w+)(\{[^}]*\})?/g, '{$1}');

/** Those whom the document lets in. */
function documented({ method, path }: Route): string[] {
  const security = paths[toPath(path)]?.[method.toLowerCase()]?.security;
  if (security?.length === 0) return CALLERS;
  const ways = security?.flatMap((way) => Object.entries(way)) ?? [];
  // Who has a desk session is in a table of its own.
  return ways.flatMap(([scheme, [scope]]) => {
    if (scheme === 'guest') return ['guest'];
    if (scheme === 'desk' || scheme === 'deskPage') return [];
    return [`pk.${scope}`, 'pk.here', ...(scheme === 'merchant' ? [`sk.${scope}`, 'sk.here'] : [])];
  });
}

test.each(OPERATIONS.map((operation) => [operation.id, operation] as const))(
  '%s is for those whom the document names, and for nobody else',
  async (id, operation) => {
    // A key for other hotels may ask which ones, what they tell, and for the keys of its own platform.
    const expected = [
      ...documented(operation),
      ...(/^list(Properties|Platform(Events|Keys|Audit))$/.test(id) ? ['pk.foreign'] : []),
    ];
    const allowed: string[] = [];
    for (const caller of CALLERS) if (await isAllowed(operation, caller)) allowed.push(caller);
    expect(allowed).toEqual(CALLERS.filter((caller) => expected.includes(caller)));
  },
);

test('reading changes nothing, and every scope opens something', () => {
  const methods = OPERATIONS.filter(({ scopes }) => scopes?.includes('read')).map(({ method }) => method);
  expect(new Set(methods)).toEqual(new Set(['GET']));
  expect(new Set(OPERATIONS.flatMap(({ scopes = [] }) => scopes))).toEqual(new Set(PLATFORM_SCOPES));
});

const EVENTS = { method: 'GET', path: '/v1/events' };
const HOTELS = { method: 'GET', path: '/v1/properties/aurora' };

test.each([
  ['expired', ADDRESS, 401, 'This key expired at 2020-01-01T00:00:00Z'],
  ['elsewhere', ADDRESS, 403, `This key may not be used from ${ADDRESS}`],
  ['here', '198.51.101.7', 403, 'This key may not be used from 198.51.101.7'],
  ['here', '', 403, 'This key may not be used from an address that the proxy cannot tell'],
])('a key that is for %s is told why it is refused, from “%s”', async (name, address, status, detail) => {
  for (const kind of ['sk', 'pk'] as const) {
    await expectProblem(ask(EVENTS, `${kind}.${name}`, address), status, { detail });
    // Whether it is a thief, or a server that has moved.
    expect(lines.at(-1)).toMatchObject(address === '' ? {} : { network: address });
  }
});

test.each([
  ['sk.expired', EVENTS, { reason: 'expired', key: 'sk.expired', property: 'aurora' }],
  ['sk.elsewhere', EVENTS, { reason: 'address', key: 'sk.elsewhere', property: 'aurora' }],
  ['sk.gateway', EVENTS, { reason: 'scope', key: 'sk.gateway', property: 'aurora' }],
  ['sk.nobody', EVENTS, { reason: 'wrong' }],
  ['pk.expired', EVENTS, { reason: 'expired', key: 'alpine/pk.expired' }],
  ['pk.elsewhere', HOTELS, { reason: 'address', key: 'alpine/pk.elsewhere' }],
  ['pk.gateway', EVENTS, { reason: 'scope', key: 'alpine/pk.gateway', property: 'aurora' }],
  ['pk.gateway', HOTELS, { reason: 'scope', key: 'alpine/pk.gateway' }],
  ['pk.foreign', EVENTS, { reason: 'property', key: 'other/pk.foreign' }],
  ['pk.foreign', HOTELS, { reason: 'property', key: 'other/pk.foreign' }],
  ['pk.nobody', HOTELS, { reason: 'wrong' }],
] as const)('that %s is refused is counted once, and the log names the key', async (caller, route, refusal) => {
  await ask(route, caller);
  expect(refusals).toEqual([refusal]);
  const { reason, ...name } = refusal;
  expect(lines.at(-1)).toMatchObject({ message: 'request', refusal: reason, ...name });
  expect(JSON.stringify(lines)).not.toContain(secretOf(caller));
});

test('a key that is used for another hotel is counted as the key that it is', async () => {
  const headers = { authorization: `Bearer ${secretOf('sk.read')}`, 'innkeep-property': 'borealis' };
  await app.request('https://proxy.test/v1/events', { headers });
  expect(refusals).toEqual([{ reason: 'property', key: 'sk.read', property: 'aurora' }]);
});

test.each([
  ['says for no hotel', {}, 400],
  ['says for one that there is not', { 'innkeep-property': 'nobody' }, 404],
])('a platform key that %s acts for none', async (_, named, status) => {
  const headers = { authorization: `Bearer ${secretOf('pk.read')}`, ...named };
  const answer = app.request('https://proxy.test/v1/events', { headers });
  await expectProblem(answer, status, { param: 'Innkeep-Property' });
  expect(lines).toMatchObject([{ status, key: 'alpine/pk.read' }]);
});

test('a platform for trying is refused at a live hotel, and counted with both', async () => {
  const { properties } = dependencies;
  const find = async (id: string) => Object.assign({}, await properties.find(id), { livemode: true });
  const trial = createApp({ ...dependencies, properties: { ...properties, find } });
  const headers = {
    authorization: `Bearer ${secretOf('pk.read')}`,
    'innkeep-property': 'aurora',
    'x-real-ip': ADDRESS,
  };
  expect((await trial.request('https://proxy.test/v1/events', { headers })).status).toBe(403);
  expect(refusals).toEqual([{ reason: 'property', key: 'alpine/pk.read', property: 'aurora' }]);
});

test('a platform that cannot be used is told what is wrong with it, and no key of it is called wrong', async () => {
  const mistyped = { id: 'pk.read', scopes: ['raed'] };
  const text = await platform([mistyped], '*');
  const broken = createApp({ ...dependencies, platforms: parsePlatforms({ PLATFORM_ALPINE: text }) });
  const headers = { authorization: `Bearer ${secretOf('pk.read')}` };
  for (const path of ['/v1/events', '/v1/properties']) {
    const detail = expect.stringContaining('PLATFORM_ALPINE: field "keys.0.scopes.0"');
    const says = { code: 'property_unavailable', detail, param: 'PLATFORM_ALPINE' };
    await expectProblem(broken.request(`https://proxy.test${path}`, { headers }), 503, says);
  }
  expect(refusals).toEqual([]);
});

test.each([
  ['a refusal names the scopes that would do', 'sk.events', 'GET /v1/charges', '"charges" or "read"'],
  [
    'a web shop’s key cannot declare a session paid',
    'sk.checkout',
    'POST /v1/checkout-sessions/:id/resolve',
    '"resolutions"',
  ],
])('%s', async (_, caller, route, scopes) => {
  const [method = '', path = ''] = route.split(' ');
  const problem = { code: 'forbidden', detail: `This key needs the scope ${scopes}` };
  await expectProblem(ask({ method, path }, caller), 403, problem);
});

test('a stored card’s token is for keys with the scope tokens alone', async () => {
  const { id } = await startSession({ ...PAYMENT, kind: 'card', amount: undefined });
  fakes.upstream.pay(id);
  await poll(id);
  const read = async (caller: string) =>
    (await ask({ method: 'GET', path: `/v1/checkout-sessions/${id}` }, caller)).text();
  expect(await read('sk.tokens')).toContain('TOKEN-SECRET-9876');
  for (const caller of ['sk.checkout', 'sk.read', 'pk.read']) {
    const text = await read(caller);
    expect(text).toContain('"status":"succeeded"');
    expect(text).not.toMatch(/TOKEN-SECRET|9876/);
  }
});

test('a use is told once an hour, and again if it was not heard', async () => {
  const heard: unknown[] = [];
  let answers = true;
  const objects = {
    getByName: (name: string) => ({
      noteKeyUse: async (...use: unknown[]) => {
        heard.push([name, ...use]);
        if (!answers) throw new Error('not there');
      },
    }),
  };
  let now = 7_200_001;
  const note = createKeyUses({ PROPERTIES: objects, DIRECTORIES: objects } as object, {
    now: () => now,
    waitUntil: () => undefined,
  });
  for (let use = 0; use < 3; use++) {
    note({ property: 'aurora' }, 'a');
    note({ platform: 'alpine' }, 'b');
  }
  expect(heard.splice(0)).toEqual([
    ['aurora', 'a', 7_200_000],
    ['properties', 'b', 7_200_000],
  ]);
  now = 10_800_000;
  answers = false;
  note({ property: 'aurora' }, 'a');
  await vi.waitFor(() => {
    note({ property: 'aurora' }, 'a');
    expect(heard).toEqual([
      ['aurora', 'a', 10_800_000],
      ['aurora', 'a', 10_800_000],
    ]);
  });
});

test('an hour that is known already is not written again', async () => {
  await runInDurableObject(env.PROPERTIES.getByName('never_configured'), (_object, { storage }) => {
    const uses = new KeyUseTable(storage.sql);
    expect(uses.all()).toEqual({});
    const written = [1, 1, 2, 1].map((hour) => uses.note('a', hour));
    expect([written, uses.all()]).toEqual([[true, false, true, false], { a: 2 }]);
  });
});

const PAGES: Readonly<Record<string, string>> = import.meta.glob('../../../docs/concepts/keys-and-scopes.md', {
  query: '?raw',
  import: 'default',
  eager: true,
});

test('the page about scopes has every scope', () => {
  const [page = ''] = Object.values(PAGES);
  const scopes = PLATFORM_SCOPES.map((scope) => `| \`${scope}\` | ${SCOPE_WORDS[scope]} |\n`).join('');
  expect(page).toContain(`| --- | --- |\n${scopes}\n`);
});
