/** A hotel whose account at the payment service is changed: the token object of an account has to do with that account alone. */
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { seal } from '../src/http/seal.ts';
import { invalidProperty, type Property, sealingSecretsOf } from '../src/properties/configured-properties.ts';
import { propertiesOf, propertyOf } from '../src/properties/properties.ts';
import { AccessTokenObject } from '../src/upstream/access-token-object.ts';
import { accessTokenSource } from '../src/upstream/access-token-source.ts';
import { accessTokenObjectName, accountOf } from '../src/upstream/account-of.ts';
import { type Created, type Json, merchant, PAYMENT, startAttempt } from '../test-support/client.ts';
import { addHotel, hotelWith, operator } from '../test-support/directory.ts';
import { CHARGE, useMoneyFakes } from '../test-support/money.ts';
import { passSeconds, runSessionAlarm } from '../test-support/objects.ts';

const fakes = useMoneyFakes('ACCOUNT');
const OTHER = { customerId: '9999', username: 'other-user', password: 'other-password-marker' };
let hotels = 0;

/** A hotel of the directory, whose key may charge. */
async function newHotel(changes: Json = {}): Promise<{ id: string; key: string; before: Property }> {
  hotels += 1;
  const id = `alpine_${hotels}`;
  const key = `sk_test_${id}_${'k'.repeat(40)}`;
  await addHotel(id, [key], changes);
  return { id, key, before: (await propertyOf(env, id)) as Property };
}

/** The operator edits the hotel. What the objects know of it is what it was, for some seconds. */
async function edit({ id, key }: { id: string; key: string }, changes: Json): Promise<void> {
  const { version } = await (await operator(id)).json<{ version: number }>();
  const body = await hotelWith([key], changes);
  const answer = await operator(id, { method: 'PUT', body, headers: { 'if-match': `"${version}"` } });
  if (!answer.ok) throw new Error(await answer.text());
}

/** The same, once every object knows of it. */
async function editForAll(hotel: { id: string; key: string }, changes: Json): Promise<void> {
  await edit(hotel, changes);
  passSeconds(5);
}

const tokenObject = async (property: Property) => env.ACCESS_TOKENS.getByName(await accessTokenObjectName(property));

/** All logins so far: where, and who. */
const logins = (): string[] =>
  fakes.upstream.requests
    .filter(({ operation }) => operation === 'login')
    .map(({ url, body }) => `${url.host} ${(JSON.parse(body) as { username: string }).username}`);

/** Its token object's isolate is another one, whose copies are this environment's. */
function answerWith(stale: object): void {
  const original = AccessTokenObject.prototype.getToken;
  const instances = new Map<unknown, AccessTokenObject>();
  vi.spyOn(AccessTokenObject.prototype, 'getToken').mockImplementation(function (this: AccessTokenObject, ...asked) {
    const { ctx } = this as unknown as { ctx: DurableObjectState };
    const instance = instances.get(ctx) ?? new AccessTokenObject(ctx, stale as typeof env);
    instances.set(ctx, instance);
    return original.apply(instance, asked);
  });
}

test('a call of the account before that is refused with 401 after the change gets no token of the one since', async () => {
  const hotel = await newHotel();
  const session = await (await merchant('/v1/checkout-sessions', { body: PAYMENT, key: hotel.key })).json<Created>();
  let isChanged = false;
  fakes.upstream.overrides.initpayNoIframe = async () => {
    while (!isChanged) await scheduler.wait(5);
    return new Response(null, { status: 401 });
  };
  const starting = startAttempt(session);
  await expect.poll(() => fakes.upstream.count('initpayNoIframe')).toBe(1);
  await editForAll(hotel, { ...OTHER, baseUrl: 'https://new-service.test/api' });
  isChanged = true;
  expect((await starting).status).toBe(503);
  expect([logins(), fakes.upstream.count('initpayNoIframe')]).toEqual([['pay.test aurora-user'], 1]);
  // Once the change is undone, its account is its own.
  await editForAll(hotel, {});
  await accessTokenSource(env, hotel.before)({ rejected: 'token-1' });
  expect(logins()).toEqual(['pay.test aurora-user', 'pay.test aurora-user']);
});

test('an object that still knows the account before reads the hotel anew, and logs in with the one it is asked for', async () => {
  const hotel = await newHotel();
  const stale = { ...env };
  await propertyOf(stale, hotel.id);
  await edit(hotel, OTHER);
  const since = (await propertyOf(env, hotel.id)) as Property;
  expect((await propertyOf(stale, hotel.id)) as Property).toMatchObject({ username: 'aurora-user' });
  answerWith(stale);
  const token = await accessTokenSource(env, since)({});
  expect(logins()).toEqual(['pay.test other-user']);
  passSeconds(3_600);
  expect([await accessTokenSource(env, since)({}), logins()]).toEqual([token, ['pay.test other-user']]);
});

test.each([
  ['customer', { customerId: '9999' }],
  ['user', { username: 'other-user' }],
  ['service', { baseUrl: 'https://new-service.test/api' }],
])('whoever still has another %s than its hotel gets no token, and no login is made', async (_what, changes) => {
  const hotel = await newHotel();
  await edit(hotel, changes);
  const source = accessTokenSource(env, hotel.before);
  await expect(source({})).rejects.toMatchObject({ code: 'configuration' });
  await expect(source({ rejected: 'token-1' })).rejects.toMatchObject({ code: 'configuration' });
  expect(logins()).toEqual([]);
});

test('a hotel whose new configuration cannot be read gets no token of the one before', async () => {
  const hotel = await newHotel();
  const stale = { ...env };
  await propertyOf(stale, hotel.id);
  await edit(hotel, OTHER);
  const since = (await propertyOf(env, hotel.id)) as Property;
  answerWith(stale);
  vi.spyOn(propertiesOf(stale), 'find')
    .mockResolvedValueOnce(hotel.before)
    .mockResolvedValueOnce(invalidProperty(hotel.id, 'cannot be read right now'));
  await expect(accessTokenSource(env, since)({})).rejects.toMatchObject({ code: 'configuration' });
  expect(logins()).toEqual([]);
});

test('a token that an earlier version got for another account is given to no one who says which he wants', async () => {
  const hotel = await newHotel();
  const object = await tokenObject(hotel.before);
  await editForAll(hotel, OTHER);
  // An earlier version does not say.
  expect(await object.getToken(hotel.id, null)).toMatchObject({ ok: true, token: 'token-1' });
  await editForAll(hotel, {});
  expect(await object.getToken(hotel.id, null, undefined, accountOf(hotel.before))).toMatchObject({ token: 'token-2' });
  expect(logins()).toEqual(['pay.test other-user', 'pay.test aurora-user']);
  // Nor is it to an earlier version once the hotel is at the other account again.
  await editForAll(hotel, OTHER);
  expect(await object.getToken(hotel.id, null)).toMatchObject({ token: 'token-3' });
  await evictDurableObject(object);
  await editForAll(hotel, {});
  expect(await object.getToken(hotel.id, null, undefined, accountOf(hotel.before))).toMatchObject({ token: 'token-4' });
});

test('a stored token of which nobody knows whose it is, as earlier versions kept it, is replaced', async () => {
  const { id, before } = await newHotel();
  const object = await tokenObject(before);
  await object.getToken(id, null);
  const sealed = await seal('token-of-before', `access-token:${id}`, sealingSecretsOf(before));
  await runInDurableObject(object, (_object, { storage }) => {
    storage.sql.exec("UPDATE access_token SET record = json_set(record, '$.sealed', ?)", sealed);
  });
  await evictDurableObject(object);
  expect(await object.getToken(id, null)).toMatchObject({ ok: true, token: 'token-2' });
});

test('two accounts that are logged in at once share no login', async () => {
  const hotel = await newHotel();
  const object = await tokenObject(hotel.before);
  let mayAnswer = false;
  fakes.upstream.overrides.login = async () => {
    while (!mayAnswer) await scheduler.wait(5);
    return undefined;
  };
  const first = object.getToken(hotel.id, null, undefined, accountOf(hotel.before));
  await expect.poll(() => logins().length).toBe(1);
  await editForAll(hotel, OTHER);
  const second = object.getToken(hotel.id, null);
  await expect.poll(() => logins()).toEqual(['pay.test aurora-user', 'pay.test other-user']);
  mayAnswer = true;
  const [one, other] = await Promise.all([first, second]);
  expect(one).toMatchObject({ ok: true });
  expect(other).toMatchObject({ ok: true });
  expect(one.ok && other.ok && one.token !== other.token).toBe(true);
});

test('a hotel that has just gone live is charged with its live account, then and an hour later', async () => {
  const service = { baseUrl: 'https://pay.test/api', origins: ['https://aurora.test'] };
  const trial = { ...service, livemode: false, username: 'trial-user', password: 'trial-password', customerId: 'T1' };
  const live = { ...service, livemode: true, username: 'live-user', password: 'live-password', customerId: 'L1' };
  const hotel = await newHotel(trial);
  const stale = { ...env };
  await propertyOf(stale, hotel.id);
  await edit(hotel, live);
  answerWith(stale);
  passSeconds(0.5);
  const { key } = hotel;
  const pay = async (name: string): Promise<Json> => {
    const body = { ...CHARGE, reference: `${fakes.reference}${name}` };
    return (await merchant('/v1/charges', { key, body, headers: { 'idempotency-key': fakes.key(name) } })).json();
  };
  expect(await pay('a')).toMatchObject({ livemode: true, status: 'succeeded' });
  passSeconds(3_600);
  expect(await pay('b')).toMatchObject({ livemode: true, status: 'succeeded' });
  const paid = fakes.upstream.requests.filter(({ operation }) => operation === 'pay');
  expect(paid.map(({ url, headers }) => `${url.pathname} ${headers.get('authorization')}`)).toEqual([
    '/api/V2/L1/pay Bearer token-1',
    '/api/V2/L1/pay Bearer token-1',
  ]);
  expect(logins()).toEqual(['pay.test live-user']);
});

test('the token that a password got goes to no origin that was allowed with another one', async () => {
  const hotel = await newHotel();
  await editForAll(hotel, { baseUrl: 'https://elsewhere.test/api', password: 'another' });
  const session = await (await merchant('/v1/checkout-sessions', { body: PAYMENT, key: hotel.key })).json<Created>();
  expect((await startAttempt(session)).status).toBe(200);
  await editForAll(hotel, {});
  expect(await accessTokenSource(env, hotel.before)({})).toBe('token-2');
  await editForAll(hotel, { password: 'another', allowedOrigins: ['https://elsewhere.test'] });
  passSeconds(60);
  await runSessionAlarm(session.id);
  const polls = fakes.upstream.requests.filter(({ operation }) => operation === 'paystatus');
  expect(polls.map(({ url, headers }) => `${url.host} ${headers.get('authorization')}`)).toEqual([
    'elsewhere.test Bearer token-3',
  ]);
});

test('nothing is stored for whoever asks for an account that its hotel does not have', async () => {
  const hotel = await newHotel();
  const other = { ...hotel.before, ...OTHER };
  await expect(accessTokenSource(env, other)({})).rejects.toMatchObject({ code: 'configuration' });
  const tables = await runInDurableObject(await tokenObject(other), (_object, { storage }) =>
    storage.sql.exec("SELECT name FROM sqlite_master WHERE name = 'access_token'").toArray(),
  );
  expect(tables).toEqual([]);
});
