import { expect, test, vi } from 'vitest';
import { PATIENT } from '../../../scripts/test-limits.ts';
import { LedgerObject } from '../src/ledger/ledger-object.ts';
import { CheckoutSessionObject } from '../src/sessions/checkout-session-object.ts';
import { createSession, type Json, merchant } from '../test-support/client.ts';
import { editedDependencies, LIVE, postAfterEdit } from '../test-support/edited-proxy.ts';
import { AURORA, KEYS } from '../test-support/environment.ts';
import {
  answerMoney,
  CHARGE,
  charge,
  heldAnswer,
  killOperation,
  postCharge,
  postReversal,
  read,
  runOperationAlarm,
  storedText,
  useMoneyFakes,
} from '../test-support/money.ts';
import { holdMethod, ids, type SessionNews } from '../test-support/objects.ts';
import { expectProblem } from '../test-support/problem.ts';
import { ACTOR } from '../test-support/records.ts';
import { createApp, RESOURCES } from '../test-support/whole-app.ts';

const fakes = useMoneyFakes();

test('a session’s card of which an object of release 1.0.0 says the token alone goes to the hotel’s provider', async () => {
  const card = await ids.derive('cs', ['aurora', 'checkout_session', fakes.key()]);
  const cardSession = () => ({ cardToken: async () => ({ ok: true, value: 'TOKEN-OF-1.0.0' }) as const });
  const app = createApp({ ...editedDependencies(), cardSession }, RESOURCES);
  const body = { amount: CHARGE.amount, reason: 'no_show', card, reference: fakes.reference };
  const headers = {
    authorization: `Bearer ${KEYS.aurora}`,
    'idempotency-key': fakes.key(),
    'content-type': 'application/json',
  };
  const request = new Request('https://proxy.test/v1/charges', { method: 'POST', headers, body: JSON.stringify(body) });
  expect((await app.fetch(request)).status).toBe(201);
  const sent = { tokenNo: 'TOKEN-OF-1.0.0', serviceProvider: 'TEST_HOSTED' };
  expect(JSON.parse(fakes.upstream.last('pay').body)).toMatchObject(sent);
});

test('a charge says with which configuration it is made', async () => {
  const { id: card } = await createSession();
  const cardToken = vi.spyOn(CheckoutSessionObject.prototype, 'cardToken');
  const { amount, reason } = CHARGE;
  const body = { card, amount, reason, reference: fakes.reference };
  expect((await merchant('/v1/charges', { body, headers: { 'idempotency-key': fakes.key() } })).status).toBe(400);
  expect(cardToken.mock.calls).toEqual([
    ['aurora', { livemode: false, baseUrl: AURORA.baseUrl, allowedOrigins: [], amountUnit: 'minor' }],
  ]);
});

test.each(['', ' '])('with the token “%s” nothing is charged, and the key stays free', async (token) => {
  const [key, reference] = [fakes.key(), fakes.reference];
  await expectProblem(postCharge(key, { reference, token }), 400, { param: 'token', detail: 'Must not be empty' });
  expect((await postCharge(key, { reference })).status).toBe(201);
});

test('charges a stored card', async () => {
  const { reference } = fakes;
  const body = await charge(fakes.key(), { reference, text: 'Minibar' });
  const asked = { amount: CHARGE.amount, reference, reason: 'no_show', by: ACTOR.by };
  const outcome = { status: 'succeeded', seq: 3, transactionId: 'PAY-1', maskedCard: '424242......4242', error: null };
  expect(body).toMatchObject({ ...asked, ...outcome });
  expect(await read(body.id)).toEqual(body);
  expect(JSON.parse(fakes.upstream.last('pay').body)).toMatchObject({
    tokenNo: 'TOKEN-SECRET-9876',
    amount: '8000',
    currency: 'EUR',
    serviceProvider: 'TEST_HOSTED',
    text: `${body.id} no_show ${reference} Minibar`,
  });
});

test.each([{}, { maxAmount: { EUR: 1 } }])(
  'a key used in test mode is no charge of a live hotel, with %o',
  async (edit) => {
    const { id: resource } = await charge(fakes.key(), { reference: fakes.reference });
    const body = { ...CHARGE, reference: fakes.reference };
    const answer = postAfterEdit({ ...LIVE, ...edit }, { path: '/v1/charges', body, key: fakes.key() });
    const detail = 'The property had another livemode when this was made: use a new key if that was no real payment';
    await expectProblem(answer, 422, { code: 'idempotency_mismatch', resource, detail });
    expect(fakes.upstream.count('pay')).toBe(1);
  },
);

test('one of another hotel is answered like one that is not there', async () => {
  const { id } = await charge(fakes.key(), { reference: fakes.reference });
  const reversal = await (await postReversal(fakes.key('back'), { payment: id })).json<Json>();
  for (const [noun, theirs] of [
    ['charge', id],
    ['reversal', String(reversal.id)],
  ] as const) {
    const prefix = theirs.startsWith('ch') ? 'ch' : 'rv';
    for (const each of [theirs, await ids.derive(prefix, ['nobody made it']), `${prefix}_${'A'.repeat(26)}`]) {
      const answer = merchant(`/v1/${noun}s/${each}`, { key: KEYS.borealis });
      await expectProblem(answer, 404, { detail: `There is no ${noun} with this id` });
    }
  }
  const { id: session } = await createSession();
  for (const payment of [id, session, await ids.derive('ch', ['nobody made it']), `cs_${'A'.repeat(26)}`]) {
    const headers = { 'idempotency-key': `of-aurora-${payment}` };
    const answer = merchant('/v1/reversals', { key: KEYS.borealis, headers, body: { payment } });
    await expectProblem(answer, 404, { detail: 'There is no payment with this id', param: 'payment' });
  }
});

test('a call whose instance died is unknown, and nothing is sent again', async () => {
  fakes.upstream.overrides.pay = heldAnswer().answer;
  const post = () => postCharge(fakes.key(), { reference: fakes.reference });
  const answer = post().catch(() => undefined);
  await expect.poll(() => fakes.upstream.count('pay')).toBe(1);
  const { resource: id } = await (await post()).json<{ resource: string }>();
  // The card token has left with the request.
  expect(await storedText(id)).toContain('"sealedToken":null');
  await killOperation(id);
  expect(await runOperationAlarm(id)).toBe(true);
  expect(await read(id)).toMatchObject({ status: 'unknown', error: { code: 'outcome_unknown' } });
  expect(await (await post()).json()).toMatchObject({ id, status: 'unknown' });
  expect(fakes.upstream.count('pay')).toBe(1);
  await answer;
});

test('fails without an access token, then knows that the upstream is down', async () => {
  // Another account: the first one's token is remembered.
  const down = { key: KEYS.borealis };
  fakes.upstream.overrides.login = () => new Response('no', { status: 503 });
  const body = { ...CHARGE, reference: fakes.reference };
  const send = (name: string) =>
    merchant('/v1/charges', { ...down, body, headers: { 'idempotency-key': fakes.key(name) } });
  expect(await (await send('a')).json()).toMatchObject({ status: 'failed', error: { code: 'upstream_status' } });
  await expectProblem(send('b'), 503, { code: 'upstream_unavailable' });
  expect(fakes.upstream.count('pay')).toBe(0);
});

test('refuses the same charge under another key while the first is not certain', async () => {
  fakes.upstream.overrides.pay = () => new Response('no', { status: 500 });
  const first = await charge(fakes.key('a'), { reference: fakes.reference });
  const second = () => postCharge(fakes.key('b'), { reference: fakes.reference });
  await expectProblem(second(), 409, { code: 'possible_duplicate', resource: first.id });
  // A charge of test mode is none of a live hotel, and stays announced.
  const body = { ...CHARGE, reference: fakes.reference };
  const live = await postAfterEdit(LIVE, { path: '/v1/charges', body, key: fakes.key('live') });
  expect(await live.json()).toMatchObject({ object: 'charge', livemode: true });
  await expectProblem(second(), 409, { code: 'possible_duplicate', resource: first.id });
  answerMoney(fakes.upstream);
  const same = await charge(fakes.key('b'), { reference: fakes.reference, allowDuplicate: true });
  const other = await charge(fakes.key('c'), { reference: fakes.reference, reason: 'late_charge' });
  expect([same.status, other.status]).toEqual(['succeeded', 'succeeded']);
});

test('a charge that is still being checked is in the way already', async () => {
  const claim = holdMethod(LedgerObject.prototype, 'claimIntent', { isDone: true });
  const first = postCharge(fakes.key('a'), { reference: fakes.reference });
  await claim.isCalled();
  await expectProblem(postCharge(fakes.key('b'), { reference: fakes.reference }), 409, { code: 'possible_duplicate' });
  claim.goOn();
  expect((await first).status).toBe(201);
  expect(fakes.upstream.count('pay')).toBe(1);
});

test('ends an unknown outcome with evidence, and audits it in the feed', async () => {
  fakes.upstream.overrides.pay = () => new Response('no', { status: 502 });
  const { id } = await charge(fakes.key(), { reference: fakes.reference });
  const body = { status: 'succeeded', evidence: 'Portal, 12:30', transactionId: 'P-77' };
  const resolved = await (await merchant(`/v1/charges/${id}/resolve`, { body })).json<Json>();
  const resolution = { ...body, by: ACTOR.by, at: expect.stringMatching(/Z$/) };
  expect(resolved).toMatchObject({ status: 'succeeded', final: true, transactionId: 'P-77', error: null, resolution });
  await expectProblem(merchant(`/v1/charges/${id}/resolve`, { body }), 409, { code: 'not_resolvable', resource: id });
  await vi.waitFor(async () => {
    const { data } = await (await merchant('/v1/events?limit=100')).json<{ data: SessionNews[] }>();
    const events = data.filter((event) => event.data.object.id === id);
    expect(events.map(({ type }) => type)).toEqual(['charge.unknown', 'charge.succeeded']);
    expect(events[1]?.data.object).toEqual(resolved);
    expect(JSON.stringify(events)).not.toContain('TOKEN-SECRET');
  }, PATIENT);
});

test('books what was charged when the answer names another amount', async () => {
  fakes.upstream.overrides.pay = () => Response.json({ returnCode: '0', transactionID: 'P-78', amount: 8_200 });
  const made = await charge(fakes.key(), { reference: fakes.reference });
  const message = expect.stringContaining('wrong “amount” and named the transaction P-78');
  expect(made).toMatchObject({ status: 'unknown', error: { code: 'outcome_unknown', message } });
  const resolve = (body: Json) => merchant(`/v1/charges/${made.id}/resolve`, { body: { evidence: 'Portal', ...body } });
  const amount = { value: 8_200, currency: 'EUR' };
  await expectProblem(resolve({ status: 'failed', amount }), 400, { code: 'invalid_request', param: 'amount' });
  const resolved = await (await resolve({ status: 'succeeded', transactionId: 'P-78', amount })).json<Json>();
  expect(resolved).toMatchObject({ status: 'succeeded', amount: CHARGE.amount, resolution: { amount } });
  const all = await postReversal(fakes.key('all'), { payment: made.id });
  expect(await all.json()).toMatchObject({ status: 'succeeded', amount });
  await vi.waitFor(async () => {
    const payment = await (await merchant(`/v1/payments/${made.id}`)).json<Json>();
    expect(payment).toMatchObject({ status: 'reversed', amount: CHARGE.amount, taken: amount, reversed: amount });
    const today = new Date().toISOString().slice(0, 10);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const table = await (await merchant(`/v1/export.csv?from=${today}&to=${tomorrow}`)).text();
    expect(table.split('\r\n').find((row) => row.includes(String(made.id)))).toContain('"EUR","82.00","","82.00"');
  }, PATIENT);
});

test('what a reversal moved is what it was asked to', async () => {
  const { id } = await charge(fakes.key(), { reference: fakes.reference });
  fakes.upstream.overrides.reversal = () => new Response('no', { status: 500 });
  const reversal = await (await postReversal(fakes.key('r'), { payment: id })).json<Json>();
  const body = { status: 'succeeded', evidence: 'Portal', amount: { value: 1, currency: 'EUR' } };
  const resolved = merchant(`/v1/reversals/${reversal.id}/resolve`, { body });
  await expectProblem(resolved, 400, { code: 'invalid_request', param: 'amount' });
});

test.each([
  ['no key', {}, {}, 'Idempotency-Key'],
  ['no reason', { 'idempotency-key': 'k' }, { reason: undefined }, 'reason'],
  ['an unknown field', { 'idempotency-key': 'k' }, { cvc: '123' }, 'cvc'],
  ['too much', { 'idempotency-key': 'k' }, { amount: { value: 500_001, currency: 'EUR' } }, 'amount.value'],
  ['a strange currency', { 'idempotency-key': 'k' }, { amount: { value: 1, currency: 'USD' } }, 'amount.currency'],
  ['a token that is none', { 'idempotency-key': 'k' }, { token: 7 }, 'token'],
] as const)('refuses %s', async (_name, headers, overrides, param) => {
  const answer = merchant('/v1/charges', { body: { ...CHARGE, ...overrides }, headers });
  await expectProblem(answer, 400, { code: 'invalid_request', param });
  expect(fakes.upstream.count('pay')).toBe(0);
});
