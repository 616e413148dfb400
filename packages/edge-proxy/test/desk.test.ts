/** Desk sessions: which route each feature reaches, from where, until when, and what a desk sees of it all. */
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { DESK_FEATURES, type DeskFeature, SCOPES } from '@innkeep/core/contract';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type Operation, operationsOf, wholeOpenApiDocument } from '../openapi/document.ts';
import { sha256Hex } from '../src/http/hash.ts';
import { cards } from '../src/money/card-routes.ts';
import { invalidProperty } from '../src/properties/configured-properties.ts';
import { parsePlatforms } from '../src/properties/platforms.ts';
import type { Dependencies, Resources } from '../src/runtime/app.ts';
import { type Json, PAYMENT, startSession } from '../test-support/client.ts';
import { editedDependencies, LIVE } from '../test-support/edited-proxy.ts';
import { charge, useMoneyFakes } from '../test-support/money.ts';
import { passSeconds, poll } from '../test-support/objects.ts';
import { expectProblem } from '../test-support/problem.ts';
import { createApp, RESOURCES } from '../test-support/whole-app.ts';

type Route = Pick<Operation, 'method' | 'path'>;

const fakes = useMoneyFakes('DESK');

const MOTO: Resources = [['/v1/cards', cards(env)]];
const OPERATIONS = operationsOf([...RESOURCES, ...MOTO]);
const OFFICE = 'https://office.aurora.test';
const OTHER_OFFICE = 'https://other.aurora.test';
const KEY = 'sk_test_office';
const GRANT = { person: { id: 'emp-42' }, origin: OFFICE, features: [...DESK_FEATURES] };
const eur = (value: number): Json => ({ value, currency: 'EUR' });

const keyHash = await sha256Hex(KEY);
/** The log of every app, and all secrets that were ever given out. */
const lines: object[] = [];
const secrets: string[] = [];
/** What was refused in this test, as it is counted and as the hotel hears of it. */
const refusals: object[] = [];
const noted: unknown[][] = [];

beforeEach(() => {
  refusals.length = 0;
  noted.length = 0;
});

interface Settings {
  /** What the key of the back office has. */
  readonly key?: Json;
  readonly property?: Json;
  readonly dependencies?: Partial<Dependencies>;
}

interface Call {
  readonly secret?: string;
  readonly origin?: string | null;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly method?: string;
}

/** The proxy as it is while the hotel and its key are configured so. What was stored before is there. */
function proxy({ key = {}, property = {}, dependencies = {} }: Settings = {}) {
  const merchantKeys = [
    { id: 'web', sha256: '0'.repeat(64), scopes: ['read'] },
    { id: 'office', sha256: keyHash, scopes: SCOPES, ...key },
  ];
  const edited = editedDependencies({ moto: true, deskOrigins: [OFFICE, OTHER_OFFICE], merchantKeys, ...property });
  const app = createApp(
    {
      ...edited,
      log: (line) => lines.push(line),
      countKeyRefusal: (refusal) => refusals.push(refusal),
      noteRefusal: (...refusal) => noted.push(refusal),
      ...dependencies,
    },
    MOTO,
  );
  /** A call of the desk's page, or, without an origin, of the back office's server. */
  const call = async (path: string, { secret, origin = OFFICE, headers = {}, body, method }: Call = {}) =>
    app.request(`https://proxy.test${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }),
        ...(origin === null ? {} : { origin }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return { call };
}

/** A call of the back office's server. */
function asOffice(path: string, body?: unknown, { call } = proxy()): Promise<Response> {
  return call(path, { secret: KEY, origin: null, body });
}

/** Makes a desk session as the back office does. */
async function openDesk(grant: Json = {}): Promise<{ id: string; clientSecret: string; expiresAt: string }> {
  const answer = await asOffice('/v1/desk-sessions', { ...GRANT, ...grant });
  expect(answer.status).toBe(201);
  const made = await answer.json<{ id: string; clientSecret: string; expiresAt: string }>();
  secrets.push(made.clientSecret);
  return made;
}

/** A call of every route, with a body and a query which fit nothing. */
function knock({ call }: ReturnType<typeof proxy>, { method, path }: Route, asked: Call): Promise<Response> {
  const url = `${path.replaceAll(/:\w+(\{[^}]*\})?/g, 'success')}?unheard-of=1`;
  return call(url, { ...asked, method, ...(method === 'GET' ? {} : { body: {} }) });
}

const { paths } = wholeOpenApiDocument('0.0.0') as {
  paths: Record<string, Record<string, { security: readonly Record<string, string[]>[] }>>;
};

/** The features by which the document lets a desk in; undefined: everybody gets in. */
function documented({ method, path }: Route): readonly string[] | undefined {
  const security = paths[path.replace(/:(\w+)(\{[^}]*\})?/g, '{$1}')]?.[method.toLowerCase()]?.security ?? [];
  if (security.length === 0) return undefined;
  return security.flatMap(({ desk }) => (desk?.length === 0 ? DESK_FEATURES : (desk ?? [])));
}

const NAMED = OPERATIONS.filter((operation) => documented(operation) !== undefined).map(
  (operation) => [operation.id, operation] as const,
);

describe('a route', () => {
  const sessions = new Map<DeskFeature, string>();

  test.each(NAMED)('%s is reached by the feature that it names, and by no other', async (_id, operation) => {
    const desk = proxy();
    const reached: string[] = [];
    for (const feature of DESK_FEATURES) {
      const secret = sessions.get(feature) ?? (await openDesk({ features: [feature] })).clientSecret;
      sessions.set(feature, secret);
      const answer = await knock(desk, operation, { secret });
      const text = await answer.text();
      expect(answer.headers.get('set-cookie')).toBeNull();
      // A page reads why it is refused, too.
      if (documented(operation)?.length !== 0) expect(answer.headers.get('access-control-allow-origin')).toBe(OFFICE);
      if (answer.status !== 403 && !text.includes('There is nothing at this address')) reached.push(feature);
      if (operation.id === 'signOutOfDesk') sessions.delete(feature);
    }
    expect(reached).toEqual(documented(operation));
  });

  test('that changes something is not for reading, and nothing makes keys, desks or tokens for a desk', () => {
    const lists = ['listEvents', 'listPayments'];
    const resources = ['retrieveCharge', 'retrieveCheckoutSession', 'retrievePayment', 'retrieveReversal'];
    const by = (feature: string) => NAMED.filter(([, each]) => documented(each)?.includes(feature)).map(([id]) => id);
    for (const [feature, ...ids] of [
      ['read', ...lists, ...resources],
      ['reverse', 'createReversal'],
      ['charge', 'createCharge'],
      ['link', 'createCheckoutSession', 'createPaymentLink', 'expireCheckoutSession', 'revokePaymentLinks'],
      ['resolve', 'resolveCharge', 'resolveCheckoutSession', 'resolveReversal'],
      ['export', 'exportPayments'],
    ] as const) {
      const all = [...ids, 'retrieveDesk', 'signOutOfDesk'];
      expect([feature, by(feature).sort()]).toEqual([feature, all.sort()]);
    }
  });

  test('answers the preflight of a desk if a desk reaches it, and of nobody else', async () => {
    const { call } = proxy();
    for (const [id, operation] of NAMED) {
      if (operation.caller === 'guest') continue;
      const methods = NAMED.filter(([, { path }]) => path === operation.path)
        .filter(([, each]) => documented(each)?.length !== 0)
        .map(([, { method }]) => method);
      const answer = await call(operation.path.replaceAll(/:\w+/g, 'x'), { method: 'OPTIONS' });
      const allowed = answer.headers.get('access-control-allow-methods');
      expect([id, answer.status, allowed]).toEqual(
        methods.length === 0 ? [id, 405, null] : [id, 204, methods.join(', ')],
      );
    }
  });
});

interface Shut extends Settings {
  readonly call?: Call;
  readonly prepare?: (made: { id: string }) => unknown;
}

/** What ends a desk session or keeps it out, and how it is told everywhere. */
const SHUT: readonly (readonly [string, status: number, Shut])[] = [
  ['from a page of another origin', 403, { call: { origin: 'https://evil.test' } }],
  ['from another desk of the hotel', 403, { call: { origin: OTHER_OFFICE } }],
  ['without an origin', 403, { call: { origin: null } }],
  ['after its end', 401, { prepare: () => passSeconds(3_600) }],
  ['after it was revoked', 401, { prepare: ({ id }) => asOffice(`/v1/desk-sessions/${id}/revoke`, {}) }],
  ['after its key was revoked', 401, { key: { sha256: '1'.repeat(64) } }],
  ['after its hotel has gone live', 401, { property: LIVE }],
];

describe('a desk session', () => {
  test.each(SHUT)('%s opens nothing', async (_, status, { call: asked, prepare, ...settings }) => {
    const made = await openDesk();
    await prepare?.(made);
    const desk = proxy(settings);
    for (const [id, operation] of NAMED) {
      const answer = await knock(desk, operation, { secret: made.clientSecret, ...asked });
      const isForOthers = operation.caller === 'guest' || operation.caller === 'platform';
      expect([id, answer.status]).toEqual([id, isForOthers ? 403 : status]);
      const whose = { property: 'aurora', key: 'office', desk: made.id, person: 'emp-42' };
      if (!isForOthers) expect(lines.at(-1)).toMatchObject({ message: 'request', status, ...whose });
      if (asked?.origin != null && operation.caller !== 'guest')
        expect(answer.headers.get('access-control-allow-origin')).toBe(null);
    }
  });

  test('with the id of another hotel is refused, which the page may read to ask for another one', async () => {
    const { clientSecret } = await openDesk();
    const answer = await proxy().call('/v1/desk', { secret: clientSecret.replace('_aurora_', '_borealis_') });
    expect(answer.headers.get('access-control-allow-origin')).toBe(OFFICE);
    await expectProblem(answer, 401, { detail: 'This desk session is wrong' });
  });

  test('says who is there, and what may be done now', async () => {
    const maxReversal = { EUR: 20_000, CHF: 5_000 };
    const { clientSecret: secret, expiresAt } = await openDesk({ features: ['reverse', 'read', 'read'], maxReversal });
    const answer = await proxy().call('/v1/desk', { secret });
    expect(answer.headers.get('access-control-allow-origin')).toBe(OFFICE);
    const desk = {
      object: 'desk',
      property: {
        id: 'aurora',
        name: 'Hotel Aurora',
        livemode: false,
        timeZone: 'Europe/Vienna',
        dayStartsAt: '04:00',
        maxAmount: { EUR: 500_000, JPY: 100_000 },
      },
      person: { id: 'emp-42' },
      features: ['read', 'reverse'],
      maxReversal,
      expiresAt,
    };
    expect(await answer.json()).toEqual(desk);
    const narrowed = proxy({
      key: { scopes: ['desk', 'reversals'], maxReversal: { EUR: 10_000, USD: 1 } },
      property: { maxAmount: undefined },
    });
    expect(await (await narrowed.call('/v1/desk', { secret })).json()).toEqual({
      ...desk,
      property: { ...desk.property, maxAmount: null },
      features: ['reverse'],
      maxReversal: { EUR: 10_000 },
    });
    // What the page may not do it is told; where it is not meant to be it hears nothing.
    const refused = await narrowed.call('/v1/events', { secret });
    expect(refused.headers.get('access-control-allow-origin')).toBe(OFFICE);
    await expectProblem(refused, 403, { detail: 'This desk session needs the feature "read"' });
    // It is the person who may not: of the server's key that says nothing.
    const by = { key: 'office', person: 'emp-42', via: 'desk' };
    expect(noted).toEqual([['aurora', { by, route: 'GET /v1/events', code: 'forbidden' }]]);
    expect(refusals).not.toContainEqual(expect.objectContaining({ reason: 'scope' }));
  });

  test.each([
    [{ features: ['read', 'reverse'] }, { scopes: ['desk', 'read'] }, 403, 'features'],
    [{ features: ['export'] }, { scopes: ['desk', 'reversals'] }, 403, 'features'],
    [{ origin: 'https://aurora.test' }, {}, 400, 'origin'],
    [{ origin: `${OFFICE}/` }, {}, 400, 'origin'],
    [{ person: { id: '' } }, {}, 400, 'person.id'],
    [{ person: { id: '4242424242424242' } }, {}, 400, 'person.id'],
    [{ features: [] }, {}, 400, 'features'],
    [{ features: ['everything'] }, {}, 400, 'features'],
    [{ expiresInSeconds: 3_601 }, {}, 400, 'expiresInSeconds'],
    [{ expiresInSeconds: 59 }, {}, 400, 'expiresInSeconds'],
    [{ maxReversal: { EUR: 0 } }, {}, 400, 'maxReversal.EUR'],
    [{ maxReversal: [] }, {}, 400, 'maxReversal'],
  ])('is not made with %j by a key with %j', async (grant, key, status, param) => {
    await expectProblem(asOffice('/v1/desk-sessions', { ...GRANT, ...grant }, proxy({ key })), status, { param });
  });

  test('that would do more than its key may is counted as refused for the scope', async () => {
    await asOffice('/v1/desk-sessions', GRANT, proxy({ key: { scopes: ['desk', 'read'] } }));
    const by = { key: 'office', person: null, via: 'key' };
    expect(noted).toEqual([['aurora', { by, route: 'POST /v1/desk-sessions', code: 'forbidden' }]]);
    expect(refusals).toEqual([{ reason: 'scope', key: 'office', property: 'aurora' }]);
  });

  test('lasts as long as it is told, and is listed until it is over', async () => {
    const { id, expiresAt } = await openDesk({ expiresInSeconds: 60 });
    expect(Date.parse(expiresAt)).toBe(Date.now() + 60_000);
    passSeconds(1);
    const other = await openDesk({ person: { id: 'emp-7' }, maxReversal: { EUR: 1 } });
    const list = async (query: string) => (await asOffice(`/v1/desk-sessions?${query}`)).json<Json>();
    expect(await list('limit=1')).toEqual({
      object: 'list',
      data: [
        {
          object: 'desk_session',
          id: other.id,
          property: 'aurora',
          status: 'active',
          person: { id: 'emp-7' },
          origin: OFFICE,
          features: [...DESK_FEATURES],
          page: false,
          maxReversal: { EUR: 1 },
          by: { key: 'office', person: null, via: 'key' },
          createdAt: new Date().toISOString(),
          expiresAt: other.expiresAt,
          revokedAt: null,
        },
      ],
      nextCursor: other.id,
    });
    await expectProblem(asOffice('/v1/desk-sessions?cursor=x'), 400, { param: 'cursor' });
    const statusOf = async () => ((await list(`limit=1&cursor=${other.id}`)).data as Json[])[0];
    expect(await statusOf()).toMatchObject({ id, status: 'active' });
    passSeconds(58);
    expect(await statusOf()).toMatchObject({ id, status: 'active' });
    passSeconds(1);
    expect(await statusOf()).toMatchObject({ id, status: 'ended', revokedAt: null });
  });

  test('is revoked once, by whoever may make some', async () => {
    const { id } = await openDesk();
    passSeconds(1);
    const revoke = (name: string) => asOffice(`/v1/desk-sessions/${name}/revoke`, {});
    const revoked = await (await revoke(id)).json<Json>();
    expect(revoked).toMatchObject({ id, status: 'ended', revokedAt: new Date().toISOString() });
    passSeconds(5);
    expect(await (await revoke(id)).json()).toEqual(revoked);
    expect((await revoke(`ds_${'0'.repeat(26)}`)).status).toBe(404);
    const audit = await asOffice(`/v1/audit?resource=${id}`);
    const data = [{ action: 'desk_session.revoked' }, { action: 'desk_session.created' }];
    expect(await audit.json()).toMatchObject({ data });
  });

  test('is of the mode in which it was made', async () => {
    passSeconds(1);
    const { id } = await openDesk();
    const statusAfter = async (property: Json) => {
      const answer = await asOffice('/v1/desk-sessions?limit=1', undefined, proxy({ property }));
      return (await answer.json<{ data: Json[] }>()).data.map((each) => [each.id, each.status, each.livemode]);
    };
    expect(await statusAfter(LIVE)).toEqual([[id, 'ended', undefined]]);
    expect(await statusAfter({})).toEqual([[id, 'active', undefined]]);
  });

  test('is forgotten a day after its end, and its audit is not', async () => {
    const { id } = await openDesk({ expiresInSeconds: 60 });
    const listed = async () => {
      await runInDurableObject(env.LEDGERS.getByName('aurora'), (ledger) => ledger.alarm());
      const { data } = await (await asOffice('/v1/desk-sessions')).json<{ data: Json[] }>();
      return data.some((session) => session.id === id);
    };
    passSeconds(86_400 + 60);
    expect(await listed()).toBe(true);
    passSeconds(86_400);
    expect(await listed()).toBe(false);
    const audit = await asOffice(`/v1/audit?resource=${id}`);
    expect(await audit.json()).toMatchObject({ data: [{ action: 'desk_session.created' }] });
  });

  test('is for no key, whatever it may do', async () => {
    await expectProblem(asOffice('/v1/desk'), 403, { detail: 'Only desk sessions can call this' });
  });

  test.each(['/v1/checkout', '/v1/properties'])('opens nothing that is for others, and says why: %s', async (path) => {
    const { clientSecret: secret } = await openDesk();
    await expectProblem(proxy().call(path, { secret }), 403, { detail: 'Desk sessions cannot do this' });
  });

  test.each([
    ['names another person', { 'innkeep-person': 'emp-7' }, 400],
    ['names another hotel', { 'innkeep-property': 'borealis' }, 403],
    ['names its own hotel', { 'innkeep-property': 'aurora' }, 200],
  ])('%s', async (_, headers, status) => {
    const { clientSecret: secret } = await openDesk();
    const answer = await proxy().call('/v1/desk', { secret, headers });
    expect(answer.status).toBe(status);
    if (status === 403) expect(await answer.json()).toMatchObject({ param: 'Innkeep-Property' });
  });
});

test.each<[string, () => Promise<boolean>, number, string]>([
  ['has', async () => true, 403, 'forbidden'],
  ['may have', () => Promise.reject(new Error('away')), 503, 'property_unavailable'],
])(
  'a desk of a platform without livemode leaves alone a hotel that %s real payments since',
  async (_, hasLivePayments, status, code) => {
    const secretKey = 'pk_test_trial';
    const keys = [{ id: 'desk', sha256: await sha256Hex(secretKey), scopes: ['desk', 'read'], properties: ['*'] }];
    const platforms = parsePlatforms({ PLATFORM_TRIAL: JSON.stringify({ displayName: 'Trial', keys }) });
    const { call } = proxy({ dependencies: { platforms } });
    const headers = { 'innkeep-property': 'aurora' };
    const body = { ...GRANT, features: ['read'] };
    const made = await call('/v1/desk-sessions', { secret: secretKey, origin: null, headers, body });
    const { clientSecret: secret } = await made.json<{ clientSecret: string }>();
    expect((await call('/v1/payments?day=today', { secret })).status).toBe(200);
    const later = proxy({ dependencies: { platforms, hasLivePayments } });
    const answer = await later.call('/v1/payments?day=today', { secret });
    expect(answer.headers.get('access-control-allow-origin')).toBe(OFFICE);
    await expectProblem(answer, status, { code });
  },
);

describe('keys in pages', () => {
  const PATHS = ['/v1/payments', '/v1/desk-sessions', '/v1/checkout', '/healthz', '/v1/properties'];
  const group = async () =>
    parsePlatforms({
      PLATFORM_GROUP: JSON.stringify({
        displayName: 'Group',
        keys: [{ id: 'desk', sha256: await sha256Hex('pk_test_group'), scopes: ['desk'], properties: ['*'] }],
      }),
      PLATFORM_MISTYPED: JSON.stringify({ keys: [{ id: 'desk', sha256: await sha256Hex('pk_test_mistyped') }] }),
    });

  test.each([
    [KEY, { reason: 'page', key: 'office', property: 'aurora' }],
    ['pk_test_group', { reason: 'page', key: 'group/desk' }],
    // It opens everything again once the platform is corrected.
    ['pk_test_mistyped', { reason: 'page', key: 'mistyped/unknown' }],
    // Nobody loses what opens nothing, and anybody can send it.
    ['sk_test_of_nobody', { reason: 'wrong' }],
    ['pk_test_of_nobody', { reason: 'wrong' }],
  ])('a secret key in a page is refused before anything is done, and the page reads why', async (secret, refusal) => {
    const platforms = await group();
    const { call } = proxy({ dependencies: { clientAddress: () => '198.51.100.7', platforms } });
    for (const path of PATHS) {
      refusals.length = 0;
      const answer = await call(path, { secret, body: GRANT });
      expect(answer.status).toBe(403);
      expect(answer.headers.get('access-control-allow-origin')).toBe(OFFICE);
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
      const detail = expect.stringMatching(/^A secret key is in a page/);
      expect(await answer.json()).toMatchObject({ code: 'forbidden', detail, param: 'Authorization' });
      expect(refusals).toEqual([refusal]);
      const { reason, ...name } = refusal;
      expect(lines.at(-1)).toMatchObject({ refusal: reason, ...name, keyHash: (await sha256Hex(secret)).slice(0, 8) });
    }
    expect(JSON.stringify(lines)).not.toContain(KEY);
  });

  test('a key is nobody’s while it cannot be told whose it is', async () => {
    const properties = editedDependencies().properties;
    const broken = invalidProperty('borealis', 'cannot be read');
    const key = { id: 'unknown', sha256: await sha256Hex('sk_test_made_up'), scopes: [] };
    const finders = [
      async () => ({ property: broken, key }),
      () => Promise.reject(new Error('the directory cannot be read')),
    ];
    for (const findByKey of finders) {
      refusals.length = 0;
      const { call } = proxy({ dependencies: { properties: { ...properties, findByKey } } });
      expect((await call('/v1/payments', { secret: 'sk_test_made_up' })).status).toBe(403);
      expect(refusals).toEqual([{ reason: 'wrong' }]);
    }
  });

  test.each([KEY, 'sk_test_of_nobody'])(
    'a key counts as a failure of its address, whoever’s it is: %s',
    async (secret) => {
      const secondsToWait: Dependencies['secondsToWait'] = async (act) => (act === 'failure' ? 7 : 0);
      const answer = await proxy({ dependencies: { secondsToWait } }).call('/v1/payments', { secret });
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '7']);
      expect(answer.headers.get('access-control-allow-origin')).toBe(OFFICE);
    },
  );
});

describe('at a desk', () => {
  /** A card that a guest has stored. */
  async function storedCard(): Promise<string> {
    const { id } = await startSession({ ...PAYMENT, kind: 'card', amount: undefined, reference: fakes.reference });
    fakes.upstream.pay(id);
    expect(await poll(id)).toMatchObject({ status: 'succeeded' });
    return id;
  }

  const noShow = (body: Json, name = 'no-show') => ({
    body: { amount: eur(8_000), reference: fakes.reference, reason: 'no_show', ...body },
    headers: { 'idempotency-key': fakes.key(name) },
  });

  test('what somebody does has them as its author', async () => {
    const { call } = proxy();
    const { id: payment } = await charge(fakes.key('paid'), { reference: fakes.reference });
    const { clientSecret: secret } = await openDesk();
    const body = { payment, amount: eur(2_000), reason: 'service' };
    const headers = { 'idempotency-key': fakes.key('back') };
    const by = { key: 'office', person: 'emp-42', via: 'desk' };
    const answer = await call('/v1/reversals', { secret, headers, body });
    expect(await answer.json()).toMatchObject({ status: 'succeeded', by });
    const { data } = await (await asOffice('/v1/audit?person=emp-42')).json<{ data: Json[] }>();
    expect(data[0]).toMatchObject({ action: 'reversal.created', by });
  });

  test('nothing is shown of tokens, of metadata, of return addresses and of client secrets', async () => {
    const { call } = proxy();
    const { clientSecret: secret } = await openDesk();
    const id = await storedCard();
    const asked = { secret, headers: { 'idempotency-key': fakes.key() }, body: PAYMENT };
    for (const path of [`/v1/checkout-sessions/${id}`, '/v1/checkout-sessions']) {
      const answer = await call(path, path.endsWith(id) ? { secret } : asked);
      const text = await answer.text();
      expect(answer.ok).toBe(true);
      expect(text).not.toMatch(/TOKEN-SECRET|9876|bookingId|booking\/1234|clientSecret/);
      expect(JSON.parse(text)).toMatchObject({ metadata: {}, returnUrl: null, reference: expect.any(String) });
    }
    const read = await asOffice('/v1/audit?action=card_token.read&person=emp-42');
    expect(await read.json()).toMatchObject({ data: [] });
  });

  test('an event says that something changed, and of what', async () => {
    const { call } = proxy();
    const { clientSecret: secret } = await openDesk();
    const { id } = await charge(fakes.key('paid'), { reference: fakes.reference });
    const answer = await call('/v1/events?limit=100', { secret });
    const { data, nextAfter: position } = await answer.json<{ data: Json[]; nextAfter: number }>();
    const event = { type: 'charge.succeeded', createdAt: new Date().toISOString(), position, resource: id };
    expect(data.at(-1)).toEqual({ id: expect.stringMatching(/^ev_/), ...event });
  });

  test('a stored card is charged by the session that stored it, once, and its token stays in the proxy', async () => {
    const { call } = proxy();
    const { clientSecret: secret } = await openDesk();
    const card = await storedCard();
    const first = await call('/v1/charges', { secret, ...noShow({ card }) });
    expect(first.status).toBe(201);
    const made = await first.json<Json>();
    expect(made).toMatchObject({ status: 'succeeded', by: { person: 'emp-42', via: 'desk' } });
    expect(JSON.stringify(made)).not.toMatch(/TOKEN-SECRET|9876/);
    const sent = fakes.upstream.requests.find(({ operation }) => operation === 'pay');
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({ serviceProvider: 'TEST_HOSTED' });
    expect(sent?.body).toContain('TOKEN-SECRET-9876');
    // The same call has the same answer, after the card is gone, too.
    passSeconds(31 * 86_400);
    const { clientSecret: later } = await openDesk();
    const again = await call('/v1/charges', { secret: later, ...noShow({ card }) });
    expect([again.headers.get('idempotent-replayed'), (await again.json<Json>()).id]).toEqual(['true', made.id]);
    expect(fakes.upstream.count('pay')).toBe(1);
    const detail = expect.stringMatching(/^The card of this session was kept until 20/);
    const over = call('/v1/charges', { secret: later, ...noShow({ card }, 'other') });
    await expectProblem(over, 400, { param: 'card', resource: card, detail });
  });

  test.each([
    ['a token', async () => ({ token: 'TOKEN-SECRET-9876' }), 403, 'token'],
    ['a session that stores no card', async () => ({ card: (await startSession()).id }), 400, 'card'],
    ['a session that nobody made', async () => ({ card: `cs_${'0'.repeat(26)}` }), 404, 'card'],
    ['no card at all', async () => ({}), 400, 'token'],
    ['both', async () => ({ token: 'TOKEN', card: `cs_${'0'.repeat(26)}` }), 400, 'card'],
    ['a card that was keyed in', async () => ({ card: `cs_${'0'.repeat(26)}`, tokenFrom: 'moto' }), 400, 'tokenFrom'],
  ])('%s cannot be charged', async (_, cardOf, status, param) => {
    const { clientSecret: secret } = await openDesk();
    const answer = await proxy().call('/v1/charges', { secret, ...noShow(await cardOf()) });
    // What a desk may not do is counted; what is wrong with a call is not.
    expect(noted).toMatchObject(status === 403 ? [['aurora', { route: 'POST /v1/charges' }]] : []);
    const text = await answer.text();
    expect([answer.status, JSON.parse(text)]).toMatchObject([status, { param }]);
    expect(text).not.toContain('TOKEN');
    expect(fakes.upstream.count('pay')).toBe(0);
  });

  test('a person refunds no more than the session allows, nor more than the key', async () => {
    const { id: payment } = await charge(fakes.key('paid'), { reference: fakes.reference });
    const person = { id: `${fakes.reference}-anna` };
    const maxReversal = { EUR: 1_000 };
    const office = { id: `${fakes.reference}-office`, maxReversal: { EUR: 1_500 } };
    const { call } = proxy({ key: office });
    const give = async (secret: string, value: number, name: string) => {
      const headers = { 'idempotency-key': fakes.key(name) };
      const body = { payment, amount: eur(value), allowDuplicate: true };
      const { status, code } = await (await call('/v1/reversals', { secret, headers, body })).json<Json>();
      return code ?? status;
    };
    const [anna, annaAgain, ben] = await Promise.all(
      [person, person, { id: `${fakes.reference}-ben` }].map((each) => openDesk({ person: each, maxReversal })),
    );
    expect(await give(anna?.clientSecret ?? '', 600, '1')).toBe('succeeded');
    expect(await give(annaAgain?.clientSecret ?? '', 401, '2')).toBe('limit_reached');
    expect(await give(annaAgain?.clientSecret ?? '', 400, '3')).toBe('succeeded');
    expect(await give(ben?.clientSecret ?? '', 501, '4')).toBe('limit_reached');
    expect(await give(ben?.clientSecret ?? '', 500, '5')).toBe('succeeded');
  });

  test('a limit that only the session has holds, and counts nothing that the payment service declines', async () => {
    const { id: payment } = await charge(fakes.key('paid'), { reference: fakes.reference });
    const { clientSecret: secret } = await openDesk({ person: { id: fakes.reference }, maxReversal: { EUR: 1_000 } });
    const body = { payment, amount: eur(1_000), allowDuplicate: true };
    const outcomes: unknown[] = [];
    for (const name of ['declined', 'accepted', 'more']) {
      const answer = name === 'declined' ? { returnCode: '12' } : { returnCode: '0', transactionID: 'R-1' };
      fakes.upstream.overrides.reversal = () => Response.json(answer);
      const headers = { 'idempotency-key': fakes.key(name) };
      const { status, code } = await (await proxy().call('/v1/reversals', { secret, headers, body })).json<Json>();
      outcomes.push(code ?? status);
    }
    expect(outcomes).toEqual(['declined', 'succeeded', 'limit_reached']);
  });
});

test('no secret of a desk is in a log, in an answer but that which gave it, or in what is stored', async () => {
  vi.spyOn(console, 'log').mockImplementation((line) => lines.push(line));
  const { call } = proxy();
  const made = await openDesk();
  const secret = made.clientSecret;
  const answers = [
    await call('/v1/desk', { secret }),
    await call('/v1/desk', { secret, origin: 'https://evil.test' }),
    await call('/v1/gateway/RMS/keepalivereq', { secret, body: { clientSecret: secret } }),
    await call(`/v1/charges/${secret}`, { secret }),
    await asOffice('/v1/desk-sessions'),
    await asOffice('/v1/desk-sessions', { ...GRANT, person: { id: secret } }),
    await asOffice('/v1/audit?limit=100'),
    await call('/v1/events', { secret, headers: { 'idempotency-key': secret, traceparent: secret } }),
  ];
  const shown = await Promise.all(answers.map((answer) => answer.text()));
  expect(answers[5]?.status).toBe(400);
  const stored = await runInDurableObject(env.LEDGERS.getByName('aurora'), (_object, { storage }) =>
    ['desk_session', 'audit'].map((table) => storage.sql.exec(`SELECT * FROM ${table}`).toArray()),
  );
  expect(JSON.stringify(stored)).toContain(made.id);
  const seen = JSON.stringify([lines, shown, stored, answers.map(({ headers }) => [...headers])]);
  expect(secrets.length).toBeGreaterThan(10);
  for (const each of secrets) expect(seen).not.toContain(each.slice(-43));
});
