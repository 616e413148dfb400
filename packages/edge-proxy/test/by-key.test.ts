/** `PUT /v1/checkout-sessions/by-key/{key}`: the one session of a booking, in whatever state it is. */
import { describe, expect, test, vi } from 'vitest';
import { CheckoutSessionObject } from '../src/sessions/checkout-session-object.ts';
import {
  type Created,
  guest,
  type Json,
  merchant,
  PAYMENT,
  paymentLink,
  retrieve,
  send,
  startAttempt,
  submit,
} from '../test-support/client.ts';
import { LIVE, postAfterEdit } from '../test-support/edited-proxy.ts';
import { KEYS } from '../test-support/environment.ts';
import { storedText, useMoneyFakes } from '../test-support/money.ts';
import { endAttempt, eventsOf, passSeconds, poll } from '../test-support/objects.ts';
import { expectProblem } from '../test-support/problem.ts';

const fakes = useMoneyFakes('KEY');
const DEARER = { amount: { value: 15_000, currency: 'EUR' } };
const path = (key: string): string => `/v1/checkout-sessions/by-key/${key}`;

/** What a page of the hotel asks whenever it is shown, about the booking of this test. */
function put(overrides: Json = {}, key = fakes.reference): Promise<Response> {
  return merchant(path(key), { method: 'PUT', body: { ...PAYMENT, reference: fakes.reference, ...overrides } });
}

async function ensure(overrides: Json = {}, status = 200): Promise<Created> {
  const answer = await put(overrides);
  expect(answer.status).toBe(status);
  return answer.json();
}

/** The new session of the booking. */
const made = (overrides: Json = {}): Promise<Created> => ensure(overrides, 201);

/** The same with its first attempt under way. */
async function pending(overrides: Json = {}): Promise<Created> {
  const session = await made(overrides);
  expect((await startAttempt(session)).status).toBe(200);
  return session;
}

const inits = (): string[] =>
  fakes.upstream.requests
    .filter(({ operation }) => operation === 'initpayNoIframe')
    .map(({ body }) => (JSON.parse(body) as { amount: string }).amount);

describe('where nothing is there', () => {
  test('a session is made, which is read by its key and by its id', async () => {
    const answer = await put();
    const session = await answer.json<Created>();
    expect([answer.status, answer.headers.get('location')]).toEqual([201, `/v1/checkout-sessions/${session.id}`]);
    expect(session).toMatchObject({ status: 'open', seq: 1, terms: 1, outdated: false, attempts: [] });
    expect((await guest('/v1/checkout', session.clientSecret)).status).toBe(200);
    const { clientSecret: _, ...view } = session;
    expect(await (await merchant(path(fakes.reference))).json()).toEqual(view);
    expect(await retrieve(session.id)).toEqual(view);
  });

  test('what the hotel does not allow is refused, and neither made nor given to what was made', async () => {
    const amount = { value: 500_001, currency: 'EUR' };
    await expectProblem(put({ amount }), 400, { param: 'amount.value' });
    await expectProblem(merchant(path(fakes.reference)), 404, { code: 'not_found' });
    await made();
    await expectProblem(put({ amount }), 400, { param: 'amount.value' });
    expect(await ensure()).toMatchObject({ terms: 1, seq: 1 });
  });

  test('two calls in one moment get one session and one secret', async () => {
    const { ensure: original } = CheckoutSessionObject.prototype;
    const outcomes: unknown[] = [];
    vi.spyOn(CheckoutSessionObject.prototype, 'ensure').mockImplementation(async function (this: never, ...asked) {
      const [first, second] = await Promise.all([original.apply(this, asked), original.apply(this, asked)]);
      outcomes.push(first, second);
      return first;
    });
    const { id, clientSecret } = await made();
    const session = { id, clientSecret };
    expect(outcomes).toMatchObject([{ value: { session, isNew: true } }, { value: { session, isNew: false } }]);
  });

  test('a key of POST, and the same key of another hotel, are other keys', async () => {
    const { id } = await made();
    const headers = { 'idempotency-key': fakes.reference };
    const posted = await merchant('/v1/checkout-sessions', { body: PAYMENT, headers });
    const { description: _, returnUrl: __, ...body } = PAYMENT;
    const other = await merchant(path(fakes.reference), { method: 'PUT', body, key: KEYS.borealis });
    expect([posted.status, other.status]).toEqual([201, 201]);
    const ids = [id, (await posted.json<Created>()).id, (await other.json<Created>()).id];
    expect(new Set(ids).size).toBe(3);
  });

  test.each(['expire', 'resolve'])('%s is a key like any other', async (name) => {
    const answer = await put({}, name);
    expect(answer.status).toBe(201);
    expect(await (await merchant(path(name))).json()).toMatchObject({ id: (await answer.json<Created>()).id });
    expect((await merchant(path(name), { method: 'POST' })).status).toBe(405);
  });

  test.each(['4242424242424242', 'RES-4242-4242-4242-4242', 'a.b', 'a%20b', 'x'.repeat(201)])(
    '%s is no key',
    async (key) => {
      for (const answer of [await put({}, key), await merchant(path(key))]) {
        await expectProblem(answer, 400, { code: 'invalid_request', param: 'key' });
      }
    },
  );
});

describe('an open session', () => {
  test('of the same terms is answered, and nothing is written', async () => {
    const session = await made();
    const before = await storedText(session.id);
    passSeconds(600);
    expect(await ensure()).toEqual(session);
    expect(await storedText(session.id)).toEqual(before);
  });

  test('of other terms gets them: a page that showed the old ones starts nothing', async () => {
    const session = await made();
    passSeconds(600);
    const changed = await ensure(DEARER);
    expect(changed).toMatchObject({ id: session.id, status: 'open', seq: 2, terms: 2, outdated: false, ...DEARER });
    expect([changed.clientSecret, changed.createdAt]).toEqual([session.clientSecret, session.createdAt]);
    expect(Date.parse(String(changed.expiresAt)) - Date.parse(String(session.expiresAt))).toBe(600_000);
    await expectProblem(startAttempt(session), 409, { code: 'terms_changed', param: 'terms' });
    expect(await (await startAttempt(changed)).json()).toMatchObject({ status: 'pending', terms: 2, ...DEARER });
    expect(inits()).toEqual(['15000']);
  });
});

test('a session that is being paid stays as it is, and the next attempt gets the terms', async () => {
  const session = await pending();
  const before = await retrieve(session.id);
  expect(await ensure(DEARER)).toEqual({ ...before, outdated: true, clientSecret: session.clientSecret });
  expect(await retrieve(session.id)).toMatchObject({ seq: 2, terms: 1, outdated: true, amount: PAYMENT.amount });
  expect((await startAttempt(session)).status).toBe(200);
  await endAttempt(fakes.upstream, session.id, 'declined');
  expect(await retrieve(session.id)).toMatchObject({ status: 'open', terms: 2, outdated: false, ...DEARER });
  expect((await startAttempt(session)).status).toBe(409);
  // From then on it gets others at once, as before its attempts.
  expect(await ensure({ ...DEARER, description: '3 nights' })).toMatchObject({ terms: 3, outdated: false });
  await startAttempt({ ...session, terms: 3 });
  expect(inits()).toEqual(['12000', '15000']);
});

describe('a session that has expired for good', () => {
  test('is opened anew: the same one, with its secret, its links and its attempts', async () => {
    const session = await pending({ expiresInSeconds: 60 });
    const link = await paymentLink(session.id);
    await endAttempt(fakes.upstream, session.id, 'declined');
    const expired = await poll(session.id, 60);
    expect(expired).toMatchObject({ status: 'expired', final: true, outdated: false });
    expect((await submit(link)).status).toBe(409);
    const again = await ensure(DEARER);
    const { id, clientSecret, createdAt } = session;
    const kept = { id, clientSecret, createdAt, attempts: expired.attempts, seq: Number(expired.seq) + 1 };
    expect(again).toMatchObject({ ...kept, status: 'open', final: false, terms: 2 });
    expect(Date.parse(String(again.expiresAt))).toBe(Date.now() + 1_800_000);
    expect((await submit(link, { terms: 2 })).status).toBe(303);
    fakes.upstream.pay(session.id);
    const paid = { status: 'succeeded', late: false, result: { total: DEARER.amount } };
    expect(await poll(session.id)).toMatchObject(paid);
    const types = (await eventsOf(session.id)).map(({ type }) => type);
    expect(types).toEqual(['checkout.attempt_failed', 'checkout.expired', 'checkout.succeeded']);
  });

  test('is opened anew when its alarm is late, too', async () => {
    const { id } = await made({ expiresInSeconds: 60 });
    passSeconds(61);
    expect(await ensure()).toMatchObject({ id, status: 'open', seq: 3, terms: 1 });
  });

  test('by hand gets a new secret, and what was given out stays dead', async () => {
    const session = await made();
    const link = await paymentLink(session.id);
    const pages: string[] = [];
    for (const presentation of ['tab', 'redirect']) {
      expect((await startAttempt(session, { presentation })).status).toBe(200);
      pages.push(fakes.upstream.returnPath(session.id, 'abort'));
      fakes.upstream.fail(session.id);
      passSeconds(1);
      await send(String(pages.at(-1)));
    }
    const [tab = '', redirect = ''] = pages;
    expect([(await send(tab)).status, (await send(redirect)).status]).toEqual([200, 303]);
    const expire = () => merchant(`/v1/checkout-sessions/${session.id}/expire`, { method: 'POST' });
    await expire();
    const answers = await Promise.all([put(), put(), put()]);
    const [again = session, ...others] = await Promise.all(answers.map((answer) => answer.json<Created>()));
    expect(again).toMatchObject({ id: session.id, status: 'open', seq: 7 });
    expect([...others, 'endedAt' in again || 'endedBy' in again]).toEqual([again, again, false]);
    expect(await ensure()).toEqual(again);
    // At the same moment of the clock.
    await expire();
    const statusOf = async ({ clientSecret }: Created) => (await guest('/v1/checkout', clientSecret)).status;
    expect(await Promise.all([session, again, await ensure()].map(statusOf))).toEqual([401, 401, 200]);
    expect([(await send(link)).status, (await submit(link)).status]).toEqual([404, 404]);
    // But whoever is sent on to the hotel still is.
    expect([(await send(tab)).status, (await send(redirect)).status]).toEqual([404, 303]);
    const started = pages.map(async (page) => (await submit(page.replace(/abort$/, 'start'))).status);
    expect([await Promise.all(started), (await retrieve(session.id)).status]).toEqual([[404, 303], 'open']);
    expect((await submit(await paymentLink(session.id))).status).toBe(303);
  });

  test('after twenty attempts stays so', async () => {
    const session = await made();
    for (let number = 1; number <= 20; number++) {
      expect((await startAttempt(session)).status).toBe(200);
      fakes.upstream.fail(session.id);
      await send(fakes.upstream.returnPath(session.id, 'abort'));
      passSeconds(1);
    }
    expect(await ensure()).toMatchObject({ status: 'open' });
    await merchant(`/v1/checkout-sessions/${session.id}/expire`, { method: 'POST' });
    const before = await storedText(session.id);
    await expectProblem(put(), 409, { code: 'too_many_attempts', resource: session.id });
    expect(await storedText(session.id)).toEqual(before);
  });
});

describe('a session that has expired, and may still turn out to be paid', () => {
  /** Its guest has gone away without a word. */
  async function abandoned(): Promise<Created> {
    const session = await pending({ expiresInSeconds: 60 });
    await endAttempt(fakes.upstream, session.id, 'abandoned');
    expect(await poll(session.id, 0)).toMatchObject({ status: 'expired', final: false });
    return session;
  }

  test('stays as it is until the payment service says that it was not', async () => {
    const { id, clientSecret } = await abandoned();
    const before = await retrieve(id);
    fakes.upstream.overrides.paystatus = () => new Response(null, { status: 500 });
    expect(await ensure(DEARER)).toEqual({ ...before, outdated: true, clientSecret });
    expect(await retrieve(id)).toEqual(before);
    fakes.upstream.overrides = {};
    passSeconds(1);
    expect(await ensure(DEARER)).toMatchObject({ id, clientSecret, status: 'open', ...DEARER });
  });

  test('is answered as paid when it was', async () => {
    const { id, clientSecret } = await abandoned();
    fakes.upstream.pay(id);
    expect(await ensure(DEARER)).toMatchObject({ id, clientSecret, status: 'succeeded', late: true, outdated: true });
  });
});

test.each([
  ['kind', { kind: 'card', amount: undefined }],
  ['reference', { reference: 'another' }],
  ['amount.currency', { amount: { value: 12_000, currency: 'JPY' } }],
])('a body with another %s is of another booking', async (param, change) => {
  const { id } = await made();
  const before = await retrieve(id);
  await expectProblem(put(change), 422, { code: 'idempotency_mismatch', param, resource: id });
  expect(await retrieve(id)).toEqual(before);
});

describe('after the hotel has gone live', () => {
  const body = (): Json => ({ ...PAYMENT, reference: fakes.reference });
  const ensureLive = () => postAfterEdit(LIVE, { method: 'PUT', path: path(fakes.reference), body: body() });

  test('a booking that was paid in test mode is not paid, and its key has been used', async () => {
    const session = await pending();
    const refusal = { code: 'key_used', resource: session.id };
    await expectProblem(ensureLive(), 410, refusal);
    fakes.upstream.pay(session.id);
    await merchant(`/v1/checkout-sessions/${session.id}/refresh`, { method: 'POST' });
    expect((await ensure()).status).toBe('succeeded');
    await expectProblem(ensureLive(), 410, refusal);
  });

  test('one that nobody has tried to pay is paid live', async () => {
    const { id, clientSecret } = await made();
    expect(await (await ensureLive()).json()).toMatchObject({ id, clientSecret, status: 'open' });
  });

  test('nor is it with another key of that session', async () => {
    const key = fakes.key('session');
    const session = await (
      await merchant('/v1/checkout-sessions', { method: 'POST', body: body(), headers: { 'idempotency-key': key } })
    ).json<Created>();
    const again = () => postAfterEdit(LIVE, { path: '/v1/checkout-sessions', body: body(), key });
    expect(await (await again()).json()).toMatchObject({ id: session.id, status: 'open' });
    await startAttempt(session);
    await expectProblem(again(), 422, { code: 'idempotency_mismatch', resource: session.id });
  });
});
