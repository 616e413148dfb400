import { describe, expect, test } from 'vitest';
import { refuse } from '../src/http/problem.ts';
import { type Created, createSession, type Json, merchant, PAYMENT, retrieve, send } from '../test-support/client.ts';
import { editedDependencies } from '../test-support/edited-proxy.ts';
import { KEYS, PLATFORM_KEYS } from '../test-support/environment.ts';
import { useFakes } from '../test-support/harness.ts';
import { expectProblem } from '../test-support/problem.ts';
import { createApp } from '../test-support/whole-app.ts';

useFakes();
const SESSIONS = '/v1/checkout-sessions';

describe('listing by an idempotency key', () => {
  test('finds the session that the key made, at once, and nothing else', async () => {
    const key = 'RES-1234/deposit?&1';
    const found = async (of: string, as: string = KEYS.aurora): Promise<Json> =>
      (await merchant(`${SESSIONS}?idempotencyKey=${encodeURIComponent(of)}`, { key: as })).json<Json>();
    expect(await found(key)).toEqual({ object: 'list', data: [], nextCursor: null });
    const { clientSecret: _, ...session } = await (
      await merchant(SESSIONS, { body: PAYMENT, headers: { 'idempotency-key': key } })
    ).json<Json>();
    expect(await found(key)).toEqual({ object: 'list', data: [session], nextCursor: null });
    expect(await found(`${key}2`)).toMatchObject({ data: [] });
    expect(await found(key, KEYS.borealis)).toMatchObject({ data: [] });
  });

  test('finds not nothing when it cannot be told', async () => {
    const session = () => ({ retrieve: async () => refuse('property_unavailable', { detail: 'Not now' }) }) as never;
    const app = createApp({ ...editedDependencies(), session });
    const headers = { authorization: `Bearer ${KEYS.aurora}` };
    const answer = await app.request(`https://proxy.test${SESSIONS}?idempotencyKey=k`, { headers });
    await expectProblem(answer, 503, { code: 'property_unavailable' });
  });
});

describe('creating a session', () => {
  test('answers with everything, and the client secret once', async () => {
    const session = await createSession();
    expect(session).toMatchObject({
      ...PAYMENT,
      object: 'checkout_session',
      property: 'aurora',
      status: 'open',
      final: false,
      seq: 1,
      surcharge: false,
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

  const card = { kind: 'card', amount: undefined };
  const elsewhere = { returnUrl: undefined };
  test.each<[string, Json | string, unknown, string?]>([
    ['no amount', { amount: undefined }, 'amount'],
    ['a fraction', { amount: { value: 1.5, currency: 'EUR' } }, 'amount.value'],
    ['an unsafe integer', { amount: { value: 2 ** 53, currency: 'EUR' } }, 'amount.value'],
    ['a text amount', { amount: { value: '12000', currency: 'EUR' } }, 'amount.value'],
    ['a currency in small letters', { amount: { value: 1, currency: 'eur' } }, 'amount.currency'],
    ['no reference', { reference: undefined }, 'reference'],
    ['an empty reference', { reference: '' }, 'reference'],
    ['a long reference', { reference: 'x'.repeat(65) }, 'reference'],
    ['a long description', { description: 'x'.repeat(201) }, 'description'],
    ['a return address elsewhere', { returnUrl: 'https://evil.test/' }, 'returnUrl'],
    ['a return address of another hotel', { returnUrl: 'https://borealis.test/' }, 'returnUrl'],
    ['a return address that looks alike', { returnUrl: 'https://aurora.test@evil.test/' }, 'returnUrl'],
    ['a return address with a password', { returnUrl: 'https://u:p@aurora.test/' }, 'returnUrl'],
    ['a relative return address', { returnUrl: '//aurora.test/' }, 'returnUrl'],
    [
      'too much metadata',
      { metadata: Object.fromEntries([...'abcdefghijklmnopqrstu'].map((k) => [k, k])) },
      'metadata',
    ],
    ['an empty list as metadata', { metadata: [] }, 'metadata'],
    ['a long metadata name', { metadata: { ['k'.repeat(41)]: 'v' } }, `metadata.${'k'.repeat(41)}`],
    ['too long a life', { expiresInSeconds: 2_592_001 }, 'expiresInSeconds'],
    ['an unknown field', { amountUnit: 'minor' }, 'amountUnit'],
    ['a surcharge for a card', { ...card, surcharge: false }, 'surcharge'],
    ['a surcharge that the hotel does not allow', { ...elsewhere, surcharge: true }, 'surcharge', KEYS.borealis],
    [
      'an amount that the hotel’s unit cannot express',
      { ...elsewhere, amount: { value: 1_999, currency: 'EUR' } },
      'amount.value',
      KEYS.borealis,
    ],
    ['the name __proto__', '{"kind":"card","reference":"R","__proto__":{"kind":"payment"}}', '__proto__'],
    ['the name toString', '{"kind":"card","reference":"R","toString":1}', 'toString'],
    ['__proto__ deep down', '{"kind":"card","reference":"R","metadata":{"__proto__":"x"}}', 'metadata.__proto__'],
    ['half an object', '{', expect.any(String)],
    ['nothing as body', '', expect.any(String)],
    ['null as body', 'null', expect.any(String)],
  ])('with %s is 400 and names it', async (_, given, param, key = KEYS.aurora) => {
    const body = typeof given === 'string' ? given : { ...PAYMENT, ...given };
    await expectProblem(merchant(SESSIONS, { key, body }), 400, { code: 'invalid_request', param });
  });

  const SECRET = 'received-4242424242424242';
  test.each<[string, Json, string]>([
    ['a number for a text', { reference: 4_242_424_242_424_242 }, 'Must be a text'],
    ['a text for an object', { amount: SECRET }, 'Must be an object'],
    ['a text for a truth', { surcharge: SECRET }, 'Must be true or false'],
    ['a text for a number', { expiresInSeconds: SECRET }, 'Must be a number'],
    ['nothing', { reference: undefined }, 'Must be given'],
    ['an unknown kind', { kind: SECRET }, 'Must be payment or card'],
    ['an unknown field', { [SECRET]: 1 }, 'This request has no such field'],
    ['a list', { amount: [SECRET] }, 'Must not be a list'],
    ['an unknown currency', { amount: { value: 1, currency: 'QQQ' } }, 'Must be an ISO 4217 code'],
    ['another currency', { amount: { value: 1, currency: 'USD' } }, 'This property has no maxAmount for this currency'],
  ])('with %s is refused in our words, which do not repeat it', async (_, given, detail) => {
    const answer = await merchant(SESSIONS, { body: { ...PAYMENT, ...given } });
    const { detail: said, param } = await answer.json<Json>();
    expect([answer.status, said]).toEqual([400, expect.stringContaining(detail)]);
    expect(`${said} ${param}`).not.toMatch(/4242|QQQ|USD|received|Invalid/);
  });

  test('with more than 16 KiB is 413, declared or not', async () => {
    const body = JSON.stringify({ ...PAYMENT, description: 'x'.repeat(17 * 1024) });
    await expectProblem(merchant(SESSIONS, { body }), 413, { code: 'payload_too_large' });
    const stream = new Response(body).body;
    const headers = { authorization: `Bearer ${KEYS.aurora}`, 'content-type': 'application/json' };
    await expectProblem(send(SESSIONS, { method: 'POST', headers, body: stream }), 413, {});
  });

  test('as nothing in particular is 415', async () => {
    const headers = { authorization: `Bearer ${KEYS.aurora}` };
    const answer = await send(SESSIONS, { method: 'POST', headers, body: new Uint8Array([0x7b, 0x7d]) });
    await expectProblem(answer, 415, { code: 'unsupported_media_type', param: 'Content-Type' });
  });
});

describe('idempotency', () => {
  const withKey = (key: string, body: Json = PAYMENT, who: string = KEYS.aurora): Promise<Response> =>
    merchant(SESSIONS, { body, headers: { 'idempotency-key': key }, key: who });

  test('a repeated request finds the same session, as it is now, with the same secret', async () => {
    const first = await withKey('k1');
    const { id, clientSecret } = await first.json<{ id: string; clientSecret: string }>();
    const again = await withKey('k1', { ...PAYMENT, metadata: { ...(PAYMENT.metadata as Json) } });
    expect([again.status, await again.json()]).toMatchObject([201, { id, clientSecret }]);
    expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
    for (const { headers } of [first, again]) expect(headers.get('location')).toBe(`${SESSIONS}/${id}`);
  });

  test('twenty at once make one session', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => withKey('k3')));
    const bodies = await Promise.all(answers.map((answer) => answer.json<Json>()));
    expect(new Set(bodies.map(({ id }) => id)).size).toBe(1);
    expect(new Set(bodies.map(({ clientSecret }) => clientSecret)).size).toBe(1);
  });

  test.each(['a b', 'ä', 'x'.repeat(256)])('the key “%s” is 400', async (key) => {
    const headers = { 'idempotency-key': key };
    const answer = await merchant(SESSIONS, { body: PAYMENT, headers }).catch(() => undefined);
    // Some keys cannot even be sent.
    if (answer !== undefined) await expectProblem(answer, 400, { param: 'Idempotency-Key' });
  });
});

describe('who may do what', () => {
  test('a wrong or missing key is 401', async () => {
    for (const answer of [await merchant(SESSIONS, { key: 'sk_test_wrong' }), await send(SESSIONS)]) {
      await expectProblem(answer, 401, { code: 'unauthorized' });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  test.each([
    ['/v1/charges', 'sk_test_wrong', 'The merchant key is wrong'],
    ['/v1/charges', 'toString_x', 'The merchant key is wrong'],
    [
      '/v1/charges',
      'cs_01JZ8M4Q9T6V2X3Y5A7B8C9D0E_x',
      'This is a client secret, for the page of a guest, not a merchant key',
    ],
    ['/v1/charges', 'whsec_AAAA', 'This is the secret of a webhook endpoint, not a merchant key'],
    ['/v1/properties', 'sk_test_wrong', 'This is the key of a hotel, not a platform key'],
  ])('%s with %s: %s', async (path, key, detail) => {
    await expectProblem(await merchant(path, { key }), 401, { code: 'unauthorized', detail, param: 'Authorization' });
  });

  test('another hotel’s session is 404 for everything', async () => {
    const { id } = await createSession();
    for (const path of ['', '/expire', '/refresh', '/client-secret', '/link', '/resolve']) {
      const body = path === '/resolve' ? { status: 'failed', evidence: 'x' } : undefined;
      const answer = await merchant(`${SESSIONS}/${id}${path}`, {
        key: KEYS.borealis,
        method: path === '' ? 'GET' : 'POST',
        body,
      });
      await expectProblem(answer, 404, { code: 'not_found' });
    }
  });

  test('a broken hotel’s key is 503, names the field and says when to ask again', async () => {
    const answer = await merchant(SESSIONS, { key: KEYS.broken });
    expect(['retry-after', 'www-authenticate'].map((name) => answer.headers.get(name))).toEqual(['60', null]);
    await expectProblem(answer, 503, { code: 'property_unavailable', param: 'timeZone' });
  });
});

describe('addresses', () => {
  test.each(['GET /v1', 'GET /v1/nope', 'GET /v1/cards', 'POST /v1/cards', 'GET /nope', 'GET /v2/anything'])(
    'that lead nowhere carry the usual headers: %s',
    async (call) => {
      const [method = '', path = ''] = call.split(' ');
      const answer = await send(path, { method });
      await expectProblem(answer, 404, { code: 'not_found' });
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'strict-transport-security': expect.any(String),
        'x-request-id': expect.stringMatching(/^[0-9a-f]{32}$/),
      });
      expect(answer.headers.get('cache-control')).toBe(path.startsWith('/v1') ? 'no-store' : null);
    },
  );
});

test.each([
  ['limit=0', 'limit'],
  ['limit=101', 'limit'],
  ['limit=x', 'limit'],
  ['status=paid', 'status'],
  ['cursor=abc', 'cursor'],
  // That of a list in another order.
  [`completedFrom=2026-02-01&cursor=${btoa(`1:cs_${'0'.repeat(26)}`)}`, 'cursor'],
  ['completedFrom=2026-02-01&completedTo=2026-01-01', 'completedTo'],
  ['page=2', 'page'],
  ['idempotencyKey=a%20b', 'idempotencyKey'],
  ['limit=1&limit=2', 'limit'],
  // As PHP writes a list.
  ['status%5B0%5D=open', 'status[0]'],
  ['status[]=open', 'status[]'],
  ['__proto__=1', '__proto__'],
])('lists with %s are 400', async (query, param) => {
  await expectProblem(merchant(`${SESSIONS}?${query}`), 400, { param });
});

describe('a link that is asked for again with a key', () => {
  const call = (id: string, key?: string): Promise<Response> =>
    merchant(`${SESSIONS}/${id}/link`, { body: {}, headers: key === undefined ? {} : { 'idempotency-key': key } });
  const made = async (answer: Response): Promise<unknown> => (await answer.json<Json>()).url;

  test('makes nothing new, and says so', async () => {
    const [{ id }, other] = [await createSession(), await createSession()];
    const first = await call(id, 'k');
    const again = await call(id, 'k');
    expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
    const secret = await made(first);
    expect(await made(again)).toBe(secret);
    const links = new Set([secret]);
    const calls: [string, string?][] = [[id, 'l'], [id], [id], [other.id, 'k']];
    for (const each of calls) {
      const different = await call(...each);
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
});
