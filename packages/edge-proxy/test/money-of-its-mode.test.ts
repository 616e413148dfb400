/** A charge, a reversal or a session whose hotel has gone live, or back, or to another customer. */
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { MoneyOperationObject } from '../src/money/money-operation-object.ts';
import { propertyOf } from '../src/properties/properties.ts';
import { CheckoutSessionObject } from '../src/sessions/checkout-session-object.ts';
import { AccessTokenObject } from '../src/upstream/access-token-object.ts';
import { accessTokenSource } from '../src/upstream/access-token-source.ts';
import { createSession, type Json, merchant, startAttempt } from '../test-support/client.ts';
import { addHotel, hotelWith, operator } from '../test-support/directory.ts';
import { CHARGE, type Operation, useMoneyFakes } from '../test-support/money.ts';
import { passSeconds } from '../test-support/objects.ts';

const fakes = useMoneyFakes('MODE');
const SERVICE = { origins: ['https://aurora.test'], localOrigins: false };
/** Both at one origin: only there a call of one account can reach the other. */
const TRIAL = {
  ...SERVICE,
  livemode: false,
  baseUrl: 'https://pay.test/trial',
  customerId: 'T1',
  username: 'trial-user',
  password: 'trial-password-marker',
};
const LIVE = {
  ...SERVICE,
  livemode: true,
  baseUrl: 'https://pay.test/api',
  customerId: 'L1',
  username: 'live-user',
  password: 'live-password-marker',
};
const ELSEWHERE = { ...TRIAL, baseUrl: 'https://elsewhere.test/api' };
let hotels = 0;

async function fieldsOf(key: string, changes: Json): Promise<Json> {
  const { merchantKeys } = (await hotelWith([key])) as { merchantKeys: Json[] };
  const maxReversal = { EUR: 8_000 };
  return hotelWith([key], { merchantKeys: merchantKeys.map((each) => ({ ...each, maxReversal })), ...changes });
}

/** The operator changes the newest hotel. Returns its key. */
async function change(to: Json): Promise<string> {
  const id = `alpine_${hotels}`;
  const key = `sk_test_${id}_${'k'.repeat(40)}`;
  const body = await fieldsOf(key, to);
  const changed = await operator(id, { method: 'PUT', body, headers: { 'if-match': '"1"' } });
  if (!changed.ok) throw new Error(await changed.text());
  return key;
}

/** A hotel of the directory, and how its server calls. */
async function newHotel(changes: Json) {
  hotels += 1;
  const id = `alpine_${hotels}`;
  const key = `sk_test_${id}_${'k'.repeat(40)}`;
  await addHotel(id, [key], await fieldsOf(key, changes));
  return (path: string, name: string, body: Json): Promise<Operation> =>
    merchant(path, { key, body, headers: { 'idempotency-key': fakes.key(name) } }).then((answer) => answer.json());
}

test('what a key may refund in a day is of one mode: nothing that was tried out counts once the hotel is live', async () => {
  const post = await newHotel(TRIAL);
  const refund = async (name: string): Promise<Operation> => {
    const { id: payment } = await post('/v1/charges', name, { ...CHARGE, reference: `${fakes.reference}-${name}` });
    return post('/v1/reversals', name, { payment });
  };
  expect(await refund('tried')).toMatchObject({ livemode: false, status: 'succeeded' });
  expect(await refund('tried-again')).toMatchObject({ code: 'limit_reached' });
  await change(LIVE);
  passSeconds(6);
  expect(await refund('real')).toMatchObject({ livemode: true, status: 'succeeded' });
  expect(await refund('real-too')).toMatchObject({ code: 'limit_reached' });
});

const OTHER_CUSTOMER = {
  ...TRIAL,
  customerId: 'T2',
  username: 'other-user',
  password: 'other-password-marker',
};

/** The objects of a class are in another isolate, whose copies are this environment's. */
function inIsolateOf(stale: object, Class: typeof MoneyOperationObject | typeof CheckoutSessionObject): void {
  const instances = new Map<unknown, object>();
  const prototype = Class.prototype as unknown as Record<string, (...asked: unknown[]) => Promise<never>>;
  for (const method of ['charge', 'create', 'start', 'alarm'].filter((name) => name in prototype)) {
    const original = prototype[method];
    vi.spyOn(prototype, method).mockImplementation(function (this: object, ...asked: unknown[]) {
      const { ctx } = this as { ctx: DurableObjectState };
      const instance = instances.get(ctx) ?? new Class(ctx, stale as typeof env);
      instances.set(ctx, instance);
      return original?.apply(instance, asked) as Promise<never>;
    });
  }
}

/** The same of a hotel, whose copy there is from before it was changed, and perhaps the token of then. */
async function changedElsewhere(
  to: Json,
  Class: Parameters<typeof inIsolateOf>[1],
  { hasToken = false } = {},
): Promise<string> {
  const id = `alpine_${hotels}`;
  const stale = { ...env };
  const before = await propertyOf(stale, id);
  if (hasToken && !before.invalid) await accessTokenSource(stale, before)({});
  const key = await change(to);
  inIsolateOf(stale, Class);
  return key;
}

test.each([
  ['live', LIVE, 1],
  ['at another service', ELSEWHERE, 1],
  ['at another customer', OTHER_CUSTOMER, 1],
  ['at another user', { ...TRIAL, username: 'other-user' }, 2],
])('a charge that a hotel asks for once it is %s is sent so, whatever its object knows', async (_what, to, asked) => {
  const post = await newHotel(TRIAL);
  await changedElsewhere(to, MoneyOperationObject);
  const getToken = vi.spyOn(AccessTokenObject.prototype, 'getToken');
  const made = await post('/v1/charges', 'a', { ...CHARGE, reference: fakes.reference });
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
    await newHotel(before);
    const key = await changedElsewhere(to, CheckoutSessionObject, { hasToken });
    const session = await createSession({ reference: fakes.reference }, key);
    expect(session).toMatchObject({ livemode: to.livemode });
    expect(await (await startAttempt(session)).json()).toMatchObject({ livemode: to.livemode });
    const [start] = fakes.upstream.requests.filter(({ operation }) => operation === 'initpayNoIframe');
    expect(start?.url.pathname).toContain(`/${to.customerId}/`);
  },
);
