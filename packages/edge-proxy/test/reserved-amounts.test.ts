/** A reversal's share of its payment, when attempts are cut off, overtake each other or come late. */
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, expect, test, vi } from 'vitest';
import { MoneyOperationObject } from '../src/money/money-operation-object.ts';
import { merchant, retrieve, startSession } from '../test-support/client.ts';
import { charge, postReversal, runDue, storedText, sums, useMoneyFakes } from '../test-support/money.ts';
import { ids } from '../test-support/objects.ts';

const fakes = useMoneyFakes('SHARE');
let ghost = '';

beforeEach(async () => {
  ghost = await ids.derive('rv', ['aurora', 'reversal', fakes.key('r')]);
});

/** What of a charge is refunded, and is being refunded. */
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
