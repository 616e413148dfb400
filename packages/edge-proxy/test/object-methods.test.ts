/** What the objects of sessions, charges and reversals answer when they hold nothing, nothing of the caller's, or nothing yet. */

import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import type { MoneyOperationObject } from '../src/money/money-operation-object.ts';
import type { CheckoutSessionObject } from '../src/sessions/checkout-session-object.ts';
import { createSession, guest, type Json, retrieve, startSession } from '../test-support/client.ts';
import {
  charge,
  heldAnswer,
  NEW_CHARGE,
  planOfTomorrow,
  postReversal,
  read,
  runDue,
  storedTasks,
  storedText,
  useMoneyFakes,
} from '../test-support/money.ts';
import { ids } from '../test-support/objects.ts';
import { ACTOR } from '../test-support/records.ts';
import { endTimeLimit } from '../test-support/time-limit.ts';

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

const made = (hash: string, key: string | null = null) => ({ hash, key });

/** A method's name, and a call of it. */
type Calls<Caller> = readonly (readonly [string, (object: Caller, property: string) => Promise<unknown>])[];

/** Calls the methods of an object one after the other; what each answers, by its name. */
async function answers<Caller>(object: Caller, calls: Calls<Caller>, property = 'aurora'): Promise<Json> {
  const said: Json = {};
  for (const [name, call] of calls) said[name] = await call(object, property);
  return said;
}

/** All of them refused as unknown. */
const notFound = (calls: Calls<never>): Json =>
  Object.fromEntries(calls.map(([name]) => [name, expect.objectContaining(NOT_FOUND)]));

const OF_A_PROPERTY: Calls<CheckoutSessionObject> = [
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
  ['redact', (object, property) => object.redact(property, ACTOR)],
  ['reserveReversal', (object, property) => object.reserveReversal(property, SHARE)],
  ['settleReversal', (object, property) => object.settleReversal(property, SHARE.id, 'released', 1)],
];

describe('of a session', () => {
  const UNAUTHORIZED = { ok: false, code: 'unauthorized' };
  const OF_NOBODY: Calls<CheckoutSessionObject> = [
    ['replay', (object) => object.replay('f')],
    ['read', (object) => object.read(CALLER)],
    ['start', (object) => object.start(CALLER, { ...START, presentation: 'tab' })],
    ['returned', (object) => object.returned('n', 'success')],
    ['startAfter', (object) => object.startAfter('n', START)],
    ['page', (object) => object.page('link')],
    ['startFromLink', (object) => object.startFromLink('link', START)],
    ['alarm', (object) => object.alarm()],
  ];

  test('an object without one refuses everything, and stores nothing', async () => {
    const calls = [...OF_A_PROPERTY, ...OF_NOBODY];
    expect(await inSession('cs_empty', (object) => answers(object, calls))).toEqual({
      ...notFound(calls),
      replay: { ok: true, value: null },
      read: expect.objectContaining(UNAUTHORIZED),
      start: expect.objectContaining(UNAUTHORIZED),
      alarm: undefined,
    });
    expect(await storedText('cs_empty')).toBe('');
  });

  test('another hotel can do nothing with it', async () => {
    const session = await startSession({ reference: fakes.reference });
    const said = await inSession(session.id, (object) => answers(object, OF_A_PROPERTY, 'borealis'));
    expect(said).toEqual(notFound(OF_A_PROPERTY));
    expect((await guest('/v1/checkout', session.clientSecret)).status).toBe(200);
    expect(await retrieve(session.id)).toMatchObject({ status: 'pending', seq: 2 });
  });
});

describe('of a charge or a reversal', () => {
  const RESOLUTION = { status: 'failed', evidence: 'portal', transactionId: null } as const;
  const BY_ACTOR = { actor: ACTOR, fourEyes: false };
  const ofProperty: Calls<MoneyOperationObject> = [
    ['retrieve', (object, property) => object.retrieve(property)],
    ['resolve', (object, property) => object.resolve(property, RESOLUTION, BY_ACTOR)],
    ['redact', (object, property) => object.redact(property, ACTOR)],
    ['reserveReversal', (object, property) => object.reserveReversal(property, SHARE)],
    ['settleReversal', (object, property) => object.settleReversal(property, SHARE.id, 'released', 1)],
  ];

  const ofNobody: Calls<MoneyOperationObject> = [
    ['replay', (object) => object.replay('ch_1', 'f')],
    ['duplicateRisk', (object) => object.duplicateRisk()],
    ['alarm', (object) => object.alarm()],
  ];

  test('an object without one refuses everything, and stores nothing', async () => {
    const said = await inOperation('ch_empty', (object) => answers(object, [...ofProperty, ...ofNobody]));
    const nothing = { replay: { ok: true, value: null }, duplicateRisk: null, alarm: undefined };
    expect(said).toEqual({ ...notFound(ofProperty), ...nothing });
    expect(await storedText('ch_empty')).toBe('');
  });

  test('another hotel can do nothing with it', async () => {
    fakes.upstream.overrides.pay = () => new Response('no', { status: 500 });
    const { id } = await charge(fakes.key(), { reference: fakes.reference });
    const said = await inOperation(id, (object) => answers(object, ofProperty, 'borealis'));
    expect(said).toEqual(notFound(ofProperty));
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

  test('a share settled at a reversal, which is no payment, changes nothing', async () => {
    const paid = await charge(fakes.key('paid'), { reference: fakes.reference });
    const { id } = await (await postReversal(fakes.key('r'), { payment: paid.id })).json<{ id: string }>();
    const settled = await inOperation(id, (object) => object.settleReversal('aurora', 'rv_of_another', 'released', 1));
    expect(settled).toEqual({ ok: true, value: null });
    expect(await storedText(id)).not.toContain('rv_of_another');
  });

  test('the first call is waited for during 25 seconds; after that the same request gets what there is, which changes later', async () => {
    const held = heldAnswer();
    fakes.upstream.overrides.pay = held.answer;
    let isOver = false;
    endTimeLimit(25_000, () => isOver);
    const id = await ids.derive('ch', [fakes.reference]);
    const asked = { ...NEW_CHARGE, id, reference: fakes.reference, createdAt: Date.now() };
    const options = { fingerprint: 'f', token: 'T', allowDuplicate: false };
    const first = env.MONEY_OPERATIONS.getByName(id).charge(asked, options);
    while (fakes.upstream.count('pay') === 0) await scheduler.wait(5);
    const replay = () => inOperation(id, (object) => object.replay(id, 'f'));
    vi.setSystemTime(asked.createdAt + 24_999);
    expect(await replay()).toMatchObject({ ok: false, code: 'idempotency_in_progress', resource: id });
    vi.setSystemTime(asked.createdAt + 25_000);
    expect(await replay()).toMatchObject({ ok: true, value: { isReplay: true, operation: { status: 'sent' } } });
    isOver = true;
    const operation = { status: 'sent', final: false, seq: 2 };
    expect(await first).toMatchObject({ ok: true, value: { isReplay: false, operation } });
    held.give();
    await expect.poll(() => read(id)).toMatchObject({ status: 'succeeded', transactionId: 'LATE' });
    expect(fakes.upstream.count('pay')).toBe(1);
  });
});

test.each([
  ['a session', async () => (await createSession({ reference: fakes.reference })).id, 0],
  ['a charge', async () => (await charge(fakes.key(), { reference: fakes.reference })).id, 1],
])('what a newer version has planned for %s is no longer due, and nothing else is done', async (_what, make, sent) => {
  const id = await make();
  const planned = await storedTasks(id);
  await planOfTomorrow(id);
  await runDue(id, 'of_tomorrow');
  expect(await storedTasks(id)).toEqual(planned);
  expect(fakes.upstream.count('pay')).toBe(sent);
});
