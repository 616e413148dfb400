/** What the objects of sessions, charges and reversals answer when they hold nothing, nothing of the caller's, or nothing yet. */

import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { LedgerObject } from '../src/ledger/ledger-object.ts';
import type { MoneyOperationObject } from '../src/money/money-operation-object.ts';
import { CheckoutSessionObject } from '../src/sessions/checkout-session-object.ts';
import {
  createSession,
  guest,
  type Json,
  merchant,
  retrieve,
  startAttempt,
  startSession,
} from '../test-support/client.ts';
import {
  charge,
  heldAnswer,
  NEW_CHARGE,
  planOfTomorrow,
  postCharge,
  postReversal,
  read,
  runDue,
  storedTasks,
  storedText,
  useMoneyFakes,
} from '../test-support/money.ts';
import { ids, passSeconds, runSessionAlarm } from '../test-support/objects.ts';
import { ACTOR } from '../test-support/records.ts';

const fakes = useMoneyFakes('OBJECT');
const START = { terms: 1, publicUrl: '' };
const SHARE = { id: 'rv_1', attempt: null, amount: null, epoch: 1 };
const CALLER = { secretHash: 'none', origin: null, publicOrigin: 'https://proxy.test' };
const NOT_FOUND = { ok: false, code: 'not_found' };

function inSession<Result>(id: string, act: (object: CheckoutSessionObject) => Promise<Result>): Promise<Result> {
  return runInDurableObject(env.CHECKOUT_SESSIONS.getByName(id), act);
}

function inOperation<Result>(id: string, act: (object: MoneyOperationObject) => Promise<Result>): Promise<Result> {
  return runInDurableObject(env.MONEY_OPERATIONS.getByName(id), act);
}

function expire(id: string): Promise<Response> {
  return merchant(`/v1/checkout-sessions/${id}/expire`, { method: 'POST' });
}

const made = (hash: string, key: string | null = null) => ({ hash, key });

/** A method's name, a call of it, and the answer. */
type Answered<Caller> = readonly [string, (object: Caller) => Promise<unknown>, unknown];

const OF_A_PROPERTY: readonly [string, (object: CheckoutSessionObject, property: string) => Promise<unknown>][] = [
  ['retrieve', (object, property) => object.retrieve(property)],
  ['expire', (object, property) => object.expire(property, ACTOR)],
  ['refresh', (object, property) => object.refresh(property)],
  [
    'resolve',
    (object, property) =>
      object.resolve(property, { status: 'failed', evidence: 'portal', transactionId: null, attempt: null }, ACTOR),
  ],
  ['clientSecret', (object, property) => object.clientSecret(property, { rotate: true })],
  ['addLink', (object, property) => object.addLink(property, made('link'), ACTOR)],
  ['revokeLinks', (object, property) => object.revokeLinks(property, ACTOR)],
  ['reserveReversal', (object, property) => object.reserveReversal(property, SHARE)],
  ['settleReversal', (object, property) => object.settleReversal(property, SHARE.id, 'released', 1)],
];

describe('of a session', () => {
  test.each<Answered<CheckoutSessionObject>>([
    ...OF_A_PROPERTY.map(
      ([name, call]): Answered<CheckoutSessionObject> => [
        name,
        (object) => call(object, 'aurora'),
        expect.objectContaining(NOT_FOUND),
      ],
    ),
    ['replay', (object) => object.replay('f'), { ok: true, value: null }],
    ['read', (object) => object.read(CALLER), expect.objectContaining({ ok: false, code: 'unauthorized' })],
    [
      'start',
      (object) => object.start(CALLER, { ...START, presentation: 'tab' }),
      expect.objectContaining({ ok: false, code: 'unauthorized' }),
    ],
    ['returned', (object) => object.returned('n', 'success'), expect.objectContaining(NOT_FOUND)],
    ['startAfter', (object) => object.startAfter('n', START), expect.objectContaining(NOT_FOUND)],
    ['page', (object) => object.page('link'), expect.objectContaining(NOT_FOUND)],
    ['startFromLink', (object) => object.startFromLink('link', START), expect.objectContaining(NOT_FOUND)],
    ['alarm', (object) => object.alarm(), undefined],
  ])('an object without one refuses %s, and stores nothing', async (name, call, answer) => {
    const stub = env.CHECKOUT_SESSIONS.getByName(`empty ${name}`);
    const [said, tables] = await runInDurableObject(stub, async (object, { storage }) => [
      await call(object),
      storage.sql.exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'").toArray(),
    ]);
    expect(said).toEqual(answer);
    expect(tables).toEqual([]);
  });

  test.each(OF_A_PROPERTY)('another hotel cannot %s it', async (_name, call) => {
    const session = await startSession({ reference: fakes.reference });
    expect(await inSession(session.id, (object) => call(object, 'borealis'))).toMatchObject(NOT_FOUND);
    expect((await guest('/v1/checkout', session.clientSecret)).status).toBe(200);
    expect(await retrieve(session.id)).toMatchObject({ status: 'pending', seq: 2 });
  });

  test('that was never started nobody comes back from, and nobody starts again after it', async () => {
    const { id } = await createSession({ reference: fakes.reference });
    expect(await inSession(id, (object) => object.returned('n', 'success'))).toMatchObject(NOT_FOUND);
    expect(await inSession(id, (object) => object.startAfter('n', START))).toMatchObject(NOT_FOUND);
  });

  test('what a newer version has planned is no longer due', async () => {
    const { id } = await createSession({ reference: fakes.reference });
    const planned = await storedTasks(id);
    await planOfTomorrow(id);
    await runDue(id, 'of_tomorrow');
    expect(await storedTasks(id)).toEqual(planned);
  });

  test('a deadline that passes while it is being started waits for the answer', async () => {
    const session = await createSession({ reference: fakes.reference, expiresInSeconds: 60 });
    const held = fakes.upstream.hold('initpayNoIframe', () => new Response(null, { status: 500 }));
    const starting = startAttempt(session, { presentation: 'tab' });
    while (fakes.upstream.count('initpayNoIframe') === 0) await scheduler.wait(5);
    passSeconds(61);
    const ringing = runSessionAlarm(session.id);
    expect(await retrieve(session.id)).toMatchObject({ status: 'open' });
    held.release();
    expect((await starting).status).toBe(502);
    await ringing;
    expect(await retrieve(session.id)).toMatchObject({ status: 'expired' });
  });

  test('one that nobody started in time can be expired, and its page shows that it has, before its alarm', async () => {
    vi.spyOn(CheckoutSessionObject.prototype, 'alarm').mockResolvedValue();
    const { id } = await createSession({ reference: fakes.reference, expiresInSeconds: 60 });
    await inSession(id, (object) => object.addLink('aurora', made('link'), ACTOR));
    passSeconds(61);
    const page = await inSession(id, (object) => object.page('link'));
    expect(page).toMatchObject({ value: { view: { status: 'expired' }, mayStart: false } });
    expect((await expire(id)).status).toBe(409);
  });

  test('a link that was taken back leads nowhere, and is not made again by a repeated call', async () => {
    const { id } = await createSession({ reference: fakes.reference });
    const add = () => inSession(id, (object) => object.addLink('aurora', made('link', 'link k'), ACTOR));
    const page = () => inSession(id, (object) => object.page('link'));
    expect(await add()).toMatchObject({ ok: true, value: { isReplay: false } });
    expect(await page()).toMatchObject({ ok: true, value: { view: { id }, mayStart: true } });
    const taken = await inSession(id, (object) => object.revokeLinks('aurora', ACTOR));
    expect(taken).toMatchObject({ ok: true, value: { id, status: 'open' } });
    expect(await add()).toMatchObject({ ok: true, value: { isReplay: true } });
    expect(await page()).toMatchObject(NOT_FOUND);
  });

  test('a share of it that nobody holds can be settled all the same', async () => {
    const { id } = await createSession({ reference: fakes.reference });
    const settled = await inSession(id, (object) => object.settleReversal('aurora', 'rv_of_another', 'released', 1));
    expect(settled).toEqual({ ok: true, value: null });
  });
});

describe('of a charge or a reversal', () => {
  const RESOLUTION = { status: 'failed', evidence: 'portal', transactionId: null } as const;
  const BY_ACTOR = { actor: ACTOR, fourEyes: false };
  const ofProperty: readonly [string, (object: MoneyOperationObject, property: string) => Promise<unknown>][] = [
    ['retrieve', (object, property) => object.retrieve(property)],
    ['resolve', (object, property) => object.resolve(property, RESOLUTION, BY_ACTOR)],
    ['reserveReversal', (object, property) => object.reserveReversal(property, SHARE)],
    ['settleReversal', (object, property) => object.settleReversal(property, SHARE.id, 'released', 1)],
  ];

  test.each<Answered<MoneyOperationObject>>([
    ...ofProperty.map(
      ([name, call]): Answered<MoneyOperationObject> => [
        name,
        (object) => call(object, 'aurora'),
        expect.objectContaining(NOT_FOUND),
      ],
    ),
    ['replay', (object) => object.replay('ch_1', 'f'), { ok: true, value: null }],
    ['duplicateRisk', (object) => object.duplicateRisk(), null],
    ['alarm', (object) => object.alarm(), undefined],
  ])('an object without one refuses %s, and stores nothing', async (name, call, answer) => {
    expect(await inOperation(`empty ${name}`, (object) => call(object))).toEqual(answer);
    expect(await storedText(`empty ${name}`)).toBe('');
  });

  test.each(ofProperty)('another hotel cannot %s it', async (_name, call) => {
    fakes.upstream.overrides.pay = () => new Response('no', { status: 500 });
    const { id } = await charge(fakes.key(), { reference: fakes.reference });
    expect(await inOperation(id, (object) => call(object, 'borealis'))).toMatchObject(NOT_FOUND);
    expect(await read(id)).toMatchObject({ status: 'unknown', seq: 3 });
  });

  test('a hotel whose settings cannot be used charges nobody, and nothing is stored', async () => {
    const id = await ids.derive('ch', [fakes.reference]);
    const asked = { ...NEW_CHARGE, property: 'broken', id, reference: fakes.reference, createdAt: Date.now() };
    const options = { fingerprint: 'f', token: 'T', allowDuplicate: false };
    expect(await inOperation(id, (object) => object.charge(asked, options))).toMatchObject({
      ok: false,
      code: 'property_unavailable',
      param: 'timeZone',
    });
    expect(await storedText(id)).toBe('');
  });

  test('what is certain cannot be resolved, and the refusal names it', async () => {
    const { id } = await charge(fakes.key(), { reference: fakes.reference });
    expect(await inOperation(id, (object) => object.resolve('aurora', RESOLUTION, BY_ACTOR))).toEqual({
      ok: false,
      code: 'not_resolvable',
      detail: 'Only an unknown outcome can be resolved',
      resource: id,
    });
  });

  test('a share settled at a reversal, which is no payment, changes nothing', async () => {
    const paid = await charge(fakes.key('paid'), { reference: fakes.reference });
    const { id } = await (await postReversal(fakes.key('r'), { payment: paid.id })).json<{ id: string }>();
    const settled = await inOperation(id, (object) => object.settleReversal('aurora', 'rv_of_another', 'released', 1));
    expect(settled).toEqual({ ok: true, value: null });
    expect(await storedText(id)).not.toContain('rv_of_another');
  });

  test('what a newer version has planned is no longer due, and nothing else is done', async () => {
    const { id } = await charge(fakes.key(), { reference: fakes.reference });
    const planned = await storedTasks(id);
    await planOfTomorrow(id);
    await runDue(id, 'of_tomorrow');
    expect(await storedTasks(id)).toEqual(planned);
    expect(fakes.upstream.count('pay')).toBe(1);
  });

  test('the first call is waited for during 25 seconds; after that the same request gets what there is', async () => {
    const held = heldAnswer();
    fakes.upstream.overrides.pay = held.answer;
    const id = await ids.derive('ch', [fakes.reference]);
    const asked = { ...NEW_CHARGE, id, reference: fakes.reference, createdAt: Date.now() };
    const first = env.MONEY_OPERATIONS.getByName(id).charge(asked, {
      fingerprint: 'f',
      token: 'T',
      allowDuplicate: false,
    });
    while (fakes.upstream.count('pay') === 0) await scheduler.wait(5);
    const replay = () => inOperation(id, (object) => object.replay(id, 'f'));
    vi.setSystemTime(asked.createdAt + 24_999);
    expect(await replay()).toMatchObject({ ok: false, code: 'idempotency_in_progress', resource: id });
    vi.setSystemTime(asked.createdAt + 25_000);
    expect(await replay()).toMatchObject({ ok: true, value: { isReplay: true, operation: { status: 'sent' } } });
    held.give();
    expect(await first).toMatchObject({ ok: true, value: { isReplay: false, operation: { status: 'succeeded' } } });
    expect(await replay()).toMatchObject({ ok: true, value: { isReplay: true, operation: { status: 'succeeded' } } });
  });

  test('a ledger that is away keeps no charge from being sent, and hears of it later', async () => {
    const spy = vi.spyOn(LedgerObject.prototype, 'append').mockRejectedValue(new Error('away'));
    expect((await postCharge(fakes.key(), { reference: fakes.reference })).status).toBe(201);
    spy.mockRestore();
    const id = await ids.derive('ch', ['aurora', 'charge', fakes.key()]);
    await runDue(id, 'updates');
    const list = await merchant(`/v1/charges?reference=${fakes.reference}`);
    expect(await list.json<Json>()).toMatchObject({ data: [{ id, status: 'succeeded' }] });
  });
});
