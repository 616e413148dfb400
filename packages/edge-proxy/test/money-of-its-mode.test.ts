/** A charge, a reversal or a session whose hotel goes live, or back, or to another customer before it is sent. */
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
  return {
    post: async (path: string, name: string, body: Json): Promise<Operation> =>
      (await merchant(path, { key, body, headers: { 'idempotency-key': fakes.key(name) } })).json(),
    /** The operator changes it while an operation is on its way to its object. */
    changeOnTheWay: async (method: 'charge' | 'reverse', asked: () => Promise<Operation>, to: Json) => {
      const original = MoneyOperationObject.prototype[method] as (...asked: unknown[]) => Promise<never>;
      let mayGoOn = false;
      const way = vi.spyOn(MoneyOperationObject.prototype, method).mockImplementation(async function (
        this: MoneyOperationObject,
        ...args: unknown[]
      ) {
        while (!mayGoOn) await scheduler.wait(5);
        return original.apply(this, args);
      });
      const answer = asked();
      await expect.poll(() => way.mock.calls.length).toBe(1);
      await change(to);
      passSeconds(6);
      mayGoOn = true;
      return answer;
    },
  };
}

test.each([
  ['goes live', TRIAL, LIVE, 'configuration'],
  ['leaves live mode', LIVE, TRIAL, 'configuration'],
  ['moves to another service', TRIAL, ELSEWHERE, 'untrusted_url'],
])('a charge whose hotel %s on its way is not sent', async (_what, before, to, code) => {
  const { post, changeOnTheWay } = await newHotel(before);
  const body = { ...CHARGE, reference: fakes.reference };
  const sent = await changeOnTheWay('charge', () => post('/v1/charges', 'a', body), to);
  expect(sent).toMatchObject({ livemode: before.livemode, status: 'failed', final: true, error: { code } });
  expect(sent.error).toMatchObject({ message: expect.stringMatching(/^Nothing was sent: /) });
  expect(fakes.upstream.count('pay')).toBe(0);
  // It never counted as sent: nothing that ends meanwhile makes it unknown.
  expect(sent.seq).toBe(2);
});

test('a reversal whose hotel goes live on its way is not sent, and what it would have refunded is left', async () => {
  const { post, changeOnTheWay } = await newHotel(TRIAL);
  const paid = await post('/v1/charges', 'paid', { ...CHARGE, reference: fakes.reference });
  expect(paid).toMatchObject({ livemode: false, status: 'succeeded' });
  const reversal = await changeOnTheWay('reverse', () => post('/v1/reversals', 'r', { payment: paid.id }), LIVE);
  expect(reversal).toMatchObject({ livemode: false, status: 'failed', seq: 2, error: { code: 'configuration' } });
  expect(fakes.upstream.count('reversal')).toBe(0);
  const payment = env.MONEY_OPERATIONS.getByName(paid.id);
  const current = await payment.retrieve(`alpine_${hotels}`);
  expect(current).toMatchObject({ value: { reversed: { value: 0 }, reversing: { value: 0 } } });
});

test('what a key may refund in a day is of one mode: nothing that was tried out counts once the hotel is live', async () => {
  const { post } = await newHotel(TRIAL);
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

/** What was sent of an operation: where, and with whose token. */
const sentAs = (operation: 'pay' | 'reversal'): [string, string | null][] =>
  fakes.upstream.requests
    .filter((each) => each.operation === operation)
    .map(({ url, headers }) => [url.pathname, headers.get('authorization')]);

test.each([
  ['customer and user', OTHER_CUSTOMER],
  ['customer alone', { ...TRIAL, customerId: 'T2' }],
])('a charge whose hotel changes its %s on its way is not sent', async (_what, to) => {
  const { post, changeOnTheWay } = await newHotel(TRIAL);
  const body = { ...CHARGE, reference: fakes.reference };
  const sent = await changeOnTheWay('charge', () => post('/v1/charges', 'a', body), to);
  const message = 'Nothing was sent: the property had another customerId when this was asked for';
  expect(sent).toMatchObject({ status: 'failed', final: true, seq: 2, error: { code: 'configuration', message } });
  expect(sentAs('pay')).toEqual([]);
  // It may be made again, and is then one of the account of now.
  expect(await post('/v1/charges', 'again', body)).toMatchObject({ status: 'succeeded' });
  expect(sentAs('pay')).toMatchObject([[expect.stringContaining('/T2/'), expect.any(String)]]);
});

test('a charge whose hotel changes its user alone is sent, with the token of now', async () => {
  const { post, changeOnTheWay } = await newHotel(TRIAL);
  const body = { ...CHARGE, reference: fakes.reference };
  const to = { ...TRIAL, username: 'other-user' };
  const sent = await changeOnTheWay('charge', () => post('/v1/charges', 'a', body), to);
  expect(sent).toMatchObject({ status: 'succeeded' });
  expect(sentAs('pay')).toMatchObject([[expect.stringContaining('/T1/'), expect.any(String)]]);
});

test('a payment from before its hotel changed its customer can be refunded, with the customer of then', async () => {
  const { post, changeOnTheWay } = await newHotel(TRIAL);
  const paid = await post('/v1/charges', 'paid', { ...CHARGE, reference: fakes.reference });
  const reverse = (name: string, value: number): Promise<Operation> =>
    post('/v1/reversals', name, { payment: paid.id, amount: { value, currency: 'EUR' } });
  const onItsWay = await changeOnTheWay('reverse', () => reverse('r', 100), OTHER_CUSTOMER);
  expect(onItsWay).toMatchObject({ status: 'succeeded' });
  expect(await reverse('later', 200)).toMatchObject({ status: 'succeeded' });
  expect(sentAs('reversal')).toMatchObject([
    [expect.stringContaining('/T1/'), expect.any(String)],
    [expect.stringContaining('/T1/'), expect.any(String)],
  ]);
});

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
  const hotel = await newHotel(TRIAL);
  await changedElsewhere(to, MoneyOperationObject);
  const getToken = vi.spyOn(AccessTokenObject.prototype, 'getToken');
  const made = await hotel.post('/v1/charges', 'a', { ...CHARGE, reference: fakes.reference });
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
