/** How long a key and its operation live, whose they are, and what guards an operation against itself. */

import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { MoneyOperationObject } from '../src/money/money-operation-object.ts';
import { type Json, merchant } from '../test-support/client.ts';
import { KEYS } from '../test-support/environment.ts';
import {
  CHARGE,
  charge,
  postCharge,
  postReversal,
  read,
  runDue,
  storedText,
  useMoneyFakes,
} from '../test-support/money.ts';
import { ids, runLedgerAlarm } from '../test-support/objects.ts';
import { ACTOR } from '../test-support/records.ts';

const fakes = useMoneyFakes('LIFE');
const DAY_MS = 86_400_000;

test('a key stands for its charge for 400 days, and is free after that', async () => {
  const { id, createdAt } = await charge(fakes.key(), { reference: fakes.reference });
  vi.setSystemTime(Date.parse(String(createdAt)) + 400 * DAY_MS - 1_000);
  await runLedgerAlarm();
  const replay = await postCharge(fakes.key(), { reference: fakes.reference });
  expect([replay.headers.get('idempotent-replayed'), (await replay.json<Json>()).id]).toEqual(['true', id]);
  vi.setSystemTime(Date.now() + DAY_MS);
  await runLedgerAlarm();
  expect(await storedText(id)).toBe('');
  const again = await postCharge(fakes.key(), { reference: fakes.reference });
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, null]);
  expect(await again.json()).toMatchObject({ id, status: 'succeeded', transactionId: 'PAY-2' });
});

test('a charge that was resolved late is kept for 400 days from then', async () => {
  fakes.upstream.overrides.pay = () => new Response('no', { status: 500 });
  const { id, createdAt } = await charge(fakes.key(), { reference: fakes.reference });
  vi.setSystemTime(Date.parse(String(createdAt)) + 399 * DAY_MS);
  const body = { status: 'succeeded', evidence: 'portal', transactionId: 'P-1' };
  expect((await merchant(`/v1/charges/${id}/resolve`, { body })).status).toBe(200);
  const resolvedAt = Date.now();
  vi.setSystemTime(resolvedAt + 400 * DAY_MS - 1_000);
  await runLedgerAlarm();
  expect(await read(id)).toMatchObject({ status: 'succeeded', transactionId: 'P-1' });
  vi.setSystemTime(resolvedAt + 401 * DAY_MS);
  await runLedgerAlarm();
  expect(await storedText(id)).toBe('');
});

test('the same key of another hotel is another charge, and another reversal', async () => {
  const headers = { 'idempotency-key': fakes.key() };
  const made = new Set<unknown>();
  for (const property of ['aurora', 'borealis'] as const) {
    const key = KEYS[property];
    const body = { ...CHARGE, reference: fakes.reference };
    const answer = await merchant('/v1/charges', { key, body, headers });
    expect(answer.headers.get('idempotent-replayed')).toBeNull();
    const { id, ...charged } = await answer.json<Json>();
    expect(charged).toMatchObject({ property, status: 'succeeded' });
    const reversal = await merchant('/v1/reversals', { key, body: { payment: id }, headers });
    expect(await reversal.json()).toMatchObject({ property, payment: id });
    made.add(id);
  }
  expect([made.size, fakes.upstream.count('pay')]).toEqual([2, 2]);
});

test('of two people who resolve at the same time, one does', async () => {
  fakes.upstream.overrides.pay = () => new Response('no', { status: 500 });
  const { id, seq } = await charge(fakes.key(), { reference: fakes.reference });
  const by = { actor: ACTOR, fourEyes: false };
  const said = await runInDurableObject(env.MONEY_OPERATIONS.getByName(id), (object) => {
    const resolve = (status: 'succeeded' | 'failed') =>
      object.resolve('aurora', { status, evidence: 'portal', transactionId: null }, by);
    return Promise.all([resolve('succeeded'), resolve('failed')]);
  });
  expect(said.map((outcome) => (outcome.ok ? outcome.value.status : outcome.code))).toEqual([
    'succeeded',
    'not_resolvable',
  ]);
  expect(await read(id)).toMatchObject({ status: 'succeeded', seq: seq + 1 });
});

test('no claim is released while its reversal is being made', async () => {
  const { id } = await charge(fakes.key('paid'), { reference: fakes.reference });
  const ghost = await ids.derive('rv', ['aurora', 'reversal', fakes.key('r')]);
  const reserve = MoneyOperationObject.prototype.reserveReversal;
  let hasReserved = false;
  let mayGoOn = false;
  vi.spyOn(MoneyOperationObject.prototype, 'reserveReversal').mockImplementationOnce(async function (
    this: MoneyOperationObject,
    ...asked
  ) {
    const outcome = await reserve.apply(this, asked);
    hasReserved = true;
    while (!mayGoOn) await scheduler.wait(5);
    return outcome;
  });
  const made = postReversal(fakes.key('r'), { payment: id });
  await expect.poll(() => hasReserved).toBe(true);
  await runDue(ghost, 'release');
  // Nor is the key free for anything else meanwhile.
  const other = await postReversal(fakes.key('r'), { payment: id, amount: { value: 1, currency: 'EUR' } });
  expect([other.status, (await other.json<Json>()).code]).toEqual([422, 'idempotency_mismatch']);
  expect(await read(id)).toMatchObject({ reversing: { value: 8_000 } });
  mayGoOn = true;
  // The claim's minute has passed by now, so the caller does not wait for the outcome.
  expect((await made).status).toBe(202);
  await expect.poll(() => read(id)).toMatchObject({ reversed: { value: 8_000 }, reversing: { value: 0 } });
});

test('a charge is erased by its ledger alone, and not by an alarm that an earlier version has left', async () => {
  const { id } = await charge(fakes.key(), { reference: fakes.reference });
  vi.setSystemTime(Date.now() + 900 * DAY_MS);
  const object = env.MONEY_OPERATIONS.getByName(id);
  await runInDurableObject(object, (operation) => operation.alarm());
  expect(await read(id)).toMatchObject({ id, status: 'succeeded' });
  expect(await runInDurableObject(object, (_, { storage }) => storage.getAlarm())).toBeNull();
  await runLedgerAlarm();
  expect(await storedText(id)).toBe('');
});
