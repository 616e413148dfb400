import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { MoneyOperationObject } from '../src/money/money-operation-object.ts';
import type { Json } from '../test-support/client.ts';
import {
  charge,
  killOperation,
  postCharge,
  postReversal,
  read,
  runDue,
  storedText,
  useMoneyFakes,
} from '../test-support/money.ts';
import { holdMethod, ids, passSeconds, runLedgerAlarm } from '../test-support/objects.ts';
import { expectProblem } from '../test-support/problem.ts';
import { ACTOR } from '../test-support/records.ts';

const fakes = useMoneyFakes('LIFE');
const DAY_MS = 86_400_000;

test('the card token of a charge that was never sent is erased at once, and by whoever reads it where an earlier version has left it', async () => {
  passSeconds(86_400);
  fakes.upstream.overrides.login = () => new Response(null, { status: 401 });
  const { id, seq } = await charge(fakes.key(), { reference: fakes.reference });
  expect(await storedText(id)).toContain('"sealedToken":null');
  await runInDurableObject(env.MONEY_OPERATIONS.getByName(id), (_object, { storage }) => {
    storage.sql.exec("UPDATE object SET body = json_set(body, '$.record.sealedToken', 'v1.left')");
  });
  await killOperation(id);
  expect(await storedText(id)).toMatch(/"sealedToken":"v1\./);
  expect(await read(id)).toMatchObject({ status: 'failed', seq, error: { code: 'authentication_failed' } });
  expect(await storedText(id)).toContain('"sealedToken":null');
});

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

test('no claim is released while its reversal is being made', async () => {
  const { id } = await charge(fakes.key('paid'), { reference: fakes.reference });
  const ghost = await ids.derive('rv', ['aurora', 'reversal', fakes.key('r')]);
  const reserve = holdMethod(MoneyOperationObject.prototype, 'reserveReversal', { isDone: true });
  const made = postReversal(fakes.key('r'), { payment: id });
  await reserve.isCalled();
  await runDue(ghost, 'release');
  // Nor is the key free for anything else meanwhile.
  const other = postReversal(fakes.key('r'), { payment: id, amount: { value: 1, currency: 'EUR' } });
  await expectProblem(other, 422, { code: 'idempotency_mismatch' });
  expect(await read(id)).toMatchObject({ reversing: { value: 8_000 } });
  reserve.goOn();
  // The claim's minute has passed by now, so the caller does not wait for the outcome.
  expect((await made).status).toBe(202);
  await expect.poll(() => read(id)).toMatchObject({ reversed: { value: 8_000 }, reversing: { value: 0 } });
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
