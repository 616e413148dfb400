/** One session, several attempts: a guest whose card is declined tries again in place, and nobody pays twice unnoticed. */

import { describe, expect, test } from 'vitest';
import {
  type Created,
  createSession,
  guest,
  type Json,
  merchant,
  paymentLink,
  retrieve,
  send,
  startSession as start,
  startAttempt,
  submit,
} from '../test-support/client.ts';
import { KEYS } from '../test-support/environment.ts';
import { postReversal, useMoneyFakes } from '../test-support/money.ts';
import { endAttempt, eventsOf, passSeconds, poll } from '../test-support/objects.ts';
import { expectProblem } from '../test-support/problem.ts';
import { endTimeLimit } from '../test-support/time-limit.ts';

const fakes = useMoneyFakes('ATTEMPTS');

/** For the booking of this test: two payments of one booking are news of another kind. */
function startSession(presentation?: string): Promise<Created> {
  return start({ reference: fakes.reference, expiresInSeconds: 30 * 86_400 }, presentation);
}

/** A session whose first attempt ended without money, and whose second one is under way. */
async function secondAttempt(): Promise<Created> {
  const session = await startSession();
  await endAttempt(fakes.upstream, session.id, 'declined');
  expect((await startAttempt(session)).status).toBe(200);
  return session;
}

function resolve(id: string, body: Json): Promise<Response> {
  return merchant(`/v1/checkout-sessions/${id}/resolve`, { body: { evidence: 'Portal', ...body } });
}

const inits = (): number => fakes.upstream.count('initpayNoIframe');

describe('a guest who tries again', () => {
  test('after a declined card and a cancel pays in the same session, with the same secret and the same link', async () => {
    const session = await createSession({ reference: fakes.reference });
    const path = await paymentLink(session.id);
    await startAttempt(session);
    expect(await endAttempt(fakes.upstream, session.id, 'declined')).toMatchObject({ status: 'open', final: false });
    await startAttempt(session, { presentation: 'tab' });
    expect(await endAttempt(fakes.upstream, session.id, 'canceled')).toMatchObject({ status: 'open' });
    expect((await submit(path)).status).toBe(303);
    fakes.upstream.pay(session.id);
    expect(await poll(session.id)).toMatchObject({
      status: 'succeeded',
      late: false,
      attempts: [
        { status: 'declined', error: { code: 'declined' }, result: null, reversed: null },
        { status: 'canceled', error: { code: 'canceled_by_guest' }, result: null, reversed: null },
        { status: 'succeeded', error: null, result: { total: { value: 12_000 } }, reversed: { value: 0 } },
      ],
    });
    const requests = [1, 2, 3].map((number) => fakes.upstream.of(`${session.id}-${number}`).init);
    expect(new Set(requests.map(({ callbackSuccessUrl }) => callbackSuccessUrl)).size).toBe(3);
    const view = await (await guest('/v1/checkout', session.clientSecret)).json();
    expect(view).toMatchObject({ status: 'succeeded', error: null, receipt: { total: { value: 12_000 } } });
    expect(await (await send(path)).text()).toContain('Payment received');
    const types = (await eventsOf(session.id)).map(({ type }) => type);
    expect(types).toEqual(['checkout.attempt_failed', 'checkout.attempt_failed', 'checkout.succeeded']);
  });

  test('from the page after a decline goes on from there, and an older page starts nothing', async () => {
    const { id } = await startSession('tab');
    await endAttempt(fakes.upstream, id, 'declined');
    const older = fakes.upstream.returnPath(id, 'success');
    const form = older.replace(/success$/, 'start');
    passSeconds(1);
    const shown = await send(older);
    const policy = shown.headers.get('content-security-policy');
    expect(policy).toContain("form-action 'self' https://pay.test https://view.test;");
    const page = await shown.text();
    expect(page).toContain('<h1>The card was declined</h1>');
    expect(page).toContain(`<form method="post" action="${form}?terms=1"><button>Try again</button></form>`);
    expect((await submit(form, { origin: 'https://evil.test' })).status).toBe(403);
    expect((await submit(form, { terms: 2 })).status).toBe(409);
    expect(inits()).toBe(1);
    const next = (await submit(form)).headers.get('location');
    expect(next).toMatch(/^https:\/\/view\.test\/payment/);
    expect(await (await send(older)).text()).toContain('<button>Back to the payment page</button>');
    expect((await submit(form)).headers.get('location')).toBe(next);
    // Nobody has noticed yet that its guest is gone.
    passSeconds(3_601);
    const asked = fakes.upstream.requests.length;
    expect((await submit(form.replace(/[\w-]{43}/, 'A'.repeat(43)))).status).toBe(404);
    for (const call of ['link', 'expire']) {
      const options = { method: 'POST', key: KEYS.borealis };
      expect((await merchant(`/v1/checkout-sessions/${id}/${call}`, options)).status).toBe(404);
    }
    expect(fakes.upstream.requests).toHaveLength(asked);
    expect((await submit(form)).status).toBe(409);
    expect(await endAttempt(fakes.upstream, id, 'failed')).toMatchObject({ attempts: [{}, { status: 'failed' }] });
    passSeconds(2);
    expect(await (await send(older)).text()).not.toContain('<form');
    const refused = await submit(form);
    expect([refused.status, (await refused.text()).includes('<form')]).toEqual([409, false]);
    expect(inits()).toBe(2);
    // Where a page that waits loads itself again.
    expect((await send(form)).status).toBe(200);
    fakes.upstream.pay(id);
    passSeconds(60);
    const newest = await (await send(fakes.upstream.returnPath(id, 'success'))).text();
    expect([newest.includes('Payment received'), newest.includes('<form')]).toEqual([true, false]);
    expect(newest).toContain('You can close this tab.');
  });

  test('is not said to have come back by a form that was refused', async () => {
    const { id, clientSecret } = await startSession('tab');
    const form = fakes.upstream.returnPath(id, 'success').replace(/success$/, 'start');
    expect((await submit(form, { terms: 2 })).status).toBe(409);
    const view = await (await guest('/v1/checkout', clientSecret)).json();
    expect(view).toMatchObject({ status: 'pending', returned: false });
  });
});

// Without this limit, a start waits for thirty seconds.
test('before another attempt the payment service is waited for two seconds', { timeout: 20_000 }, async () => {
  const session = await startSession();
  const before = await endAttempt(fakes.upstream, session.id, 'declined');
  const held = fakes.upstream.hold('paystatus', () => Response.json({ state: 2, result: 'ERROR=x' }));
  const polls = fakes.upstream.count('paystatus');
  endTimeLimit(2_000, () => fakes.upstream.count('paystatus') > polls);
  const refused = await startAttempt(session);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  await expectProblem(refused, 503, { code: 'upstream_unavailable' });
  expect(await retrieve(session.id)).toEqual(before);
  held.release();
  passSeconds(5);
  expect((await startAttempt(session)).status).toBe(200);
  expect(inits()).toBe(2);
});

describe('an attempt in doubt', () => {
  test('beside another one has to be named', async () => {
    const { id } = await secondAttempt();
    for (const number of [1, 2]) fakes.upstream.pay(`${id}-${number}`, { amount: 1 });
    await poll(id, 300);
    await poll(id, 5);
    await expectProblem(resolve(id, { status: 'failed' }), 400, { code: 'invalid_request', param: 'attempt' });
    const resolved = await (await resolve(id, { status: 'failed', attempt: 2 })).json();
    expect(resolved).toMatchObject({ status: 'unknown', attempts: [{ status: 'unknown' }, { status: 'failed' }] });
  });

  test('is not resolved with an amount that it cannot have moved', async () => {
    const { id } = await startSession();
    fakes.upstream.pay(id, { amount: 13_000 });
    await poll(id);
    expect(await poll(id, 5)).toMatchObject({ status: 'unknown' });
    for (const [status, amount, param] of [
      ['succeeded', { value: 0, currency: 'EUR' }, 'amount.value'],
      ['succeeded', { value: 1, currency: 'ZZZ' }, 'amount.currency'],
      ['failed', { value: 1, currency: 'EUR' }, 'amount'],
    ]) {
      await expectProblem(resolve(id, { status, amount }), 400, { code: 'invalid_request', param });
    }
    expect(await retrieve(id)).toMatchObject({ status: 'unknown' });
  });
});

test('money refunded is of the attempt that is named, where two were paid', async () => {
  const { id } = await secondAttempt();
  for (const number of [1, 2]) {
    fakes.upstream.pay(`${id}-${number}`, { transactionID: `TX-${number}` });
    await poll(id, 300);
  }
  const unnamed = postReversal(fakes.key('none'), { payment: id });
  await expectProblem(unnamed, 400, { code: 'invalid_request', param: 'attempt' });
  const reversal = await postReversal(fakes.key('second'), { payment: id, attempt: 2 });
  expect([reversal.status, await reversal.json()]).toMatchObject([
    201,
    { payment: id, attempt: 2, amount: { value: 12_000 }, status: 'succeeded' },
  ]);
  expect(JSON.parse(fakes.upstream.last('reversal').body)).toMatchObject({ transactionID: 'TX-2' });
  expect(await retrieve(id)).toMatchObject({
    reversed: { value: 0 },
    attempts: [{ reversed: { value: 0 } }, { reversed: { value: 12_000 } }],
  });
  const other = await postReversal(fakes.key('first'), { payment: id, attempt: 1 });
  expect([other.status, await other.json()]).toMatchObject([201, { attempt: 1, status: 'succeeded' }]);
  expect(await retrieve(id)).toMatchObject({ reversed: { value: 12_000 } });
  expect(fakes.upstream.count('reversal')).toBe(2);
});
