/** A reversal's share of its payment, when attempts are cut off, overtake each other or come late. */
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, expect, test, vi } from 'vitest';
import { MoneyOperationObject } from '../src/money/money-operation-object.ts';
import { type Json, merchant, retrieve, startSession } from '../test-support/client.ts';
import { charge, postReversal, runDue, storedTasks, storedText, useMoneyFakes } from '../test-support/money.ts';
import { ids } from '../test-support/objects.ts';

const fakes = useMoneyFakes('SHARE');
let ghost = '';

beforeEach(async () => {
  ghost = await ids.derive('rv', ['aurora', 'reversal', fakes.key('r')]);
});

/** What of a charge is given back, and is being given back. */
async function sums(id: string): Promise<unknown[]> {
  const path = id.startsWith('cs_') ? 'checkout-sessions' : 'charges';
  const { reversed, reversing } = await (await merchant(`/v1/${path}/${id}`)).json<Json>();
  return [reversed, reversing].map((money) => (money as { value: number } | null)?.value);
}

async function chargeOnce(name: string): Promise<string> {
  return (await charge(fakes.key(name), { reference: `${fakes.reference}-${name}` })).id;
}

async function sessionPayment(): Promise<string> {
  const { id } = await startSession({ reference: fakes.reference });
  fakes.upstream.pay(id);
  await merchant(`/v1/checkout-sessions/${id}/refresh`, { method: 'POST' });
  await expect.poll(() => retrieve(id)).toMatchObject({ status: 'succeeded' });
  return id;
}

function payment(id: string) {
  return id.startsWith('cs_') ? env.CHECKOUT_SESSIONS.getByName(id) : env.MONEY_OPERATIONS.getByName(id);
}

/** Lets a payment take the next share, and loses its answer. */
function loseNextReservation(): void {
  const reserve = MoneyOperationObject.prototype.reserveReversal;
  const spy = vi.spyOn(MoneyOperationObject.prototype, 'reserveReversal');
  spy.mockImplementationOnce(async function (this: MoneyOperationObject, ...asked) {
    await reserve.apply(this, asked);
    throw new Error('the answer was lost');
  });
}

test('the same key for another payment gives the first payment’s share back', async () => {
  const [first, second] = [await chargeOnce('a'), await chargeOnce('b')];
  loseNextReservation();
  const lost = await postReversal(fakes.key('r'), { payment: first });
  expect([lost.status, (await lost.json<Json>()).code]).toEqual([503, 'upstream_unavailable']);
  expect(lost.headers.get('retry-after')).toBe('5');
  expect(await sums(first)).toEqual([0, 8_000]);
  const made = await postReversal(fakes.key('r'), { payment: second });
  expect(await made.json()).toMatchObject({ id: ghost, status: 'succeeded', payment: second });
  expect(await sums(first)).toEqual([0, 0]);
  expect(await sums(second)).toEqual([8_000, 0]);
  expect(fakes.upstream.count('reversal')).toBe(1);
});

test('while the first payment cannot be told, its claim stays and the key is busy', async () => {
  const [first, second] = [await chargeOnce('a'), await chargeOnce('b')];
  loseNextReservation();
  await postReversal(fakes.key('r'), { payment: first });
  const spy = vi.spyOn(MoneyOperationObject.prototype, 'settleReversal').mockRejectedValueOnce(new Error('away'));
  const busy = await postReversal(fakes.key('r'), { payment: second });
  expect([busy.status, (await busy.json<Json>()).code]).toEqual([409, 'idempotency_in_progress']);
  expect(await sums(second)).toEqual([0, 0]);
  spy.mockRestore();
  await runDue(ghost, 'release');
  expect(await sums(first)).toEqual([0, 0]);
});

test('a share whose answer was lost is released by the alarm, and the object leaves nothing behind', async () => {
  const first = await chargeOnce('a');
  loseNextReservation();
  await postReversal(fakes.key('r'), { payment: first });
  expect(await storedTasks(ghost)).toHaveProperty('release');
  await runDue(ghost, 'release');
  expect(await sums(first)).toEqual([0, 0]);
  expect(await storedText(ghost)).toBe('');
});

test('an attempt that is refused does not forget an earlier one that is still on its way', async () => {
  const first = await chargeOnce('a');
  const onItsWay: Parameters<MoneyOperationObject['reserveReversal']>[] = [];
  vi.spyOn(MoneyOperationObject.prototype, 'reserveReversal').mockImplementationOnce(async (...asked) => {
    onItsWay.push(asked);
    throw new Error('no answer in time');
  });
  expect((await postReversal(fakes.key('r'), { payment: first })).status).toBe(503);
  const tooMuch = { payment: first, amount: { value: 9_000, currency: 'EUR' } };
  expect((await postReversal(fakes.key('r'), tooMuch)).status).toBe(400);
  for (const asked of onItsWay) await payment(first).reserveReversal(...asked);
  expect(await sums(first)).toEqual([0, 8_000]);
  await runDue(ghost, 'release');
  expect(await sums(first)).toEqual([0, 0]);
});

test('a claim is written down before the payment is asked for a share', async () => {
  const first = await chargeOnce('a');
  const seen: string[] = [];
  const reserve = MoneyOperationObject.prototype.reserveReversal;
  vi.spyOn(MoneyOperationObject.prototype, 'reserveReversal').mockImplementationOnce(async function (
    this: MoneyOperationObject,
    ...asked
  ) {
    seen.push(await storedText(ghost));
    return reserve.apply(this, asked);
  });
  await postReversal(fakes.key('r'), { payment: first });
  expect(seen).toHaveLength(1);
  expect(seen[0]).toContain(first);
  expect(seen[0]).toMatch(/"schedule":{"tasks":{"release":\d+}/);
});

test.each([
  ['charge', () => chargeOnce('a')],
  ['session', sessionPayment],
])('a late release frees no newer share of a %s', async (_what, make) => {
  const id = await make();
  const amount = { value: 1_000, currency: 'EUR' };
  await payment(id).reserveReversal('aurora', { id: ghost, attempt: null, amount, epoch: 1 });
  await payment(id).reserveReversal('aurora', {
    id: ghost,
    attempt: null,
    amount: { ...amount, value: 3_000 },
    epoch: 2,
  });
  expect(await sums(id)).toEqual([0, 3_000]);
  await payment(id).settleReversal('aurora', ghost, 'released', 1);
  expect(await sums(id)).toEqual([0, 3_000]);
  await payment(id).settleReversal('aurora', ghost, 'released', 2);
  expect(await sums(id)).toEqual([0, 0]);
});

test.each([
  ['charge', () => chargeOnce('a')],
  ['session', sessionPayment],
])('a request that comes after its own release gets no share of a %s', async (_what, make) => {
  const id = await make();
  await payment(id).settleReversal('aurora', ghost, 'released', 5);
  const late = await payment(id).reserveReversal('aurora', { id: ghost, attempt: null, amount: null, epoch: 5 });
  expect(late).toMatchObject({ ok: false, code: 'idempotency_in_progress' });
  expect(await sums(id)).toEqual([0, 0]);
  expect(
    await payment(id).reserveReversal('aurora', { id: ghost, attempt: null, amount: null, epoch: 6 }),
  ).toMatchObject({
    ok: true,
  });
});

test('what is given back stays given back, whatever is released later', async () => {
  const id = await chargeOnce('a');
  await payment(id).reserveReversal('aurora', { id: ghost, attempt: null, amount: null, epoch: 5 });
  await payment(id).settleReversal('aurora', ghost, 'reversed', 5);
  for (const epoch of [4, 5, 6]) await payment(id).settleReversal('aurora', ghost, 'released', epoch);
  expect(await sums(id)).toEqual([8_000, 0]);
  expect(
    await payment(id).reserveReversal('aurora', { id: ghost, attempt: null, amount: null, epoch: 9 }),
  ).toMatchObject({
    ok: false,
  });
  expect(await sums(id)).toEqual([8_000, 0]);
});

test('asking twice in one attempt gives one share', async () => {
  const id = await chargeOnce('a');
  const asked = { id: ghost, attempt: null, amount: null, epoch: 5 };
  const first = await payment(id).reserveReversal('aurora', asked);
  expect(await payment(id).reserveReversal('aurora', asked)).toEqual(first);
  expect(await sums(id)).toEqual([0, 8_000]);
});

test('a reversal’s outcome waits until its payment has heard it', async () => {
  const id = await chargeOnce('a');
  const spy = vi.spyOn(MoneyOperationObject.prototype, 'settleReversal').mockRejectedValue(new Error('away'));
  expect(await (await postReversal(fakes.key('r'), { payment: id })).json()).toMatchObject({ status: 'succeeded' });
  expect(await sums(id)).toEqual([0, 8_000]);
  expect(await storedTasks(ghost)).toHaveProperty('settle');
  spy.mockRestore();
  await runDue(ghost, 'settle');
  expect(await sums(id)).toEqual([8_000, 0]);
  expect(await storedTasks(ghost)).not.toHaveProperty('settle');
});

test.each(['charge', 'session'])('calls that reach a %s in one turn all get their share', async (kind) => {
  const id = kind === 'charge' ? await chargeOnce('a') : await sessionPayment();
  const [left, right] = await runInDurableObject(payment(id) as DurableObjectStub<MoneyOperationObject>, (object) =>
    Promise.all(
      [999, 1_001].map((value) =>
        object.reserveReversal('aurora', {
          id: `rv_${value}`,
          attempt: null,
          amount: { value, currency: 'EUR' },
          epoch: 1,
        }),
      ),
    ),
  );
  expect([left?.ok, right?.ok]).toEqual([true, true]);
  expect(await sums(id)).toEqual([0, 2_000]);
});
