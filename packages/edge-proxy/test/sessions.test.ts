import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { PATIENT } from '../../../scripts/test-limits.ts';
import { unseal } from '../src/http/seal.ts';
import { ClientSecrets } from '../src/sessions/client-secrets.ts';
import {
  type Created,
  createSession,
  guest,
  type Json,
  merchant,
  PAYMENT,
  paymentLink,
  retrieve,
  send,
  startAttempt,
  startSession,
  submit,
} from '../test-support/client.ts';
import { KEYS, PLATFORM_KEYS, SEALING_KEY } from '../test-support/environment.ts';
import { useFakes } from '../test-support/harness.ts';
import { killOperation } from '../test-support/money.ts';
import { holdMethod, passSeconds, poll, runLedgerAlarm, runSessionAlarm } from '../test-support/objects.ts';
import { expectProblem } from '../test-support/problem.ts';

const fakes = useFakes();
const CARD: Json = { kind: 'card', amount: undefined };
const HOUR = 60 * 60;
const DAY = 24 * HOUR;
const isDown = () => new Response(null, { status: 503 });

function expire({ id }: { id: string }): Promise<Response> {
  return merchant(`/v1/checkout-sessions/${id}/expire`, { method: 'POST' });
}

describe('deadlines', () => {
  test('one whose alarm is late expires with whoever asks', async () => {
    const made = await Promise.all([1, 2, 3, 4, 5].map(() => createSession({ expiresInSeconds: 60 })));
    const [read, shown, linked, refreshed, ended] = made;
    passSeconds(61);
    const over = { status: 'expired', final: true, seq: 2 };
    expect(await retrieve(String(read?.id))).toMatchObject(over);
    const refreshing = merchant(`/v1/checkout-sessions/${refreshed?.id}/refresh`, { method: 'POST' });
    expect(await (await refreshing).json()).toMatchObject(over);
    expect(await (await guest('/v1/checkout', String(shown?.clientSecret))).json()).toMatchObject({
      status: 'expired',
    });
    expect((await merchant(`/v1/checkout-sessions/${linked?.id}/link`, { method: 'POST' })).status).toBe(409);
    expect((await expire(ended as Created)).status).toBe(409);
  });

  test('an open session can be expired by hand, a pending one cannot', async () => {
    const open = await createSession();
    expect(await (await expire(open)).json()).toMatchObject({ status: 'expired', final: true });
    const ended = { endedAt: expect.any(String), endedBy: { key: 'web', person: null, via: 'key' } };
    expect(await retrieve(open.id)).toMatchObject(ended);
    await vi.waitFor(async () => {
      const shown = await (await merchant(`/v1/payments/${open.id}`)).json<Json>();
      expect(shown).toMatchObject({ status: 'expired', ...ended });
    }, PATIENT);
    expect((await expire(open)).status).toBe(409);
    const pending = await startSession();
    await expectProblem(expire(pending), 409, { code: 'payment_in_progress', resource: pending.id });
  });

  test('a session that is being started cannot be expired by hand', async () => {
    const session = await createSession();
    const held = fakes.upstream.hold('initpayNoIframe', () => new Response(null, { status: 500 }));
    const starting = startAttempt(session);
    await expect.poll(() => fakes.upstream.count('initpayNoIframe')).toBe(1);
    expect((await expire(session)).status).toBe(409);
    held.release();
    expect((await starting).status).toBe(502);
  });
});

describe('kind card', () => {
  test('has its token sealed by the newest key when its hotel is', async () => {
    const { id } = await startSession(CARD);
    fakes.upstream.pay(id);
    await poll(id);
    await runLedgerAlarm();
    const stub = env.CHECKOUT_SESSIONS.getByName(id);
    const newer = 'ab'.repeat(32);
    const spy = await runInDurableObject(stub, (object) => {
      // The bindings of the objects, which are those of the worker.
      const bindings = (object as unknown as { env: { SEALING_KEYS: string } }).env;
      return vi.spyOn(bindings, 'SEALING_KEYS', 'get').mockReturnValue(`${newer} ${SEALING_KEY}`);
    });
    const reseal = async () =>
      (await merchant('/v1/properties/aurora/reseal', { method: 'POST', key: PLATFORM_KEYS.all })).json<Json>();
    const first = await reseal();
    const sealingKeys = expect.stringMatching(/^[0-9a-f]{16}$/);
    expect(first).toMatchObject({ resealed: 0, nextCursor: null, sealingKeys });
    expect(first.cards).toBeGreaterThan(0);
    expect(await reseal()).toMatchObject({ cards: 0 });
    spy.mockRestore();
    const { sealed } = await runInDurableObject(stub, (_, { storage: { sql } }) => {
      const path = '$.record.attempts[0].result.sealedToken';
      return sql.exec<{ sealed: string }>('SELECT body ->> ? AS sealed FROM object', path).one();
    });
    expect(await unseal(sealed, `card-token:aurora:${id}-1`, [newer])).toBe('TOKEN-SECRET-9876');
  });
});

/** Days after which it is there, each after the one before, and gone after the last. */
test.each<[string, Json, readonly number[], number?]>([
  ['for as long as its hotel says', {}, [799, 8]],
  // Erasing the card comes before erasing the rest.
  ['for as long as its card is kept', CARD, [801, 198, 8]],
  ['for as long from when it was paid, however long after it was made', {}, [799, 2], 390],
])('a session is kept %s', async (what, overrides, steps, paidAfter = 0) => {
  const key = KEYS.borealis;
  const body = { ...PAYMENT, ...overrides, returnUrl: 'https://borealis.test/' };
  const path = `/v1/checkout-sessions/by-key/${what.replaceAll(/\W+/g, '-')}`;
  const put = () => merchant(path, { key, method: 'PUT', body });
  await put();
  passSeconds(paidAfter * 86_400);
  const session = await (await put()).json<Created>();
  await startAttempt(session, { origin: 'https://borealis.test' });
  fakes.upstream.pay(session.id, overrides === CARD ? { tokenValidUntil: '2099-12-31' } : {});
  passSeconds(30);
  await runSessionAlarm(session.id);
  // The runtime keeps each alarm in memory: a payment that is over has none.
  const alarm = await runInDurableObject(env.CHECKOUT_SESSIONS.getByName(session.id), (_, { storage }) =>
    storage.getAlarm(),
  );
  expect(alarm === null).toBe(overrides !== CARD);
  for (const [nth, days] of steps.entries()) {
    passSeconds(days * 86_400);
    if (overrides === CARD) await runSessionAlarm(session.id);
    await runLedgerAlarm('borealis');
    const { status } = await merchant(`/v1/checkout-sessions/${session.id}`, { key });
    expect([nth, status]).toEqual([nth, nth === steps.length - 1 ? 404 : 200]);
  }
});

/** The session as its guest sees it. */
async function viewOf(clientSecret: string): Promise<Json> {
  return (await guest('/v1/checkout', clientSecret)).json();
}

test.each([
  ['a card that was not stored', CARD, '51', 'declined', 'declined'],
  ['a refused card at a payment', {}, '51', 'declined', 'declined'],
  ['a code that leaves it open', {}, '096', 'failed', 'upstream_failed'],
])('a record of %s counts also after a return as one who has canceled', async (_, asked, returnCode, status, code) => {
  const session = await startSession(asked);
  fakes.upstream.pay(session.id, { status: '_error', returnCode, paymentObjID: undefined, token: undefined });
  fakes.upstream.fail(session.id, 'Aborted by user');
  await send(fakes.upstream.returnPath(session.id, 'abort'));
  expect(await retrieve(session.id)).toMatchObject({ status: 'open', attempts: [{ status, error: { code } }] });
  const view = await viewOf(session.clientSecret);
  expect(view).toMatchObject({ status: 'open', error: { code }, nextPollMs: null });
});

test('an abandoned attempt of a long link is asked about again when nobody answers at its end, and a press there changes nothing', async () => {
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
])(
  'an abandoned attempt of a long link that %s is asked about when the merchant ends it',
  async (what, overrides, refusal, outcome) => {
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
  },
);

test('one who comes back from an older page than that under way is not led on there', async () => {
  const { id, clientSecret } = await createSession({ expiresInSeconds: 30 * DAY });
  const path = await paymentLink(id);
  await submit(path);
  const older = fakes.upstream.returnPath(id, 'success');
  await poll(id, HOUR);
  expect((await startAttempt({ clientSecret })).status).toBe(200);
  await send(older);
  passSeconds(5);
  const waiting = { status: 'pending', final: false, returned: true, nextPollMs: 2_500 };
  expect(await viewOf(clientSecret)).toMatchObject(waiting);
  expect(await (await send(path)).text()).not.toContain('<form');
  expect((await startAttempt({ clientSecret })).status).toBe(409);
});

const ensure = (key: string, body: object = {}): Promise<Response> =>
  merchant(`/v1/checkout-sessions/by-key/${key}`, { method: 'PUT', body: { ...PAYMENT, ...body } });

test.each<[string, (made: Created) => Promise<unknown>]>([
  [
    'before the old end',
    ({ id }) => {
      passSeconds(601);
      return runSessionAlarm(id);
    },
  ],
  ['for a guest who starts again', (made) => expectProblem(startAttempt(made), 409, { code: 'terms_changed' })],
])('what a hotel wanted during a start that a crash ended counts %s', async (when, comes) => {
  const key = `crash-${when.length}`;
  const made = await (await ensure(key, { expiresInSeconds: 600 })).json<Created>();
  const held = fakes.upstream.hold('initpayNoIframe');
  const starting = startAttempt(made).catch(() => undefined);
  await expect.poll(() => fakes.upstream.count('initpayNoIframe')).toBeGreaterThan(0);
  expect((await ensure(key, { expiresInSeconds: 86_400, description: '3 nights' })).status).toBe(200);
  await killOperation(made.id);
  held.release();
  await starting;
  await comes(made);
  expect(await retrieve(made.id)).toMatchObject({ status: 'open', description: '3 nights', outdated: false });
});

test('a session that is redacted while it is being opened anew stays ended', async () => {
  const made = await (await ensure('redacted')).json<Created>();
  await merchant(`/v1/checkout-sessions/${made.id}/expire`, { method: 'POST' });
  const issue = holdMethod(ClientSecrets.prototype, 'issue');
  const opening = ensure('redacted');
  await issue.isCalled();
  expect((await merchant(`/v1/checkout-sessions/${made.id}/redact`, { method: 'POST' })).status).toBe(200);
  issue.goOn();
  await expectProblem(opening, 410, { code: 'key_used' });
  expect(await retrieve(made.id)).toMatchObject({ status: 'expired' });
});
