/** A hotel whose account at the payment service is changed: what is asked for since is done with the account since, whoever knows of it. */
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { MoneyOperationObject } from '../src/money/money-operation-object.ts';
import type { Property } from '../src/properties/configured-properties.ts';
import { propertyOf } from '../src/properties/properties.ts';
import { CheckoutSessionObject } from '../src/sessions/checkout-session-object.ts';
import { AccessTokenObject } from '../src/upstream/access-token-object.ts';
import { accessTokenSource } from '../src/upstream/access-token-source.ts';
import { accessTokenObjectName, accountOf } from '../src/upstream/account-of.ts';
import { createSession, type Json, merchant, PAYMENT, startAttempt } from '../test-support/client.ts';
import { addHotel, hotelWith, operator } from '../test-support/directory.ts';
import { CHARGE, type Operation, useMoneyFakes } from '../test-support/money.ts';
import { passSeconds, tablesOf } from '../test-support/objects.ts';

const fakes = useMoneyFakes('ACCOUNT');
const OTHER = { customerId: '9999', username: 'other-user', password: 'other-password-marker' };
/** An account in a mode, with its own path: only at one origin a call of one account can reach the other. */
const account = (name: 'trial' | 'live', customerId: string) => ({
  origins: ['https://aurora.test'],
  localOrigins: false,
  livemode: name === 'live',
  baseUrl: `https://pay.test/${name}`,
  customerId,
  username: `${name}-user`,
  password: `${name}-password-marker`,
});
const TRIAL = account('trial', 'T1');
const LIVE = account('live', 'L1');
let hotels = 0;

interface Hotel {
  readonly id: string;
  readonly key: string;
  readonly before: Property;
}

/** A configuration whose key may refund one charge a day. */
async function configuration(key: string, changes: Json): Promise<Json> {
  const { merchantKeys } = (await hotelWith([key])) as { merchantKeys: Json[] };
  const maxReversal = { EUR: 8_000 };
  return hotelWith([key], { merchantKeys: merchantKeys.map((each) => ({ ...each, maxReversal })), ...changes });
}

/** A hotel of the directory, whose key may charge. */
async function newHotel(changes: Json = {}): Promise<Hotel> {
  hotels += 1;
  const id = `alpine_${hotels}`;
  const key = `sk_test_${id}_${'k'.repeat(40)}`;
  await addHotel(id, [key], await configuration(key, changes));
  return { id, key, before: (await propertyOf(env, id)) as Property };
}

/** The operator edits the hotel. What the objects know of it is what it was, for some seconds. */
async function edit({ id, key }: Hotel, changes: Json): Promise<void> {
  const { version } = await (await operator(id)).json<{ version: number }>();
  const body = await configuration(key, changes);
  const answer = await operator(id, { method: 'PUT', body, headers: { 'if-match': `"${version}"` } });
  if (!answer.ok) throw new Error(await answer.text());
}

/** The same, once every object knows of it. */
async function editForAll(hotel: Hotel, changes: Json): Promise<void> {
  await edit(hotel, changes);
  passSeconds(5);
}

/** The same, while the objects of a class are in another isolate. Its copies are from before, and perhaps its token, too. */
async function editElsewhere(
  hotel: Hotel,
  changes: Json,
  Class: typeof AccessTokenObject | typeof MoneyOperationObject | typeof CheckoutSessionObject,
  { hasToken = false } = {},
): Promise<{ stale: typeof env; since: Property }> {
  const stale = { ...env };
  const before = (await propertyOf(stale, hotel.id)) as Property;
  if (hasToken) await accessTokenSource(stale, before)({});
  await edit(hotel, changes);
  expect(await propertyOf(stale, hotel.id)).toEqual(before);
  const instances = new Map<unknown, object>();
  const prototype = Class.prototype as unknown as Record<string, (...asked: unknown[]) => Promise<never>>;
  for (const method of ['getToken', 'charge', 'create', 'start', 'alarm'].filter((name) => name in prototype)) {
    const original = prototype[method];
    vi.spyOn(prototype, method).mockImplementation(function (this: object, ...asked: unknown[]) {
      const { ctx } = this as { ctx: DurableObjectState };
      const instance = instances.get(ctx) ?? new Class(ctx, stale);
      instances.set(ctx, instance);
      return original?.apply(instance, asked) as Promise<never>;
    });
  }
  return { stale, since: (await propertyOf(env, hotel.id)) as Property };
}

/** A call of the hotel's server. */
async function post({ key }: Hotel, path: string, name: string, body: Json): Promise<Operation> {
  return (await merchant(path, { key, body, headers: { 'idempotency-key': fakes.key(name) } })).json();
}

const tokenObject = async (property: Property) => env.ACCESS_TOKENS.getByName(await accessTokenObjectName(property));

/** All logins so far: where, and who. */
const logins = (): string[] =>
  fakes.upstream.requests
    .filter(({ operation }) => operation === 'login')
    .map(({ url, body }) => `${url.host} ${(JSON.parse(body) as { username: string }).username}`);

test('a call of the account before that is refused with 401 after the change gets no token of the one since', async () => {
  const hotel = await newHotel();
  const session = await createSession(PAYMENT, hotel.key);
  const held = fakes.upstream.hold('initpayNoIframe', () => new Response(null, { status: 401 }));
  const starting = startAttempt(session);
  await expect.poll(() => fakes.upstream.count('initpayNoIframe')).toBe(1);
  await editForAll(hotel, { ...OTHER, baseUrl: 'https://new-service.test/api' });
  held.release();
  expect((await starting).status).toBe(503);
  expect([logins(), fakes.upstream.count('initpayNoIframe')]).toEqual([['pay.test aurora-user'], 1]);
  // Once the change is undone, its account is its own.
  await editForAll(hotel, {});
  await accessTokenSource(env, hotel.before)({ rejected: 'token-1' });
  expect(logins()).toEqual(['pay.test aurora-user', 'pay.test aurora-user']);
});

test('an object that still knows the account before reads the hotel anew, and logs in with the one it is asked for', async () => {
  const { since } = await editElsewhere(await newHotel(), OTHER, AccessTokenObject);
  const token = await accessTokenSource(env, since)({});
  expect(logins()).toEqual(['pay.test other-user']);
  passSeconds(3_600);
  expect([await accessTokenSource(env, since)({}), logins()]).toEqual([token, ['pay.test other-user']]);
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

test('two accounts that are logged in at once share no login', async () => {
  const hotel = await newHotel();
  const object = await tokenObject(hotel.before);
  const held = fakes.upstream.hold('login');
  const first = object.getToken(hotel.id, null, undefined, accountOf(hotel.before));
  await expect.poll(() => logins().length).toBe(1);
  await editForAll(hotel, OTHER);
  const second = object.getToken(hotel.id, null);
  await expect.poll(() => logins()).toEqual(['pay.test aurora-user', 'pay.test other-user']);
  held.release();
  const [one, other] = await Promise.all([first, second]);
  expect(one.ok && other.ok && one.token !== other.token).toBe(true);
});

test('a hotel that has just gone live is charged with its live account, then and an hour later', async () => {
  const hotel = await newHotel({ ...TRIAL, baseUrl: LIVE.baseUrl });
  await editElsewhere(hotel, LIVE, AccessTokenObject);
  passSeconds(0.5);
  const pay = (name: string) => post(hotel, '/v1/charges', name, { ...CHARGE, reference: `${fakes.reference}${name}` });
  expect(await pay('a')).toMatchObject({ livemode: true, status: 'succeeded' });
  passSeconds(3_600);
  expect(await pay('b')).toMatchObject({ livemode: true, status: 'succeeded' });
  const paid = fakes.upstream.requests.filter(({ operation }) => operation === 'pay');
  expect(paid.map(({ url, headers }) => `${url.pathname} ${headers.get('authorization')}`)).toEqual([
    '/live/V2/L1/pay Bearer token-1',
    '/live/V2/L1/pay Bearer token-1',
  ]);
  expect(logins()).toEqual(['pay.test live-user']);
});

test('nothing is stored for whoever asks for an account that its hotel does not have', async () => {
  const hotel = await newHotel();
  const other = { ...hotel.before, ...OTHER };
  await expect(accessTokenSource(env, other)({})).rejects.toMatchObject({ code: 'configuration' });
  expect(await runInDurableObject(await tokenObject(other), (_object, { storage }) => tablesOf(storage))).toEqual([]);
});

test('what a key may refund in a day is of one mode: nothing that was tried out counts once the hotel is live', async () => {
  const hotel = await newHotel(TRIAL);
  const refund = async (name: string): Promise<Operation> => {
    const body = { ...CHARGE, reference: `${fakes.reference}-${name}` };
    const { id: payment } = await post(hotel, '/v1/charges', name, body);
    return post(hotel, '/v1/reversals', name, { payment });
  };
  expect(await refund('tried')).toMatchObject({ livemode: false, status: 'succeeded' });
  expect(await refund('tried-again')).toMatchObject({ code: 'limit_reached' });
  await editForAll(hotel, LIVE);
  expect(await refund('real')).toMatchObject({ livemode: true, status: 'succeeded' });
  expect(await refund('real-too')).toMatchObject({ code: 'limit_reached' });
});

test.each([
  ['live', LIVE, 1],
  ['at another service', { ...TRIAL, baseUrl: 'https://elsewhere.test/api' }, 1],
  ['at another customer', { ...TRIAL, ...OTHER }, 1],
  ['at another user', { ...TRIAL, username: 'other-user' }, 2],
])('a charge that a hotel asks for once it is %s is sent so, whatever its object knows', async (_what, to, asked) => {
  const hotel = await newHotel(TRIAL);
  await editElsewhere(hotel, to, MoneyOperationObject);
  const getToken = vi.spyOn(AccessTokenObject.prototype, 'getToken');
  const made = await post(hotel, '/v1/charges', 'a', { ...CHARGE, reference: fakes.reference });
  expect(made).toMatchObject({ status: 'succeeded', livemode: to.livemode });
  // No time is lost on a token of the account before, where that is known to be another one.
  expect(getToken).toHaveBeenCalledTimes(asked);
});

test.each([
  ['live', TRIAL, LIVE, true],
  ['live, without a token of before', TRIAL, LIVE, false],
  ['in test mode again', LIVE, TRIAL, true],
])(
  'a session that a hotel makes once it is %s is paid so, whatever its object knows',
  async (_what, before, to, hasToken) => {
    const hotel = await newHotel(before);
    await editElsewhere(hotel, to, CheckoutSessionObject, { hasToken });
    const session = await createSession({ reference: fakes.reference }, hotel.key);
    expect(session).toMatchObject({ livemode: to.livemode });
    expect(await (await startAttempt(session)).json()).toMatchObject({ livemode: to.livemode });
    const [start] = fakes.upstream.requests.filter(({ operation }) => operation === 'initpayNoIframe');
    expect(start?.url.pathname).toContain(`/${to.customerId}/`);
  },
);
