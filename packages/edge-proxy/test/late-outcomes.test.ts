/** What shows after an attempt has ended: late money, attempts that nobody finished, guests who came back as having paid. */

import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
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
import { useFakes } from '../test-support/harness.ts';
import { endAttempt, eventsOf, passSeconds, poll } from '../test-support/objects.ts';

let bookings = 0;
/** Each for a booking of its own: two payments of one booking are news of another kind. */
const startSession: typeof start = (overrides) => {
  bookings += 1;
  return start({ reference: `RES-${bookings}`, ...overrides });
};
const fakes = useFakes();
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function comeBack(id: string, through: 'success' | 'abort'): Promise<Response> {
  return send(fakes.upstream.returnPath(id, through));
}

/** The session as its guest sees it. */
async function viewOf(clientSecret: string): Promise<Json> {
  return (await guest('/v1/checkout', clientSecret)).json();
}

/** A session whose attempt has ended without money. */
async function ended(ending: 'failed' | 'canceled' | 'abandoned'): Promise<Created> {
  const session = await startSession({ expiresInSeconds: 30 * DAY });
  const now = await endAttempt(fakes.upstream, session.id, ending);
  expect(now).toMatchObject({ status: 'open', attempts: [{ status: ending, late: false, recorded: null }] });
  return session;
}

/** Types and states of a session's events, as the feed tells them. */
async function told(id: string): Promise<unknown[]> {
  return (await eventsOf(id)).map(({ type, data }) => [type, data.object.late]);
}

test.each([
  ['a card that was not stored', { kind: 'card', amount: undefined }, '51', 'declined', 'declined'],
  ['a refused card at a payment', {}, '51', 'declined', 'declined'],
  ['a code that leaves it open', {}, '096', 'failed', 'upstream_failed'],
])('a record of %s counts also after a return as one who has canceled', async (_, asked, returnCode, status, code) => {
  const session = await startSession(asked);
  fakes.upstream.pay(session.id, { status: '_error', returnCode, paymentObjID: undefined, token: undefined });
  fakes.upstream.fail(session.id, 'Aborted by user');
  await comeBack(session.id, 'abort');
  expect(await retrieve(session.id)).toMatchObject({ status: 'open', attempts: [{ status, error: { code } }] });
  const view = await viewOf(session.clientSecret);
  expect(view).toMatchObject({ status: 'open', error: { code }, nextPollMs: null });
});

test.each(['failed', 'canceled', 'abandoned'] as const)(
  'a payment that shows after an attempt that %s is a late success, with an event of its own',
  async (ending) => {
    const { id } = await ended(ending);
    fakes.upstream.pay(id);
    const paid = await poll(id, 5 * MINUTE);
    expect(paid).toMatchObject({
      status: 'succeeded',
      final: true,
      late: true,
      result: { total: { value: 12_000 } },
      attempts: [{ status: 'succeeded', late: true, error: null }],
    });
    expect(await told(id)).toEqual([
      ...(ending === 'abandoned' ? [] : [['checkout.attempt_failed', false]]),
      ['checkout.succeeded', true],
    ]);
  },
);

test('a refresh asks however long ago the end was', async () => {
  const { id } = await ended('failed');
  for (const days of [1, 1, 38]) await poll(id, days * DAY);
  expect(await retrieve(id)).toMatchObject({ status: 'expired', final: true });
  fakes.upstream.pay(id);
  const refreshed = await merchant(`/v1/checkout-sessions/${id}/refresh`, { method: 'POST' });
  expect(await refreshed.json()).toMatchObject({ status: 'succeeded', late: true });
});

test.each(['failed', 'canceled'] as const)(
  'a guest who comes back as having paid after an attempt was %s waits',
  async (ending) => {
    const { id, clientSecret } = await ended(ending);
    passSeconds(5);
    const page = await comeBack(id, 'success');
    expect(await page.text()).not.toContain('Try again');
    const view = await viewOf(clientSecret);
    expect(view).toMatchObject({ status: 'pending', returned: true, error: null });
    expect((await startAttempt({ clientSecret })).status).toBe(409);
    // The page of the cancel is only loaded once more.
    await comeBack(id, 'abort');
    const waits = ending === 'canceled';
    const later = await viewOf(clientSecret);
    expect(later).toMatchObject({ status: waits ? 'pending' : 'open', returned: waits });
    passSeconds(15 * MINUTE);
    expect(await viewOf(clientSecret)).toMatchObject({ status: 'open', returned: false });
    // Another visit, of one who had given up: believed anew, and asked about whenever somebody looks.
    await comeBack(id, 'success');
    fakes.upstream.pay(id);
    passSeconds(MINUTE);
    const { status } = await viewOf(clientSecret);
    expect(status).toBe(waits ? 'open' : 'succeeded');
  },
);

async function startedLink() {
  const { id, clientSecret } = await createSession({ expiresInSeconds: 30 * DAY });
  const path = await paymentLink(id);
  return { id, clientSecret, path, viewUrl: (await submit(path)).headers.get('location') };
}

describe('an abandoned attempt', () => {
  test('keeps its session from being final until the last poll, also after its guest came back', async () => {
    const { id } = await startSession({ expiresInSeconds: HOUR });
    await poll(id, HOUR);
    passSeconds(HOUR);
    await comeBack(id, 'success');
    expect(await poll(id, 23 * HOUR)).toMatchObject({ status: 'expired', final: false });
    fakes.upstream.pay(id);
    expect(await poll(id, HOUR)).toMatchObject({ status: 'succeeded', late: true });
    expect(await told(id)).toEqual([
      ['checkout.expired', false],
      ['checkout.succeeded', true],
    ]);
  });

  const isDown = () => new Response(null, { status: 503 });

  test.each([
    ['paid', 2 * HOUR, { status: 'succeeded', late: true }],
    ['not paid', 2 * HOUR, { status: 'expired', final: true }],
    ['never told', 26 * HOUR, { status: 'expired', final: true }],
  ])('keeps its session from being final while nobody answers: %s', async (what, seconds, outcome) => {
    const { id } = await startSession({ expiresInSeconds: HOUR });
    await poll(id, HOUR);
    await poll(id, 0);
    const { overrides } = fakes.upstream;
    Object.assign(overrides, { paystatus: isDown, transaction: isDown });
    for (const wait of [23 * HOUR, HOUR, HOUR])
      expect(await poll(id, wait)).toMatchObject({ status: 'expired', final: false });
    if (what === 'paid') fakes.upstream.pay(id);
    if (what !== 'never told') fakes.upstream.overrides = {};
    for (let left = seconds; left > 0; left -= HOUR) await poll(id, HOUR);
    expect(await poll(id, 1)).toMatchObject(outcome);
  });

  test('of a long link is asked about again when nobody answers at its end, and a press there changes nothing', async () => {
    const { id, clientSecret } = await startSession({ expiresInSeconds: 3 * DAY });
    for (const seconds of [HOUR, DAY]) await poll(id, seconds);
    fakes.upstream.pay(id);
    Object.assign(fakes.upstream.overrides, { paystatus: isDown, transaction: isDown });
    passSeconds(2 * DAY);
    expect((await startAttempt({ clientSecret })).status).toBe(409);
    expect(await poll(id, 0)).toMatchObject({ status: 'expired', final: false });
    expect(await poll(id, DAY)).toMatchObject({ status: 'expired', final: false });
    fakes.upstream.overrides = {};
    await poll(id, 3 * HOUR);
    expect(await retrieve(id)).toMatchObject({ status: 'succeeded', late: true });
  });

  test.each([
    ['is paid', {}, [409, 'session_not_open'], { status: 'succeeded' }],
    [
      'is paid, but nobody says so',
      { paystatus: isDown, transaction: isDown },
      [200, undefined],
      { status: 'succeeded' },
    ],
    ['is not paid', {}, [200, undefined], { status: 'expired', final: true }],
  ])('of a long link that %s is asked about when the merchant ends it', async (what, overrides, refusal, outcome) => {
    const { id } = await startSession({ expiresInSeconds: 3 * DAY });
    for (const seconds of [HOUR, DAY, HOUR]) await poll(id, seconds);
    if (what !== 'is not paid') fakes.upstream.pay(id);
    fakes.upstream.overrides = overrides;
    const answer = await merchant(`/v1/checkout-sessions/${id}/expire`, { method: 'POST' });
    const { code, final } = await answer.json<Json>();
    expect([answer.status, code]).toEqual(refusal);
    expect(final).toBe(answer.ok ? what === 'is not paid' : undefined);
    fakes.upstream.overrides = {};
    await poll(id, 3 * HOUR);
    expect(await retrieve(id)).toMatchObject(outcome);
  });

  test.each([
    ['an hour', HOUR, 22],
    ['thirty days', 30 * DAY, 23],
  ])('of %s is polled by ever other instances, and once more if it lives longer', async (_, seconds, most) => {
    const { id } = await startSession({ expiresInSeconds: seconds });
    const end = Date.now() + 32 * DAY * 1_000;
    const stub = env.CHECKOUT_SESSIONS.getByName(id);
    for (;;) {
      const at = await runInDurableObject(stub, (_session, { storage }) => storage.getAlarm());
      if (at === null || at > end) break;
      vi.setSystemTime(Math.max(Date.now(), at));
      await evictDurableObject(stub);
      const info = { isRetry: false, retryCount: 0, scheduledTime: at };
      await runInDurableObject(env.CHECKOUT_SESSIONS.getByName(id), (session) => session.alarm(info));
    }
    expect(fakes.upstream.count('paystatus')).toBe(most);
    expect(await retrieve(id)).toMatchObject({ status: 'expired' });
  });
});

const WAITING = { status: 'pending', final: false, returned: true, nextPollMs: 60_000 };

test.each(['before', 'after'])(
  'one who comes back %s the attempt was given up waits, is offered nothing to pay, and can start nothing',
  async (when) => {
    const { id, clientSecret, path } = await startedLink();
    if (when === 'before') {
      await comeBack(id, 'success');
      passSeconds(5);
      // Whoever opens the page once more is led on to it, and has come back all the same.
      expect((await submit(path)).headers.get('location')).toMatch(/^https:\/\/view\.test\/payment/);
    }
    await poll(id, HOUR);
    expect(await poll(id, 0)).toMatchObject({ status: 'open', final: false, attempts: [{ status: 'abandoned' }] });
    if (when === 'after') await comeBack(id, 'success');
    passSeconds(5);
    expect(await viewOf(clientSecret)).toMatchObject(WAITING);
    for (const address of [path, fakes.upstream.returnPath(id, 'success').replace('success', 'start')]) {
      const page = await (await send(address)).text();
      expect(page).toContain('Not finished yet');
      expect(page).toMatch(/http-equiv="refresh" content="60/);
      expect(page).not.toContain('<form');
    }
    const answers = [await startAttempt({ clientSecret }), await submit(path)];
    expect(answers.map(({ status }) => status)).toEqual([409, 409]);
    const [problem, page] = answers;
    expect(await problem?.json()).toMatchObject({ code: 'session_not_open', resource: id });
    expect(await page?.text()).not.toMatch(/<form|role="alert"/);
    expect(fakes.upstream.count('initpayNoIframe')).toBe(1);
  },
);

test('one who comes back from an older page than that under way is not led on there', async () => {
  const { id, clientSecret, path } = await startedLink();
  const older = fakes.upstream.returnPath(id, 'success');
  await poll(id, HOUR);
  expect((await startAttempt({ clientSecret })).status).toBe(200);
  await send(older);
  passSeconds(5);
  expect(await viewOf(clientSecret)).toMatchObject({ ...WAITING, nextPollMs: 2_500 });
  expect(await (await send(path)).text()).not.toContain('<form');
  expect((await startAttempt({ clientSecret })).status).toBe(409);
});
