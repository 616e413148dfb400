import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { type Answers, recordedFetch } from '../../test-support/recorded-fetch.ts';
import { withoutPauses } from '../../test-support/without-pauses.ts';
import {
  type CreateDeskSession,
  createMerchantClient,
  type MerchantClient,
  type MerchantClientOptions,
} from './index.ts';

const secretKey = 'sk_live_markermarkermarker';
const settings = { endpoint: 'https://pay.hotel.example', secretKey };
const charge = { token: 'TK', amount: { value: 1, currency: 'EUR' }, reference: 'R', reason: 'deposit' } as const;
const key = { idempotencyKey: 'RES-1-deposit' };

function problem(status: number, code: string, headers: Record<string, string> = {}): Response {
  return Response.json(
    { type: 'x', title: 'x', status, code, detail: `no ${secretKey}`, param: 'amount', traceId: 't' },
    { status, headers },
  );
}

function merchant(answers: Answers, options: Partial<MerchantClientOptions> = {}) {
  const { fetch, requests } = recordedFetch('https://pay.hotel.example', answers);
  const client = createMerchantClient({ endpoint: 'https://pay.hotel.example/', secretKey, fetch, ...options });
  return { client, requests };
}

async function itemsOf<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}

const ok = (): Response => Response.json({ object: 'x', id: 'x_1' });
const down = (): Response => new Response('', { status: 503, headers: { 'retry-after': '0' } });
const lost = (): Response => {
  throw new TypeError('fetch failed');
};

describe('the merchant client', () => {
  it('goes through a list that has one page as through any other', async () => {
    const page = { object: 'list', data: [{ url: 'https://a.test' }, { url: 'https://b.test' }] };
    const { client, requests } = merchant([() => Response.json(page)]);
    expect(await itemsOf(client.webhookEndpoints.list())).toEqual(page.data);
    expect(requests).toHaveLength(1);
  });

  it('says nothing of a card or its token when what sends the request quotes it', async () => {
    const card = { cardNo: '4111111111111112', valid: '2030-12-31', cvc: '987' };
    const fetch = async (...call: Parameters<typeof globalThis.fetch>): Promise<never> => {
      throw new Error(`cannot send ${await new Request(...call).text()}`);
    };
    const { cards, charges } = createMerchantClient({ ...settings, fetch, maxNetworkRetries: 0 });
    for (const run of [() => cards.create(card), () => charges.create({ ...charge, token: 'STORED-998877' }, key)]) {
      const error = await run().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'network', cause: { message: expect.stringContaining('[redacted]') } });
      expect(inspect(error, { depth: 9 })).not.toMatch(/4111111111111112|987|STORED/);
    }
  });

  it.each([
    ['endpoint', undefined],
    ['endpoint', { secretKey }],
    ['endpoint', { endpoint: 'http://pay.hotel.example', secretKey }],
    ['endpoint', { endpoint: 'https://pay.hotel.example/?', secretKey }],
    ['endpoint', { endpoint: 'pay.hotel.example', secretKey }],
    ['fetch', { ...settings, fetch: 'x' }],
    ['secretKey', { ...settings, secretKey: '' }],
  ])('names the bad setting %s', (path, options) => {
    expect(() => createMerchantClient(options as never)).toThrow(
      expect.objectContaining({ code: 'configuration', path }),
    );
  });

  it.each(['pk_test_alpine_x', 'sk_live_x'])(
    'says for which hotel the key %s acts, and otherwise nothing',
    async (secretKey) => {
      const told = merchant([ok], { secretKey, property: 'alpine_1' });
      await told.client.charges.retrieve('ch_1');
      await told.client.charges.create(charge, key);
      expect(told.requests.map(({ headers }) => headers.get('innkeep-property'))).toEqual(['alpine_1', 'alpine_1']);
      const hotel = merchant([ok]);
      await hotel.client.charges.retrieve('ch_1');
      expect(hotel.requests[0]?.headers.has('innkeep-property')).toBe(false);
    },
  );

  it.each(['http://192.168.1.20:8787', 'http://10.0.0.5', 'http://mac.local:8787'])(
    'takes %s of the local network with a test key, and with no other',
    (endpoint) => {
      expect(createMerchantClient({ endpoint, secretKey: 'sk_test_x' })).toBeDefined();
      expect(createMerchantClient({ endpoint, secretKey: 'pk_test_alpine_x' })).toBeDefined();
      for (const other of ['sk_live_x', 'sk_x', 'pk_live_alpine_x']) {
        const refusal = expect.objectContaining({ code: 'configuration', path: 'endpoint' });
        expect(() => createMerchantClient({ endpoint, secretKey: other })).toThrow(refusal);
      }
    },
  );

  it.each<[string, (client: MerchantClient) => Promise<unknown>]>([
    ['a gateway call without a body', (c) => c.gateway.send('RMS', 'x', undefined as never)],
    ['a gateway body without bytes', (c) => c.gateway.send('RMS', 'x', { contentType: 'text/xml' } as never)],
    ['a charge without a body', (c) => c.charges.create(undefined as never, key)],
    ['the session of a key without a body', (c) => c.checkoutSessions.ensure('RES-1', undefined as never)],
    ['the session of a key with a slash', (c) => c.checkoutSessions.ensure('RES/1', { kind: 'card', reference: 'R' })],
    ['the session of a key that is too long', (c) => c.checkoutSessions.retrieveByKey('x'.repeat(201))],
    ['the session of no key', (c) => c.checkoutSessions.retrieveByKey(undefined as never)],
    ['a resolution without a body', (c) => c.charges.resolve('ch_1', undefined as never)],
    ['a card without a body', (c) => c.cards.create(undefined as never)],
    ['an export without a range', (c) => c.exports.csv(undefined as never)],
    ['an export by completion without an end', (c) => c.exports.csv({ completedFrom: '2026-03-01' } as never)],
    ['a table of payments without a range', (c) => c.payments.csv(undefined as never)],
    ['an audit without a range', (c) => c.audit.csv(undefined as never)],
    ['an audit without an end', (c) => c.audit.csv({ from: '2026-03-01' } as never)],
    ['a person with a space', (c) => c.charges.create(charge, { ...key, person: 'emp 42' })],
    ['a person of 65 characters', (c) => c.status({ person: 'x'.repeat(65) })],
    ['an export without an end', (c) => c.exports.csv({ from: '2026-03-01' } as never)],
    ['an export by creation and by completion', (c) => c.exports.csv({ from: '2026-03-01', ...march } as never)],
    [
      'the session of a key with another filter',
      (c) => c.checkoutSessions.list({ idempotencyKey: 'RES-1', status: 'open' } as never),
    ],
    [
      'a bigint in a body',
      (c) => c.charges.create({ ...charge, amount: { value: 1n as never, currency: 'EUR' } }, key),
    ],
  ])('refuses %s before any request', async (_, act) => {
    const { client, requests } = merchant([ok]);
    await expect(act(client)).rejects.toMatchObject({ code: 'invalid_input' });
    expect(requests).toHaveLength(0);
  });

  it.each([200, 202, 204])('takes an empty %i for a redelivery, and for nothing else', async (status) => {
    const { client } = merchant([() => new Response(null, { status })]);
    await expect(client.events.redeliver('ev_1')).resolves.toBeUndefined();
    await expect(client.charges.create(charge, key)).rejects.toMatchObject({ code: 'invalid_response' });
  });

  const resolution = { status: 'failed', evidence: 'portal' } as const;
  const session = { kind: 'card', reference: 'R' } as const;
  const desk: CreateDeskSession = { person: { id: 'emp-1' }, origin: 'https://office.example', features: ['read'] };
  const card = { cardNo: '4242424242424242', valid: '2028-12-31' };
  const anew = { rotate: true };
  const second = { payment: 'cs_1', attempt: 2 };
  const march = { completedFrom: '2026-03-01', completedTo: '2026-04-01' };

  it.each<[string, (client: MerchantClient) => Promise<unknown>]>([
    ['checkout-sessions/by-key/RES-1', (c) => c.checkoutSessions.retrieveByKey('RES-1')],
    ['checkout-sessions/cs_1', (c) => c.checkoutSessions.retrieve('cs_1')],
    ['checkout-sessions?status=unknown&limit=5', (c) => c.checkoutSessions.list({ status: 'unknown', limit: 5 })],
    ['checkout-sessions', (c) => c.checkoutSessions.list()],
    ['charges/ch_1', (c) => c.charges.retrieve('ch_1')],
    ['charges?reference=R+1&cursor=x', (c) => c.charges.list({ reference: 'R 1', cursor: 'x' })],
    ['reversals?completedFrom=2026-03-01&completedTo=2026-04-01', (c) => c.reversals.list(march)],
    ['events?after=41&limit=10', (c) => c.events.list({ after: 41, limit: 10 })],
    ['desk-sessions?limit=2', (c) => c.deskSessions.list({ limit: 2 })],
    ['webhook-endpoints', (c) => c.webhookEndpoints.list()],
    ['status', (c) => c.status()],
    ['payments?day=today&status=unknown', (c) => c.payments.list({ day: 'today', status: 'unknown' })],
    ['payments/cs_1', (c) => c.payments.retrieve('cs_1')],
    ['audit?person=emp-42&limit=5', (c) => c.audit.list({ person: 'emp-42', limit: 5 })],
  ])('reads %s', async (path, run) => {
    const { client, requests } = merchant([ok]);
    await run(client);
    expect(requests).toMatchObject([{ method: 'GET', path: `/v1/${path}`, body: '' }]);
    expect(requests[0]?.headers.get('authorization')).toBe(`Bearer ${secretKey}`);
    expect(requests[0]?.headers.get('content-type')).toBeNull();
  });

  it.each<[string, object, (client: MerchantClient) => Promise<unknown>]>([
    ['POST checkout-sessions', session, (c) => c.checkoutSessions.create(session)],
    ['PUT checkout-sessions/by-key/RES-1:a', session, (c) => c.checkoutSessions.ensure('RES-1:a', session)],
    ['POST checkout-sessions/cs_1/expire', {}, (c) => c.checkoutSessions.expire('cs_1')],
    ['POST checkout-sessions/cs_1/refresh', {}, (c) => c.checkoutSessions.refresh('cs_1')],
    ['POST checkout-sessions/cs_1/resolve', resolution, (c) => c.checkoutSessions.resolve('cs_1', resolution)],
    ['POST checkout-sessions/cs_1/client-secret', {}, (c) => c.checkoutSessions.createClientSecret('cs_1')],
    ['POST checkout-sessions/cs_1/client-secret', anew, (c) => c.checkoutSessions.createClientSecret('cs_1', anew)],
    ['POST checkout-sessions/cs_1/link', {}, (c) => c.checkoutSessions.createLink('cs_1')],
    ['POST checkout-sessions/cs_1/revoke-links', {}, (c) => c.checkoutSessions.revokeLinks('cs_1')],
    ['POST charges', charge, (c) => c.charges.create(charge, key)],
    ['POST charges/ch_1/resolve', resolution, (c) => c.charges.resolve('ch_1', resolution)],
    ['POST charges/ch_1/redact', {}, (c) => c.charges.redact('ch_1')],
    ['POST checkout-sessions/cs_1/redact', {}, (c) => c.checkoutSessions.redact('cs_1')],
    ['POST reversals', second, (c) => c.reversals.create(second, key)],
    ['POST desk-sessions', desk, (c) => c.deskSessions.create(desk)],
    ['POST desk-sessions/ds_1/revoke', {}, (c) => c.deskSessions.revoke('ds_1')],
    ['POST cards', card, (c) => c.cards.create(card)],
    ['POST events/ev_1/redeliver', {}, (c) => c.events.redeliver('ev_1')],
  ])('sends %s with %j', async (what, body, run) => {
    const { client, requests } = merchant([ok]);
    await run(client);
    const [method = '', path = ''] = what.split(' ');
    expect(requests).toMatchObject([{ method, path: `/v1/${path}`, body: JSON.stringify(body) }]);
    expect(requests[0]?.headers.get('authorization')).toBe(`Bearer ${secretKey}`);
    expect(requests[0]?.headers.get('content-type')).toBe('application/json');
  });

  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

  it.each([
    ['innkeep-person', 'emp-42', { person: 'emp-42' }],
    ['idempotency-key', 'RES-1-deposit', key],
    ['traceparent', traceparent, { traceparent }],
    // One that is none is not sent, and the call is made.
    ...['', 'x', `${traceparent}\r\nx: y`, 7 as never].map(
      (wrong) => ['traceparent', null, { traceparent: wrong }] as const,
    ),
  ] as const)('sends the header %s, here %j, when it is given, and none of its own', async (name, sent, options) => {
    const { client, requests } = merchant([ok]);
    await client.checkoutSessions.create(session, options);
    await client.checkoutSessions.create(session);
    expect(requests.map(({ headers }) => headers.get(name))).toEqual([sent, null]);
  });

  it.each<[string, (client: MerchantClient) => Promise<string>]>([
    ['audit.csv?from=2026-03-01&to=2026-04-01', (c) => c.audit.csv({ from: '2026-03-01', to: '2026-04-01' })],
    ['payments.csv?day=today&separator=semicolon', (c) => c.payments.csv({ day: 'today', separator: 'semicolon' })],
    ['export.csv?from=2026-03-01&to=2026-04-01', (c) => c.exports.csv({ from: '2026-03-01', to: '2026-04-01' })],
    ['export.csv?completedFrom=2026-03-01&completedTo=2026-04-01', (c) => c.exports.csv(march)],
  ])('reads %s as a table, again after a lost answer, and takes nothing else for one', async (path, read) => {
    // With the mark by which a spreadsheet knows its letters.
    const table = '\ufeff"reference"\r\n"Zürich"\r\n';
    const csv = (): Response => new Response(table, { headers: { 'content-type': 'text/csv; charset=utf-8' } });
    const { client, requests } = merchant([down, csv, ok]);
    expect(await read(client)).toBe(table);
    expect(requests.map(({ method, path: asked }) => `${method} ${asked}`)).toEqual(Array(2).fill(`GET /v1/${path}`));
    expect(requests[1]?.headers.get('authorization')).toBe(`Bearer ${secretKey}`);
    expect(requests[1]?.headers.get('content-type')).toBeNull();
    await expect(read(client)).rejects.toMatchObject({ code: 'invalid_response' });
  });

  it.each([undefined, '', 'a b', 'ü', 'x'.repeat(256)])(
    'refuses the key %j before any request',
    async (idempotencyKey) => {
      const { client, requests } = merchant([ok]);
      const options = { idempotencyKey } as { idempotencyKey: string };
      const invalid = { code: 'invalid_input', path: 'idempotencyKey' };
      await expect(client.charges.create(charge, options)).rejects.toMatchObject(invalid);
      await expect(client.reversals.create({ payment: 'ch_1' }, options)).rejects.toMatchObject(invalid);
      if (idempotencyKey !== undefined)
        await expect(client.checkoutSessions.create(session, options)).rejects.toMatchObject(invalid);
      await expect(client.charges.create(charge, undefined as unknown as typeof key)).rejects.toMatchObject(invalid);
      expect(requests).toHaveLength(0);
    },
  );

  it('repeats reads, the session of a booking, and calls with a key, with the same key', async () => {
    withoutPauses();
    const read = merchant([lost, down, ok]);
    await expect(read.client.charges.retrieve('ch_1')).resolves.toMatchObject({ id: 'x_1' });
    const ensured = merchant([lost, down, ok]);
    const body = { kind: 'card', reference: 'R' } as const;
    await expect(ensured.client.checkoutSessions.ensure('RES-1', body)).resolves.toMatchObject({ id: 'x_1' });
    expect(new Set(ensured.requests.map(({ method, body: sent }) => `${method} ${sent}`)).size).toBe(1);
    const keyed = merchant([lost, () => problem(409, 'idempotency_in_progress', { 'retry-after': '0' }), ok]);
    await expect(keyed.client.charges.create(charge, key)).resolves.toMatchObject({ id: 'x_1' });
    expect(keyed.requests.map(({ headers }) => headers.get('idempotency-key'))).toEqual(Array(3).fill('RES-1-deposit'));
    vi.restoreAllMocks();
  });

  it.each<[string, (client: MerchantClient) => Promise<unknown>]>([
    ['a session without a key', (c) => c.checkoutSessions.create({ kind: 'card', reference: 'R' })],
    ['a card', (c) => c.cards.create({ cardNo: '4242424242424242', valid: '2028-12-31' })],
    ['a resolution', (c) => c.charges.resolve('ch_1', resolution)],
    ['a gateway message', (c) => c.gateway.send('RMS', 'x', { contentType: 'text/xml', bytes: new Uint8Array(1) })],
  ])('never repeats %s', async (_, run) => {
    const broken = merchant([lost]);
    await expect(run(broken.client)).rejects.toMatchObject({ code: 'network' });
    expect(broken.requests).toHaveLength(1);
    const unavailable = merchant([down]);
    await expect(run(unavailable.client)).rejects.toMatchObject({ code: 'upstream_status', status: 503 });
    expect(unavailable.requests).toHaveLength(1);
  });

  it.each([
    [422, 'idempotency_mismatch'],
    [502, 'upstream_error'],
  ])('says what the proxy said with %i %s, without the key', async (status, code) => {
    const { client } = merchant([() => problem(status, code)], { maxNetworkRetries: 0 });
    const error = await client.charges.create(charge, key).catch((thrown: unknown) => thrown);
    const message = `The payment proxy answered ${status} ${code}: no [redacted] (amount)`;
    expect(error).toMatchObject({ name: 'MerchantError', message, code, status, param: 'amount', traceId: 't' });
    expect(inspect(error, { showHidden: true, depth: 5 })).not.toContain(secretKey);
  });

  it.each([
    [404, 404],
    ['404', undefined],
  ])('says with which status the gateway answered: %j', async (upstreamStatus, expected) => {
    const { client } = merchant([() => Response.json({ code: 'upstream_error', upstreamStatus }, { status: 502 })]);
    const body = { contentType: 'text/xml', bytes: new Uint8Array(1) };
    const error = await client.gateway.send('RMS', 'x', body).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'MerchantError', status: 502, upstreamStatus: expected });
  });

  it('gives up after its retries, and at once on a long Retry-After', async () => {
    const { client, requests } = merchant([down], { maxNetworkRetries: 1 });
    await expect(client.charges.create(charge, key)).rejects.toMatchObject({ status: 503 });
    expect(requests).toHaveLength(2);
    const slow = merchant([() => problem(429, 'rate_limited', { 'retry-after': '600' })]);
    await expect(slow.client.charges.list()).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 600 });
    expect(slow.requests).toHaveLength(1);
  });

  it('times out and passes an abort through', async () => {
    const hanging = merchant([() => new Promise(() => undefined)], { timeoutMs: 5, maxNetworkRetries: 0 });
    await expect(hanging.client.charges.retrieve('ch_1')).rejects.toMatchObject({ code: 'timeout' });
    const reason = new Error('enough');
    await expect(hanging.client.charges.retrieve('ch_1', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it('takes another time limit and other retries for one call', async () => {
    const hanging = merchant([() => new Promise(() => undefined)], { maxNetworkRetries: 0 });
    await expect(hanging.client.charges.retrieve('ch_1', { timeoutMs: 5 })).rejects.toMatchObject({ code: 'timeout' });
    const { client, requests } = merchant([down]);
    await expect(client.charges.list({}, { maxNetworkRetries: 0 })).rejects.toMatchObject({ status: 503 });
    expect(requests).toHaveLength(1);
    // It does more when it is sent twice.
    const resolved = client.charges.resolve('ch_1', resolution, { maxNetworkRetries: 2 });
    await expect(resolved).rejects.toMatchObject({ status: 503 });
    expect(requests).toHaveLength(2);
    const bad = { code: 'configuration', path: 'maxNetworkRetries' };
    await expect(client.charges.list({}, { maxNetworkRetries: -1 })).rejects.toMatchObject(bad);
    expect(requests).toHaveLength(2);
  });

  it('goes through a list page by page, from where the caller says, and requests no page twice', async () => {
    const page = (ids: readonly string[], nextCursor: string | null) => () =>
      Response.json({ object: 'list', data: ids.map((id) => ({ id })), nextCursor });
    const { client, requests } = merchant([page(['b'], 'x'), page([], 'y'), page(['c', 'd'], null)]);
    const charges = await itemsOf(client.charges.list({ status: 'unknown', cursor: 'a' }));
    expect(charges.map(({ id }) => id)).toEqual(['b', 'c', 'd']);
    expect(requests.map(({ path }) => path)).toEqual(
      ['a', 'x', 'y'].map((cursor) => `/v1/charges?status=unknown&cursor=${cursor}`),
    );
  });

  it('goes through a list no further than the loop, and not past a failure', async () => {
    const { client, requests } = merchant([() => Response.json({ data: [{ id: 'a' }, { id: 'b' }], nextCursor: 'b' })]);
    for await (const { id } of client.checkoutSessions.list()) if (id === 'b') break;
    expect(requests).toHaveLength(1);
    const refused = merchant([() => problem(403, 'forbidden')]);
    await expect(itemsOf(refused.client.reversals.list())).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('goes through events to the end of the feed', async () => {
    const feed = (seqs: readonly number[], nextAfter: number) => () =>
      Response.json({ data: seqs.map((seq) => ({ seq })), nextAfter });
    const { client, requests } = merchant([feed([42], 42), feed([], 50), feed([], 50)]);
    expect(await itemsOf(client.events.list({ after: 41, limit: 1 }))).toEqual([{ seq: 42 }]);
    expect(requests.map(({ path }) => path)).toEqual([41, 42, 50].map((after) => `/v1/events?after=${after}&limit=1`));
  });

  it('repeats no event of a feed that was set back', async () => {
    const setBack = (): Response => Response.json({ data: [], nextAfter: 20 });
    const { client, requests } = merchant([setBack, setBack]);
    await expect(client.events.list({ after: 41 })).resolves.toMatchObject({ nextAfter: 20 });
    await expect(itemsOf(client.events.list({ after: 41 }))).rejects.toMatchObject({ path: 'after' });
    expect(requests).toHaveLength(2);
  });

  it('passes gateway bytes through, both ways', async () => {
    const { client, requests } = merchant([
      () => new Response(Uint8Array.of(60, 252, 62), { headers: { 'content-type': 'text/xml' } }),
    ]);
    const message = { contentType: 'text/xml; charset=ISO-8859-1', bytes: Uint8Array.of(65) };
    const reply = await client.gateway.send('RMS', 'keepalivereq', message);
    expect(reply).toEqual({ contentType: 'text/xml', bytes: Uint8Array.of(60, 252, 62) });
    expect(requests[0]).toMatchObject({ path: '/v1/gateway/RMS/keepalivereq', body: 'A' });
    expect(requests[0]?.headers.get('content-type')).toBe('text/xml; charset=ISO-8859-1');
  });

  it('reads an export that is larger than any list', async () => {
    const large = 'x'.repeat(5 * 1024 * 1024);
    const csv = merchant([() => new Response(large, { headers: { 'content-type': 'text/csv' } })]);
    expect((await csv.client.exports.csv({ from: '2026-01-01', to: '2026-12-31' })).length).toBe(large.length);
    await expect(merchant([() => Response.json(large)]).client.charges.list()).rejects.toMatchObject({
      code: 'invalid_response',
    });
  });

  it.each(['', '..', 'cs_1/expire', 'cs_1?x'])('refuses %j as an id before any request', async (id) => {
    const { client, requests } = merchant([ok]);
    await expect(client.charges.retrieve(id)).rejects.toMatchObject({ code: 'invalid_input' });
    expect(requests).toHaveLength(0);
  });
});
