/** Who did what: every write that moves money or decides is in the audit once, with its author, and nothing that is secret. */
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { AuditEntry } from '@innkeep/core/contract';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { PATIENT } from '../../../scripts/test-limits.ts';
import { operationsOf } from '../openapi/document.ts';
import { PropertyDirectoryObject } from '../src/properties/property-directory-object.ts';
import { type Json, merchant, PAYMENT, send, startAttempt, startSession } from '../test-support/client.ts';
import { hotelWith, operator } from '../test-support/directory.ts';
import { editedDependencies } from '../test-support/edited-proxy.ts';
import { KEYS, PLATFORM_KEYS } from '../test-support/environment.ts';
import { listedSession } from '../test-support/listed.ts';
import { CHARGE, charge, useMoneyFakes } from '../test-support/money.ts';
import { passSeconds, poll } from '../test-support/objects.ts';
import { expectProblem } from '../test-support/problem.ts';
import { ACTOR } from '../test-support/records.ts';
import { createApp, RESOURCES } from '../test-support/whole-app.ts';

const fakes = useMoneyFakes('AUD');

/** Texts that must never be in the audit. */
const secrets: string[] = ['TOKEN-SECRET', '4242424242424242', 'sk_test', 'pk_test', 'aurora-password'];

async function audit(query: string, path = '/v1/audit', key?: string): Promise<AuditEntry[]> {
  const found: AuditEntry[] = [];
  for (let cursor = ''; ; ) {
    const answer = await merchant(`${path}?limit=100&${query}${cursor}`, key === undefined ? {} : { key });
    const { data, nextCursor } = await answer.json<{ data: AuditEntry[]; nextCursor: string | null }>();
    found.push(...data);
    if (nextCursor === null) return found;
    cursor = `&cursor=${nextCursor}`;
  }
}

/** A call of one person, and the answer's JSON. */
type Act = (path: string, body?: unknown, options?: { method?: string; key?: string }) => Promise<Json>;

const actOf =
  (person: string): Act =>
  async (path, body = {}, { method = 'POST', key } = {}) => {
    const headers = { 'innkeep-person': person, ...(key === undefined ? {} : { 'idempotency-key': key }) };
    const json = await (await merchant(`/v1/${path}`, { method, body, headers })).json<Json>();
    for (const name of ['clientSecret', 'url']) {
      if (typeof json[name] === 'string') secrets.push(json[name].slice(-43));
    }
    return json;
  };

async function unknownAttempt(): Promise<string> {
  const { id } = await startSession({ reference: fakes.reference });
  fakes.upstream.pay(id, { amount: 13_000 });
  await poll(id);
  expect(await poll(id, 5)).toMatchObject({ status: 'unknown' });
  return id;
}

async function unknownOperation(kind: 'charge' | 'reversal'): Promise<unknown> {
  const { id } = await charge(fakes.key('paid'), { reference: fakes.reference });
  fakes.upstream.overrides[kind === 'charge' ? 'pay' : 'reversal'] = () => new Response('no', { status: 500 });
  if (kind === 'charge') return (await charge(fakes.key('unknown'), { reference: `${fakes.reference}-2` })).id;
  return (await actOf('emp-author')('reversals', { payment: id }, { key: fakes.key('unknown') })).id;
}

const RESOLUTION = { status: 'failed', evidence: 'The portal shows nothing' };
const OFFERED = { ...PAYMENT, amount: { value: 9_000, currency: 'EUR' } };
const DESK = { person: { id: 'emp-desk' }, origin: 'https://office.aurora.test', features: ['read'] };
const sessionPath = async (): Promise<string> => `checkout-sessions/${(await startSession()).id}`;

const other = actOf('emp-other');

/** What somebody else has made. */
const made = async (path: string, body: unknown): Promise<unknown> => (await other(path, body)).id;
const paid = async (): Promise<string> => (await charge(fakes.key('paid'), { reference: fakes.reference })).id;

/** The calls of each route, each of which is made twice, and what the audit has of them. */
const ACTS: Readonly<Record<string, readonly [() => Promise<readonly Parameters<Act>[]>, ...string[]]>> = {
  createCheckoutSession: [
    async () => [['checkout-sessions', PAYMENT, { key: fakes.key() }]],
    'checkout_session.created',
  ],
  ensureCheckoutSession: [
    async () => {
      const path = `checkout-sessions/by-key/${fakes.reference}`;
      return [PAYMENT, OFFERED].map((body) => [path, body, { method: 'PUT' }]);
    },
    'checkout_session.changed',
    'checkout_session.created',
  ],
  expireCheckoutSession: [
    async () => [[`checkout-sessions/${await made('checkout-sessions', PAYMENT)}/expire`]],
    'checkout_session.expired',
  ],
  // It only looks.
  refreshCheckoutSession: [async () => [[`${await sessionPath()}/refresh`]]],
  createClientSecret: [
    async () => {
      const path = `${await sessionPath()}/client-secret`;
      return [[path], [path, { rotate: true }, { key: fakes.key() }]];
    },
    'client_secret.rotated',
  ],
  createPaymentLink: [async () => [[`${await sessionPath()}/link`, {}, { key: fakes.key() }]], 'payment_link.created'],
  revokePaymentLinks: [
    async () => {
      const path = await sessionPath();
      await other(`${path}/link`);
      return [[`${path}/revoke-links`]];
    },
    'payment_link.revoked',
  ],
  resolveCheckoutSession: [
    async () => [[`checkout-sessions/${await unknownAttempt()}/resolve`, RESOLUTION]],
    'checkout_session.resolved failed',
  ],
  createCharge: [
    async () => {
      const body = { ...CHARGE, reference: fakes.reference, note: 'Minibar' };
      return ['a', 'twin'].map((name) => ['charges', body, { key: fakes.key(name) }]);
    },
    'charge.created',
  ],
  resolveCharge: [
    async () => [[`charges/${await unknownOperation('charge')}/resolve`, RESOLUTION]],
    'charge.resolved failed',
  ],
  createReversal: [
    async () => {
      const body = { payment: await paid(), reason: 'service' };
      return ['a', 'nothing left'].map((name) => ['reversals', body, { key: fakes.key(name) }]);
    },
    'reversal.created',
  ],
  resolveReversal: [
    async () => [[`reversals/${await unknownOperation('reversal')}/resolve`, RESOLUTION]],
    'reversal.resolved failed',
  ],
  redactCheckoutSession: [
    async () => {
      const path = `checkout-sessions/${await made('checkout-sessions', PAYMENT)}`;
      await other(`${path}/expire`);
      return [[`${path}/redact`]];
    },
    'checkout_session.redacted',
  ],
  redactReversal: [
    async () => {
      const { id } = await other('reversals', { payment: await paid() }, { key: fakes.key() });
      return [[`reversals/${id}/redact`]];
    },
    'reversal.redacted',
  ],
  redactCharge: [async () => [[`charges/${await paid()}/redact`]], 'charge.redacted'],
  createDeskSession: [async () => [['desk-sessions', DESK]], 'desk_session.created', 'desk_session.created'],
  revokeDeskSession: [
    async () => [[`desk-sessions/${await made('desk-sessions', DESK)}/revoke`]],
    'desk_session.revoked',
  ],
  // Neither moves money: the hotel’s own system has its log, and what is told again was told.
  sendToGateway: [async () => []],
  redeliverEvent: [async () => [['events/ev_00000000000000000000000000/redeliver']]],
};

const WRITES = operationsOf(RESOURCES).filter(({ caller, method }) => caller === 'merchant' && method !== 'GET');

test('every write of the merchant API is here', () => {
  expect(Object.keys(ACTS).sort()).toEqual(WRITES.map(({ id }) => id).sort());
});

test.each(Object.entries(ACTS))('%s is in the audit once, with its author', async (id, [callsOf, ...actions]) => {
  const person = `emp-${id}`;
  for (const call of await callsOf()) for (const _ of [1, 2]) await actOf(person)(...call);
  await vi.waitFor(async () => {
    const entries = await audit(`person=${person}`);
    const found = entries.map(({ action, status }) => [action, status].filter(Boolean).join(' '));
    expect(found.sort()).toEqual([...actions].sort());
    for (const entry of entries) {
      expect(entry).toMatchObject({ property: 'aurora', by: { key: 'web', person, via: 'header' } });
      expect([entry.requestId, entry.resource]).toEqual([
        expect.stringMatching(/^[0-9a-f]{32}$/),
        expect.stringMatching(/^(cs|ch|rv|ds)_/),
      ]);
    }
  }, PATIENT);
});

test('whoever resolves their own reversal is shown to do so', async () => {
  const id = await unknownOperation('reversal');
  const resolved = await actOf('emp-author')(`reversals/${id}/resolve`, RESOLUTION);
  expect(resolved).toMatchObject({ by: { person: 'emp-author' }, resolution: { by: { person: 'emp-author' } } });
  await vi.waitFor(async () => {
    const [entry] = await audit(`resource=${id}&action=reversal.resolved`);
    expect(entry).toMatchObject({ status: 'failed', byAuthor: true });
  }, PATIENT);
});

test('reading a card’s token and an export are in it before they are answered', async () => {
  const { id } = await startSession({ kind: 'card', amount: undefined, surcharge: undefined });
  fakes.upstream.pay(id);
  await poll(id);
  const before = (await audit('action=card_token.read')).length;
  const headers = { 'innkeep-person': 'emp-reader' };
  await merchant(`/v1/checkout-sessions/${id}`, { headers });
  await merchant('/v1/export.csv?from=2026-01-01&to=2026-02-01', { headers });
  await merchant('/v1/audit.csv?from=2026-01-01&to=2026-02-01', { headers });
  expect(await audit('action=card_token.read')).toHaveLength(before + 1);
  // Once the token is erased there is nothing to read.
  passSeconds(31 * 86_400);
  expect(await poll(id)).toMatchObject({ result: { kind: 'card', token: null } });
  expect(await audit('action=card_token.read')).toHaveLength(before + 1);
  const entries = await audit('person=emp-reader');
  expect(entries.map(({ action, resource, route }) => `${action} ${resource ?? route}`).sort()).toEqual([
    `card_token.read ${id}`,
    'export.read GET /v1/audit.csv',
    'export.read GET /v1/export.csv',
  ]);
});

test('versions of the configuration are in it, and were not written twice', async () => {
  const key = `sk_test_audited_${'a'.repeat(40)}`;
  const configured = await hotelWith([key]);
  const merchantKeys = (configured.merchantKeys as Json[]).map((each) => ({ ...each, scopes: ['audit'] }));
  const change = (method: string, path: string, body: Json) =>
    operator(path, { method, body, headers: { 'innkeep-person': 'emp-it', 'if-match': '*' } });
  expect((await operator('audited', { method: 'PUT', body: { ...configured, merchantKeys } })).status).toBe(201);
  expect((await change('PATCH', 'audited', { displayName: 'Audited' })).status).toBe(200);
  expect((await change('PATCH', 'audited', { displayName: 'Audited' })).status).toBe(200);
  expect((await change('POST', 'audited/roll-back', { version: 1 })).status).toBe(200);
  const entries = await audit('action=property.changed', '/v1/audit', key);
  expect(entries.map(({ version, by }) => [version, by.key, by.person])).toEqual([
    [3, 'alpine/all', 'emp-it'],
    [2, 'alpine/all', 'emp-it'],
    [1, 'alpine/all', null],
  ]);
  await runInDurableObject(env.LEDGERS.getByName('audited'), (_ledger, { storage }) => {
    expect(storage.sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'audit'").toArray()).toEqual([]);
  });
});

test('an operator sees who changed its hotels, in order, also what the directory was not told at once', async () => {
  const change = (id: string, displayName: string) =>
    operator(id, { method: 'PATCH', body: { displayName }, headers: { 'innkeep-person': 'emp-it', 'if-match': '*' } });
  for (const id of ['alpine_one', 'alpine_two', 'elsewhere']) {
    await operator(id, { method: 'PUT', body: await hotelWith([`sk_test_${id}_${'a'.repeat(40)}`]) });
  }
  vi.spyOn(PropertyDirectoryObject.prototype, 'publish').mockRejectedValueOnce(new Error('away'));
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  expect((await change('alpine_one', 'Untold')).status).toBe(500);
  for (const id of ['alpine_one', 'alpine_two', 'elsewhere']) expect((await change(id, 'Told')).status).toBe(200);
  // Nothing that changes nothing is somebody's change.
  expect((await change('alpine_two', 'Told')).status).toBe(200);
  const acts = log.mock.calls
    .map(([line]) => JSON.parse(String(line)) as Json)
    .filter((line) => line.message === 'audit');
  expect(acts.map(({ property, action, version, by }) => [property, action, version, by])).toEqual(
    [
      ['alpine_one', 2],
      ['alpine_one', 3],
      ['alpine_two', 2],
      ['elsewhere', 2],
    ].map(([id, version]) => [id, 'property.changed', version, { key: 'alpine/all', person: 'emp-it', via: 'header' }]),
  );
  const entries = await audit('', '/v1/platform/audit', PLATFORM_KEYS.some);
  expect(entries.map(({ property, version }) => `${property} ${version}`).sort()).toEqual([
    'alpine_one 1',
    'alpine_one 2',
    'alpine_one 3',
    'alpine_two 1',
    'alpine_two 2',
  ]);
  const places = entries.map(({ at, id }) => `${at} ${id}`);
  expect(places).toEqual(places.toSorted().reverse());
  expect(await audit('person=emp-it', '/v1/platform/audit', PLATFORM_KEYS.some)).toHaveLength(3);
  const [own] = await audit('action=property.changed', '/v1/platform/audit', PLATFORM_KEYS.some);
  expect(own).toMatchObject({ action: 'property.changed', by: { key: 'alpine/all' }, resource: null });
});

describe('the person of a call', () => {
  test.each([
    ['a card number', '4242424242424242'],
    ['two words', 'emp 42'],
    ['65 characters', 'x'.repeat(65)],
    ['nothing', ''],
    ['a letter that is not ASCII', 'zo\u00eb'],
  ])('is not %s', async (_, person) => {
    const answer = merchant('/v1/status', { headers: { 'innkeep-person': person } });
    await expectProblem(answer, 400, { code: 'invalid_request', param: 'Innkeep-Person' });
  });

  test('makes no other request of it, and cannot come from a page', async () => {
    const body = { ...CHARGE, reference: fakes.reference };
    const first = await actOf('emp-1')('charges', body, { key: fakes.key() });
    const again = await actOf('emp-2')('charges', body, { key: fakes.key() });
    expect(again).toEqual(first);
    expect(first).toMatchObject({ by: { person: 'emp-1' } });
    const preflight = await send('/v1/checkout', { method: 'OPTIONS', headers: { origin: 'https://aurora.test' } });
    expect(preflight.headers.get('access-control-allow-headers')).not.toMatch(/person/i);
  });
});

describe('calls that are refused', () => {
  test('for a scope are one entry for each key, route, code and hour', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    for (let n = 0; n < 5; n++) await merchant('/v1/charges', { key: KEYS.auroraEvents });
    await merchant('/v1/export.csv', { key: KEYS.auroraEvents });
    await vi.waitFor(async () => {
      const entries = await audit('key=books&action=request.refused');
      expect(entries.map(({ route, code, count }) => [route, code, count]).sort()).toEqual([
        ['GET /v1/charges', 'forbidden', 5],
        ['GET /v1/export.csv', 'forbidden', 1],
      ]);
      // The first one of an hour is in the log, as everything is that the audit has.
      const told = log.mock.calls.map(([line]) => JSON.parse(String(line)) as Json);
      const acts = told.filter(({ message, action }) => message === 'audit' && action === 'request.refused');
      expect(acts.map(({ route, property, count }) => [route, property, count])).toEqual([
        ['GET /v1/charges', 'aurora', 1],
        ['GET /v1/export.csv', 'aurora', 1],
      ]);
    }, PATIENT);
  });

  test('for a wrong key leave nothing but eight characters of its hash in the log, however many they are', async () => {
    const lines: Readonly<Record<string, unknown>>[] = [];
    const counted = new Set<string>();
    const untouched = () => {
      throw new Error('a wrong key reached an object');
    };
    const app = createApp({
      ...editedDependencies(),
      ledger: untouched,
      noteKeyUse: untouched,
      noteRefusal: untouched,
      countKeyRefusal: (refusal) => counted.add(JSON.stringify(refusal)),
      log: (line) => lines.push(line),
    });
    for (let n = 0; n < 100; n++) {
      const headers = { authorization: `Bearer sk_test_wrong_${n}` };
      expect((await app.request('https://proxy.test/v1/charges', { headers })).status).toBe(401);
      expect(lines[n]).toMatchObject({ keyHash: expect.stringMatching(/^[0-9a-f]{8}$/) });
    }
    expect(new Set(lines.map(({ keyHash }) => keyHash)).size).toBe(100);
    expect([...counted]).toEqual(['{"reason":"wrong"}']);
  });
});

describe('more entries than one page looks through', () => {
  const START = Date.parse('2026-01-01T00:00:00Z');
  const END = '2026-01-03T00:00:00Z';
  const COUNT = 1_200;

  beforeAll(async () => {
    const ledger = env.LEDGERS.getByName('aurora');
    // Every third is something that was made; several happen in the same moment.
    const made = Array.from({ length: COUNT }, (_, n) => n).filter((n) => n % 3 === 0);
    const createdAt = (n: number): number => START + Math.floor(n / 4) * 60_000;
    await ledger.append(
      'aurora',
      made.map((n) => listedSession(n, [], { createdAt: createdAt(n) })),
    );
    await runInDurableObject(ledger, (_object, { storage }) => {
      const body = JSON.stringify({ action: 'payment_link.created', resource: 'cs_1', ...ACTOR });
      storage.sql.exec(
        `WITH RECURSIVE entry(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM entry WHERE n + 1 < ${COUNT})
         INSERT INTO audit (at, id, body)
         SELECT ${START} + n / 4 * 60000, printf('au_%026d', n), ? FROM entry WHERE n % 3 <> 0`,
        body,
      );
    });
  });

  test('are listed and exported in order, each once', async () => {
    const listed = (await audit(`from=2026-01-01&to=2026-01-10`)).map(({ id }) => id);
    expect(listed).toHaveLength(COUNT);
    expect(listed).toEqual([...new Set(listed)].sort().reverse());
    const table = await (await merchant('/v1/audit.csv?from=2026-01-01&to=2026-01-10')).text();
    const rows = table.trimEnd().split('\r\n').slice(1);
    expect(rows.map((row) => /"(au_\w+)"$/.exec(row)?.[1])).toEqual(listed.reverse());
    const few = await audit(`from=2026-01-01T00:10:00Z&to=2026-01-01T00:12:00Z`);
    expect(few.map(({ at }) => at.slice(14, 16))).toEqual(['11', '11', '11', '11', '10', '10', '10', '10']);
    expect(await audit(`from=${END}&to=2026-01-10&person=nobody`)).toEqual([]);
    // More is passed over than one page looks through.
    const range = 'from=2026-01-01&to=2026-01-10';
    expect(await audit(`${range}&action=checkout_session.created`)).toHaveLength(Math.ceil(COUNT / 3));
    expect(await audit(`${range}&resource=cs_1&person=nobody`)).toEqual([]);
    const pageOf = async (limit: number) =>
      (await merchant(`/v1/audit?from=2026-01-01T00:10:00Z&to=2026-01-01T00:12:00Z&limit=${limit}`)).json<Json>();
    expect([await pageOf(8), await pageOf(7)]).toMatchObject([
      { data: { length: 8 }, nextCursor: null },
      { data: { length: 7 }, nextCursor: expect.any(String) },
    ]);
  });

  test.each([
    ['cursor=x', 'cursor'],
    ['from=2026-06-02T00:00:00Z&to=2026-06-01T00:00:00Z', 'to'],
    ['cursor=%25', 'cursor'],
    [`cursor=${btoa('x1:au_1')}`, 'cursor'],
    [`cursor=${btoa('1:cs_1')}`, 'cursor'],
    [`cursor=${btoa('1:au_1:')}`, 'cursor'],
    ['from=yesterday', 'from'],
    ['action=paid', 'action'],
    ['limit=0', 'limit'],
  ])('are not listed by %s', async (query, param) => {
    await expectProblem(merchant(`/v1/audit?${query}`), 400, { param });
  });
});

test('nothing secret is in any of it, nor in what the ledger keeps', async () => {
  await startAttempt(await startSession());
  const all = JSON.stringify(await audit(''));
  const kept = await runInDurableObject(env.LEDGERS.getByName('aurora'), (_ledger, { storage }) =>
    JSON.stringify([
      storage.sql.exec('SELECT body FROM audit').toArray(),
      storage.sql.exec('SELECT request_id, network FROM resource').toArray(),
    ]),
  );
  expect(secrets.length).toBeGreaterThan(6);
  for (const secret of secrets)
    expect([all.includes(secret), kept.includes(secret), secret]).toEqual([false, false, secret]);
});

test('a session resolved as failed, and then as paid, tells of both with their authors', async () => {
  const id = await unknownAttempt();
  const resolve = (person: string, body: Json) => actOf(person)(`checkout-sessions/${id}/resolve`, body);
  const failed = await resolve('emp-first', RESOLUTION);
  expect(failed).toMatchObject({ attempts: [{ status: 'failed', resolution: { by: { person: 'emp-first' } } }] });
  const found = { status: 'succeeded', evidence: 'Statement, line 14', transactionId: `T-${fakes.reference}` };
  const paid = await resolve('emp-second', found);
  // The session has the later evidence alone.
  expect(paid).toMatchObject({ status: 'succeeded', attempts: [{ resolution: { evidence: found.evidence } }] });
  expect(JSON.stringify(paid)).not.toContain(RESOLUTION.evidence);
  await vi.waitFor(async () => {
    const entries = await audit(`resource=${id}&action=checkout_session.resolved`);
    const told = entries.map(({ status, by }) => `${by.person} ${status}`);
    expect(told.sort()).toEqual(['emp-first failed', 'emp-second succeeded']);
  }, PATIENT);
});
