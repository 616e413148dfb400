import { describe, expect, test, vi } from 'vitest';
import { refuse } from '../src/http/problem.ts';
import {
  type Created,
  createSession,
  type Json,
  merchant,
  PAYMENT,
  retrieve,
  send,
  startSession,
} from '../test-support/client.ts';
import { editedDependencies } from '../test-support/edited-proxy.ts';
import { KEYS, PLATFORM_KEYS } from '../test-support/environment.ts';
import { useFakes } from '../test-support/harness.ts';
import { runSessionAlarm } from '../test-support/objects.ts';
import { createApp } from '../test-support/whole-app.ts';

const fakes = useFakes();
const SESSIONS = '/v1/checkout-sessions';

async function refusal(answer: Response): Promise<Json> {
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  return { http: answer.status, ...(await answer.json<Json>()) };
}

describe('listing by an idempotency key', () => {
  test('finds the session that the key made, at once, and nothing else', async () => {
    const key = 'RES-1234/deposit 1'.replace(' ', '?&');
    const found = async (of: string, merchantKey?: string): Promise<Json> =>
      (
        await merchant(`${SESSIONS}?idempotencyKey=${encodeURIComponent(of)}`, merchantKey ? { key: merchantKey } : {})
      ).json<Json>();
    expect(await found(key)).toEqual({ object: 'list', data: [], nextCursor: null });
    const { clientSecret: _, ...session } = await (
      await merchant(SESSIONS, { body: PAYMENT, headers: { 'idempotency-key': key } })
    ).json<Json>();
    expect(await found(key)).toEqual({ object: 'list', data: [session], nextCursor: null });
    expect(await found(`${key}2`)).toMatchObject({ data: [] });
    expect(await found(key, 'sk_test_borealis')).toMatchObject({ data: [] });
  });

  test('finds not nothing when it cannot be told', async () => {
    const session = () => ({ retrieve: async () => refuse('property_unavailable', { detail: 'Not now' }) }) as never;
    const app = createApp({ ...editedDependencies(), session });
    const headers = { authorization: `Bearer ${KEYS.aurora}` };
    const answer = await app.request(`https://proxy.test${SESSIONS}?idempotencyKey=k`, { headers });
    expect(await refusal(answer)).toMatchObject({ http: 503, code: 'property_unavailable' });
  });

  test('is 400 with a key that cannot be one', async () => {
    expect(await refusal(await merchant(`${SESSIONS}?idempotencyKey=a%20b`))).toMatchObject({
      http: 400,
      param: 'idempotencyKey',
    });
  });
});

describe('creating a session', () => {
  test('answers with everything, and the client secret once', async () => {
    const session = await createSession();
    expect(session).toMatchObject({
      object: 'checkout_session',
      property: 'aurora',
      kind: 'payment',
      status: 'open',
      final: false,
      seq: 1,
      amount: { value: 12_000, currency: 'EUR' },
      reference: 'RES-1234',
      description: '2 nights',
      surcharge: false,
      returnUrl: 'https://aurora.test/booking/1234?step=3',
      metadata: { bookingId: '1234' },
      livemode: false,
      terms: 1,
      outdated: false,
      startedAt: null,
      completedAt: null,
      result: null,
      attempts: [],
      reversed: null,
      reversing: null,
    });
    expect(session.id).toMatch(/^cs_[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(session.clientSecret).toMatch(new RegExp(`^${session.id}_[A-Za-z0-9_-]{43}$`));
    expect(Date.parse(String(session.expiresAt)) - Date.parse(String(session.createdAt))).toBe(1_800_000);
    const { clientSecret: _, ...later } = session;
    expect(await retrieve(session.id)).toEqual(later);
  });

  const valid = { ...PAYMENT };
  test.each<[string, Json, string]>([
    ['no amount', { ...valid, amount: undefined }, 'amount'],
    ['an amount of zero', { ...valid, amount: { value: 0, currency: 'EUR' } }, 'amount.value'],
    ['a negative amount', { ...valid, amount: { value: -1, currency: 'EUR' } }, 'amount.value'],
    ['a fraction', { ...valid, amount: { value: 1.5, currency: 'EUR' } }, 'amount.value'],
    ['an unsafe integer', { ...valid, amount: { value: 2 ** 53, currency: 'EUR' } }, 'amount.value'],
    ['a text amount', { ...valid, amount: { value: '12000', currency: 'EUR' } }, 'amount.value'],
    ['an amount above the limit', { ...valid, amount: { value: 500_001, currency: 'EUR' } }, 'amount.value'],
    ['a currency without a limit', { ...valid, amount: { value: 1, currency: 'USD' } }, 'amount.currency'],
    ['a currency that is none', { ...valid, amount: { value: 1, currency: 'XYZ' } }, 'amount.currency'],
    ['a currency in small letters', { ...valid, amount: { value: 1, currency: 'eur' } }, 'amount.currency'],
    [
      'a field too many in the amount',
      { ...valid, amount: { value: 1, currency: 'EUR', unit: 'minor' } },
      'amount.unit',
    ],
    ['no reference', { ...valid, reference: undefined }, 'reference'],
    ['an empty reference', { ...valid, reference: '' }, 'reference'],
    ['a reference of blanks', { ...valid, reference: ' ' }, 'reference'],
    ['a long reference', { ...valid, reference: 'x'.repeat(65) }, 'reference'],
    ['a reference with a line break', { ...valid, reference: 'a\nb' }, 'reference'],
    ['a long description', { ...valid, description: 'x'.repeat(201) }, 'description'],
    ['a return address elsewhere', { ...valid, returnUrl: 'https://evil.test/' }, 'returnUrl'],
    ['a return address of another hotel', { ...valid, returnUrl: 'https://borealis.test/' }, 'returnUrl'],
    ['a return address that looks alike', { ...valid, returnUrl: 'https://aurora.test@evil.test/' }, 'returnUrl'],
    ['a return address with a password', { ...valid, returnUrl: 'https://u:p@aurora.test/' }, 'returnUrl'],
    ['a script as return address', { ...valid, returnUrl: 'javascript:alert(1)' }, 'returnUrl'],
    ['a relative return address', { ...valid, returnUrl: '//aurora.test/' }, 'returnUrl'],
    [
      'too much metadata',
      { ...valid, metadata: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`k${i}`, 'v'])) },
      'metadata',
    ],
    ['an empty list as metadata', { ...valid, metadata: [] }, 'metadata'],
    ['a list as metadata', { ...valid, metadata: ['a'] }, 'metadata'],
    ['metadata that is no text', { ...valid, metadata: { a: 1 } }, 'metadata.a'],
    ['a long metadata name', { ...valid, metadata: { ['k'.repeat(41)]: 'v' } }, `metadata.${'k'.repeat(41)}`],
    ['too short a life', { ...valid, expiresInSeconds: 59 }, 'expiresInSeconds'],
    ['too long a life', { ...valid, expiresInSeconds: 2_592_001 }, 'expiresInSeconds'],
    ['an unknown field', { ...valid, amountUnit: 'minor' }, 'amountUnit'],
    ['an unknown kind', { ...valid, kind: 'refund' }, 'kind'],
    ['an amount for a card', { kind: 'card', reference: 'R', amount: { value: 1, currency: 'EUR' } }, 'amount'],
    ['a surcharge for a card', { kind: 'card', reference: 'R', surcharge: false }, 'surcharge'],
  ])('with %s is 400 and names it', async (_, body, param) => {
    expect(await refusal(await merchant(SESSIONS, { body }))).toMatchObject({
      http: 400,
      code: 'invalid_request',
      param,
    });
  });

  test('with a surcharge the property does not allow is 400', async () => {
    const body = { ...PAYMENT, returnUrl: undefined, surcharge: true };
    expect(await refusal(await merchant(SESSIONS, { key: 'sk_test_borealis', body }))).toMatchObject({
      http: 400,
      param: 'surcharge',
    });
  });

  test('with an amount the property’s unit cannot express is 400', async () => {
    const body = { kind: 'payment', reference: 'R', amount: { value: 1_999, currency: 'EUR' } };
    expect(await refusal(await merchant(SESSIONS, { key: 'sk_test_borealis', body }))).toMatchObject({
      http: 400,
      param: 'amount.value',
    });
  });

  test.each<[string, string, string]>([
    ['__proto__', '{"kind":"card","reference":"R","__proto__":{"kind":"payment"}}', '__proto__'],
    ['constructor', '{"kind":"card","reference":"R","constructor":{}}', 'constructor'],
    ['toString', '{"kind":"card","reference":"R","toString":1}', 'toString'],
    ['__proto__ deep down', '{"kind":"card","reference":"R","metadata":{"__proto__":"x"}}', 'metadata.__proto__'],
  ])('with the name %s is 400', async (_, body, param) => {
    expect(await refusal(await merchant(SESSIONS, { body }))).toMatchObject({ http: 400, param });
  });

  test.each<[string, string]>([
    ['half an object', '{'],
    ['nothing', ''],
    ['bytes that are no UTF-8', '\ud800'],
    ['a list', '[]'],
    ['null', 'null'],
  ])('with %s as body is 400', async (_, body) => {
    expect(await refusal(await merchant(SESSIONS, { body }))).toMatchObject({
      http: 400,
      code: 'invalid_request',
      param: expect.any(String),
    });
  });

  const SECRET = 'received-4242424242424242';
  test.each<[string, unknown, string]>([
    ['a number for a text', { ...valid, reference: 4_242_424_242_424_242 }, 'Must be a text'],
    ['a text for an object', { ...valid, amount: SECRET }, 'Must be an object'],
    ['a text for a truth', { ...valid, surcharge: SECRET }, 'Must be true or false'],
    ['a text for a number', { ...valid, expiresInSeconds: SECRET }, 'Must be a number'],
    ['nothing', { ...valid, reference: undefined }, 'Must be given'],
    ['an unknown kind', { ...valid, kind: SECRET }, 'Must be payment or card'],
    ['an unknown field', { ...valid, [SECRET]: 1 }, 'There is no such field'],
    ['a list', { ...valid, amount: [SECRET] }, 'Must not be a list'],
    ['an unknown currency', { ...valid, amount: { value: 1, currency: 'QQQ' } }, 'Must be an ISO 4217 code'],
    [
      'another currency',
      { ...valid, amount: { value: 1, currency: 'USD' } },
      'This property has no limit for this currency',
    ],
  ])('with %s is refused in our words, which do not repeat it', async (_, body, detail) => {
    const { http, detail: said, param } = await refusal(await merchant(SESSIONS, { body }));
    expect([http, said]).toEqual([400, expect.stringContaining(detail)]);
    expect(`${said} ${param}`).not.toMatch(/4242|QQQ|USD|received|Invalid/);
  });

  test('says where it is', async () => {
    const created = await merchant(SESSIONS, { body: PAYMENT, headers: { 'idempotency-key': 'where' } });
    const { id } = await created.json<{ id: string }>();
    expect([created.status, created.headers.get('location')]).toEqual([201, `${SESSIONS}/${id}`]);
    const again = await merchant(SESSIONS, { body: PAYMENT, headers: { 'idempotency-key': 'where' } });
    expect([again.status, again.headers.get('location')]).toEqual([201, `${SESSIONS}/${id}`]);
  });

  test('nested without end is 400', async () => {
    const body = `{"metadata":${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}}`;
    expect(await refusal(await merchant(SESSIONS, { body }))).toMatchObject({ http: 400 });
  });

  test('with more than 16 KiB is 413, declared or not', async () => {
    const body = JSON.stringify({ ...PAYMENT, description: 'x'.repeat(17 * 1024) });
    expect(await refusal(await merchant(SESSIONS, { body }))).toMatchObject({ http: 413, code: 'payload_too_large' });
    const stream = new Response(body).body;
    const streamed = await send(SESSIONS, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_aurora', 'content-type': 'application/json' },
      body: stream,
    });
    expect(await refusal(streamed)).toMatchObject({ http: 413 });
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1', ''])(
    'as “%s” is 415',
    async (type) => {
      const answer = await send(SESSIONS, {
        method: 'POST',
        headers: { authorization: 'Bearer sk_test_aurora', ...(type === '' ? {} : { 'content-type': type }) },
        body: new TextEncoder().encode(JSON.stringify(PAYMENT)),
      });
      expect(await refusal(answer)).toMatchObject({ http: 415, code: 'unsupported_media_type', param: 'Content-Type' });
    },
  );
});

describe('idempotency', () => {
  const withKey = (key: string, body: Json = PAYMENT, who?: string): Promise<Response> =>
    merchant(SESSIONS, { body, headers: { 'idempotency-key': key }, ...(who === undefined ? {} : { key: who }) });

  test('a repeated request finds the same session, as it is now, with the same secret', async () => {
    const first = await withKey('k1');
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    const created = await first.json<{ id: string; clientSecret: string }>();
    const again = await withKey('k1', { ...PAYMENT, metadata: { ...(PAYMENT.metadata as Json) } });
    expect(again.status).toBe(201);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const replay = await again.json<Json>();
    expect(replay.id).toBe(created.id);
    expect(replay.clientSecret).toBe(created.clientSecret);
  });

  test('the same key with another body is 422', async () => {
    const { id } = await (await withKey('k2')).json<{ id: string }>();
    const other = await withKey('k2', { ...PAYMENT, amount: { value: 1, currency: 'EUR' } });
    expect(await refusal(other)).toMatchObject({ http: 422, code: 'idempotency_mismatch', resource: id });
  });

  test('fifty at once make one session', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => withKey('k3')));
    const bodies = await Promise.all(answers.map((answer) => answer.json<Json>()));
    expect(new Set(bodies.map(({ id }) => id)).size).toBe(1);
    expect(new Set(bodies.map(({ clientSecret }) => clientSecret)).size).toBe(1);
  });

  test('hotels do not share keys', async () => {
    const body = { kind: 'card', reference: 'R' };
    const [a, b] = [await withKey('k4', body), await withKey('k4', body, 'sk_test_borealis')];
    expect((await a.json<Json>()).id).not.toBe((await b.json<Json>()).id);
  });

  test('a refused request uses no key', async () => {
    expect((await withKey('k5', { ...PAYMENT, reference: '' })).status).toBe(400);
    expect((await withKey('k5')).status).toBe(201);
  });

  test.each(['a b', 'ä', 'x'.repeat(256)])('the key “%s” is 400', async (key) => {
    const headers = { 'idempotency-key': key };
    const answer = await merchant(SESSIONS, { body: PAYMENT, headers }).catch(() => undefined);
    // Some keys cannot even be sent.
    if (answer !== undefined) expect(await refusal(answer)).toMatchObject({ http: 400, param: 'Idempotency-Key' });
  });
});

describe('who may do what', () => {
  test('a wrong or missing key is 401', async () => {
    for (const answer of [await merchant(SESSIONS, { key: 'sk_test_wrong' }), await send(SESSIONS)]) {
      expect(await refusal(answer)).toMatchObject({ http: 401, code: 'unauthorized' });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  test('another hotel’s session is 404 for everything', async () => {
    const { id } = await createSession();
    const key = 'sk_test_borealis';
    for (const [path, method] of [
      ['', 'GET'],
      ['/expire', 'POST'],
      ['/refresh', 'POST'],
      ['/client-secret', 'POST'],
      ['/link', 'POST'],
    ] as const) {
      expect(await refusal(await merchant(`${SESSIONS}/${id}${path}`, { key, method }))).toMatchObject({
        http: 404,
        code: 'not_found',
      });
    }
    const resolve = await merchant(`${SESSIONS}/${id}/resolve`, { key, body: { status: 'failed', evidence: 'x' } });
    expect(resolve.status).toBe(404);
  });

  test.each(['cs_00000000000000000000000000', 'nonsense', 'cs_lower', '..', '%00'])('the id %s is 404', async (id) => {
    expect((await merchant(`${SESSIONS}/${id}`)).status).toBe(404);
  });

  test('a broken hotel’s key is 503 and names the field', async () => {
    expect(await refusal(await merchant(SESSIONS, { key: 'sk_test_broken' }))).toMatchObject({
      http: 503,
      code: 'property_unavailable',
      param: 'timeZone',
    });
  });
});

describe('addresses', () => {
  test('that do not exist are 404', async () => {
    expect(await refusal(await send('/v2/anything'))).toMatchObject({ http: 404, code: 'not_found' });
    const { headers } = await send('/v1/anything');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('strict-transport-security')).not.toBeNull();
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
    expect(await refusal(await send('/v1/cards', { method: 'POST' }))).toMatchObject({ http: 404 });
  });

  test('with the wrong method are 405 and say which', async () => {
    const answer = await merchant(SESSIONS, { method: 'DELETE' });
    expect(answer.headers.get('allow')).toBe('POST, GET, HEAD');
    expect(await refusal(answer)).toMatchObject({ http: 405, code: 'method_not_allowed' });
  });
});

describe('lists', () => {
  test('page through all sessions, newest first, and filter', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) {
      const { id } = await createSession({ reference: i % 2 === 0 ? 'LIST-EVEN' : 'LIST-ODD' });
      ids.unshift(id);
      await runSessionAlarm(id);
      tick();
    }
    const seen: unknown[] = [];
    let cursor = '';
    do {
      const page = await (await merchant(`${SESSIONS}?reference=LIST-EVEN&limit=2${cursor}`)).json<{
        object: string;
        data: Json[];
        nextCursor: string | null;
      }>();
      expect(page.object).toBe('list');
      expect(page.data.length).toBeLessThanOrEqual(2);
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`;
    } while (cursor !== '');
    expect(seen).toEqual(ids.filter((_, i) => i % 2 === 0));
  });

  test('filter by status and never show a token', async () => {
    const session = await startSession({ kind: 'card', amount: undefined, reference: 'LIST-CARD' });
    fakes.upstream.pay(session.id);
    await merchant(`${SESSIONS}/${session.id}/refresh`, { method: 'POST' });
    await runSessionAlarm(session.id);
    const page = await (await merchant(`${SESSIONS}?status=succeeded&reference=LIST-CARD`)).json<{ data: Json[] }>();
    expect(page.data).toHaveLength(1);
    expect(page.data[0]?.result).not.toHaveProperty('token');
    expect(JSON.stringify(page)).not.toContain('9876');
    const none = await (await merchant(`${SESSIONS}?status=expired&reference=LIST-CARD`)).json<{ data: Json[] }>();
    expect(none.data).toEqual([]);
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=x', 'limit'],
    ['status=paid', 'status'],
    ['cursor=abc', 'cursor'],
    ['completedFrom=2026-02-01&completedTo=2026-01-01', 'completedTo'],
    ['page=2', 'page'],
    ['limit=1&limit=2', 'limit'],
    ['__proto__=1', '__proto__'],
  ])('with %s are 400', async (query, param) => {
    expect(await refusal(await merchant(`${SESSIONS}?${query}`))).toMatchObject({ http: 400, param });
  });

  test('of a hotel that has nothing are empty', async () => {
    const page = await (await merchant(SESSIONS, { key: 'sk_test_borealis' })).json();
    expect(page).toMatchObject({ object: 'list', nextCursor: null });
  });
});

function tick(): void {
  // Two sessions of one millisecond would sort by id alone.
  vi.setSystemTime(Date.now() + 1);
}

test.each(['/v1', '/v1/nope', '/v1/cards', '/nope'])(
  'an address that leads nowhere carries the usual headers: %s',
  async (path) => {
    const answer = await send(path);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.get('cache-control')).toBe(path.startsWith('/v1') ? 'no-store' : null);
  },
);

describe('a link that is asked for again with a key', () => {
  const call = (id: string, key: string | undefined): Promise<Response> =>
    merchant(`${SESSIONS}/${id}/link`, {
      body: {},
      ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
    });
  const made = async (answer: Response): Promise<unknown> => (await answer.json<Json>()).url;

  test('makes nothing new, and says so', async () => {
    const [{ id }, other] = [await createSession(), await createSession()];
    const first = await call(id, 'k');
    const again = await call(id, 'k');
    expect([first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')]).toEqual([
      null,
      'true',
    ]);
    const secret = await made(first);
    expect(await made(again)).toBe(secret);
    const links = new Set([secret]);
    const calls = [
      { of: id, key: 'l' },
      { of: id, key: undefined },
      { of: id, key: undefined },
      { of: other.id, key: 'k' },
    ];
    for (const { of, key } of calls) {
      const different = await call(of, key);
      expect([different.status, different.headers.get('idempotent-replayed')]).toEqual([200, null]);
      links.add(await made(different));
    }
    expect(links.size).toBe(1 + calls.length);
  });

  test('is another one for another key of the hotel, and stays that of each, also once revoked', async () => {
    const { id } = await createSession();
    const ask = async (key: string) => {
      const headers = { 'idempotency-key': 'k', 'innkeep-property': 'aurora' };
      const answer = await merchant(`${SESSIONS}/${id}/link`, { body: {}, key, headers });
      expect(answer.status).toBe(200);
      return [await made(answer), answer.headers.get('idempotent-replayed')] as const;
    };
    const old = await ask(KEYS.aurora);
    const other = await ask(PLATFORM_KEYS.payments);
    expect([old[1], other[1]]).toEqual([null, null]);
    expect(other[0]).not.toBe(old[0]);
    for (const [url] of [old, other]) expect((await send(new URL(String(url)).pathname)).status).toBe(200);
    await merchant(`${SESSIONS}/${id}/revoke-links`, { method: 'POST' });
    expect(await ask(KEYS.aurora)).toEqual([old[0], 'true']);
    expect(await ask(PLATFORM_KEYS.payments)).toEqual([other[0], 'true']);
    for (const [url] of [old, other]) expect((await send(new URL(String(url)).pathname)).status).toBe(404);
  });

  test('is another one, once, when somebody had ended the session and it was opened anew', async () => {
    const put = () => merchant(`${SESSIONS}/by-key/reopened`, { method: 'PUT', body: PAYMENT });
    const { id } = await (await put()).json<Created>();
    const links: unknown[] = [];
    for (const _ of [1, 2, 3]) {
      const first = await call(id, 'k');
      const again = await call(id, 'k');
      expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
      const url = await made(first);
      expect(await made(again)).toBe(url);
      expect((await send(new URL(String(url)).pathname)).status).toBe(200);
      links.push(url);
      await merchant(`${SESSIONS}/${id}/expire`, { method: 'POST' });
      expect((await put()).status).toBe(200);
      for (const old of links) expect((await send(new URL(String(old)).pathname)).status).toBe(404);
    }
    expect(new Set(links).size).toBe(3);
  });

  test('is refused when the key is none', async () => {
    const { id } = await createSession();
    expect((await call(id, 'a b')).status).toBe(400);
  });
});

test('a repeated call has its link even when the session has ended', async () => {
  const { id } = await createSession();
  const call = (): Promise<Response> =>
    merchant(`${SESSIONS}/${id}/link`, { body: {}, headers: { 'idempotency-key': 'k' } });
  const { url } = await (await call()).json<{ url: string }>();
  await merchant(`${SESSIONS}/${id}/expire`, { method: 'POST' });
  expect(await (await call()).json()).toMatchObject({ url });
});
