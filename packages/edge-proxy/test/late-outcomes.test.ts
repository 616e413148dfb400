/** What shows after an attempt has ended: late money, attempts that nobody finished, figures that contradict. */

import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import {
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
import { heldAnswer, killOperation } from '../test-support/money.ts';
import { eventsOf, passSeconds, poll, runSessionAlarm } from '../test-support/objects.ts';

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

/** How often its state was asked for. Sessions of earlier tests may still be looking. */
function pollsOf(id: string): number {
  const { requestID } = fakes.upstream.of(id);
  return fakes.upstream.requests.filter(
    ({ operation, url }) => operation === 'paystatus' && url.searchParams.get('requestid') === requestID,
  ).length;
}

function comeBack(id: string, through: 'success' | 'abort'): Promise<Response> {
  return send(fakes.upstream.returnPath(id, through));
}

type Ending = 'failed' | 'canceled' | 'abandoned';

/** A session whose attempt has ended without money. */
async function ended(ending: Ending): Promise<Json & { id: string; clientSecret: string }> {
  const session = await startSession({ expiresInSeconds: 30 * DAY });
  if (ending === 'abandoned') await poll(session.id, HOUR);
  else fakes.upstream.fail(session.id);
  if (ending === 'canceled') await comeBack(session.id, 'abort');
  if (ending === 'failed') {
    await poll(session.id);
    await poll(session.id, 5);
  }
  const now = await retrieve(session.id);
  expect(now).toMatchObject({ status: 'open', attempts: [{ status: ending, late: false, recorded: null }] });
  return { ...session, ...now, id: session.id };
}

/** Types and states of a session's events, as the feed tells them. */
async function told(id: string): Promise<unknown[]> {
  return (await eventsOf(id)).map(({ type, data }) => [type, data.object.late]);
}

function refresh(id: string): Promise<Response> {
  return merchant(`/v1/checkout-sessions/${id}/refresh`, { method: 'POST' });
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
  const view = await (await guest('/v1/checkout', session.clientSecret)).json();
  expect(view).toMatchObject({ status: 'open', error: { code }, nextPollMs: null });
});

describe.each(['failed', 'canceled', 'abandoned'] as const)('after an attempt that %s', (ending) => {
  test('a payment that shows later is a late success, with an event of its own', async () => {
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
  });

  test('a record of other money makes it unknown, with an event', async () => {
    const { id } = await ended(ending);
    fakes.upstream.pay(id, { amount: 13_000 });
    fakes.upstream.of(id).state = 2;
    expect(await poll(id, 5 * MINUTE)).toMatchObject({ status: 'open', attempts: [{ status: ending }] });
    expect(await poll(id, 5)).toMatchObject({
      status: 'unknown',
      final: false,
      completedAt: null,
      attempts: [{ status: 'unknown', recorded: { amount: { value: 13_000, currency: 'EUR' } } }],
    });
    expect((await told(id)).at(-1)).toEqual(['checkout.unknown', false]);
    fakes.upstream.pay(id);
    expect(await poll(id, HOUR)).toMatchObject({
      status: 'succeeded',
      late: true,
      attempts: [{ recorded: null }],
    });
  });

  test('a guest who comes back makes it look at once', async () => {
    const { id } = await ended(ending);
    fakes.upstream.pay(id);
    passSeconds(5);
    await comeBack(id, 'success');
    expect(await retrieve(id)).toMatchObject({ status: 'succeeded', late: true });
  });

  test('a refresh polls however long ago it was, and one that finds the end again plans nothing', async () => {
    const { id } = await ended(ending);
    for (const days of [1, 1, 1, 37]) await poll(id, days * DAY);
    fakes.upstream.fail(id);
    await refresh(id);
    passSeconds(10);
    await runSessionAlarm(id);
    passSeconds(3 * DAY);
    await runSessionAlarm(id);
    const reads = pollsOf(id);
    await poll(id, 3 * DAY);
    expect(pollsOf(id)).toBe(reads);
    fakes.upstream.pay(id);
    expect(await (await refresh(id)).json()).toMatchObject({ status: 'succeeded', late: true });
  });
});

test.each(['failed', 'canceled'] as const)(
  'a guest who comes back as having paid after an attempt was %s waits',
  async (ending) => {
    const { id, clientSecret } = await ended(ending);
    passSeconds(5);
    const page = await comeBack(id, 'success');
    expect(await page.text()).not.toContain('Try again');
    const view = await (await guest('/v1/checkout', clientSecret)).json();
    expect(view).toMatchObject({ status: 'pending', returned: true, error: null });
    expect((await startAttempt({ clientSecret })).status).toBe(409);
    // The page of the cancel is only loaded once more.
    await comeBack(id, 'abort');
    const waits = ending === 'canceled';
    const later = await (await guest('/v1/checkout', clientSecret)).json();
    expect(later).toMatchObject({ status: waits ? 'pending' : 'open', returned: waits });
    passSeconds(15 * MINUTE);
    expect(await (await guest('/v1/checkout', clientSecret)).json()).toMatchObject({ status: 'open', returned: false });
    // Another visit, of one who had given up: believed anew, and asked about whenever somebody looks.
    await comeBack(id, 'success');
    fakes.upstream.pay(id);
    passSeconds(MINUTE);
    const { status } = await (await guest('/v1/checkout', clientSecret)).json<Json>();
    expect(status).toBe(waits ? 'open' : 'succeeded');
  },
);

test.each(['paystatus', 'transaction'] as const)(
  'a poll is made by the next instance when the one that the guest returned to dies in its %s',
  async (call) => {
    const { id } = await ended('failed');
    for (const seconds of [MINUTE, 10 * MINUTE, HOUR, DAY]) await poll(id, seconds);
    fakes.upstream.pay(id);
    const held = heldAnswer(() => new Response(null, { status: 503 }));
    if (call === 'transaction') fakes.upstream.overrides.paystatus = () => new Response(null, { status: 503 });
    fakes.upstream.overrides[call] = held.answer;
    const before = fakes.upstream.count(call);
    const answer = comeBack(id, 'success').catch(() => undefined);
    // The poll waits up to a second for its turn.
    await expect.poll(() => fakes.upstream.count(call)).toBeGreaterThan(before);
    await killOperation(id);
    held.give();
    await answer;
    fakes.upstream.overrides = {};
    expect(await poll(id, 5 * MINUTE)).toMatchObject({ status: 'succeeded', late: true });
  },
);

describe('an abandoned attempt', () => {
  async function startedLink(): Promise<{ id: string; path: string; viewUrl: string | null }> {
    const { id } = await createSession({ expiresInSeconds: 30 * DAY });
    const path = await paymentLink(id);
    return { id, path, viewUrl: (await submit(path)).headers.get('location') };
  }

  test('ends an hour after the last sign of its guest', async () => {
    const { id, path, viewUrl } = await startedLink();
    expect(await poll(id, 59 * MINUTE)).toMatchObject({ status: 'pending' });
    expect((await submit(path)).headers.get('location')).toBe(viewUrl);
    expect(await poll(id, 59 * MINUTE)).toMatchObject({ status: 'pending' });
    await comeBack(id, 'abort');
    expect(await poll(id, 59 * MINUTE)).toMatchObject({ status: 'pending' });
    expect(await poll(id, 5 * MINUTE)).toMatchObject({ status: 'open', attempts: [{ status: 'abandoned' }] });
    const [next, same] = [await submit(path), await submit(path)].map(({ headers }) => headers.get('location'));
    expect(next).not.toBe(viewUrl);
    expect(same).toBe(next);
  });

  test('gives way to another one also when its alarm is late', async () => {
    const { id, path, viewUrl } = await startedLink();
    passSeconds(HOUR);
    expect((await submit(path)).headers.get('location')).not.toBe(viewUrl);
    expect(await retrieve(id)).toMatchObject({ attempts: [{ status: 'abandoned' }, { status: 'pending' }] });
  });

  test.each([
    ['paid', {}, 'Payment received'],
    ['in doubt', { amount: 1 }, 'We don’t know yet whether the payment went through'],
  ])('that turns out to be %s keeps the guest from paying again', async (_, record, heading) => {
    const { id, path } = await startedLink();
    await poll(id, HOUR);
    expect(await (await send(path)).text()).toContain('Pay now');
    fakes.upstream.pay(id, record);
    await poll(id, MINUTE);
    await poll(id, 5);
    const page = await (await send(path)).text();
    expect(page).toContain(heading);
    expect(page).not.toContain('<form');
    expect((await submit(path)).status).toBe(409);
    expect(fakes.upstream.count('initpayNoIframe')).toBe(1);
  });

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
    await poll(id, seconds);
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
