import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import type { Property } from '../src/properties/configured-properties.ts';
import { type PropertyBindings, propertiesOf } from '../src/properties/properties.ts';
import { type Json, merchant, startSession } from '../test-support/client.ts';
import { charge, heldAnswer, killOperation, postReversal, read, sums, useMoneyFakes } from '../test-support/money.ts';
import { ids, poll } from '../test-support/objects.ts';
import { expectProblem } from '../test-support/problem.ts';
import { ACTOR } from '../test-support/records.ts';

const fakes = useMoneyFakes('REV');
const eur = (value: number): Json => ({ value, currency: 'EUR' });

async function payment(record: Json = {}): Promise<string> {
  const { id } = await startSession({ reference: fakes.reference, surcharge: 'surchargeAmount' in record });
  fakes.upstream.pay(id, record);
  expect(await poll(id)).toMatchObject({ status: 'succeeded' });
  return id;
}

async function reverse(name: string, body: Json): Promise<Json> {
  const answer = await postReversal(fakes.key(name), body);
  if (answer.status !== 201) throw new Error(`reversal answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** Of a reversal that may not be asked for yet. */
const idOf = (name: string): Promise<string> => ids.derive('rv', ['aurora', 'reversal', fakes.key(name)]);

test('reverses all of a charge, by its own provider and id', async () => {
  const { id } = await charge(fakes.key(), { reference: fakes.reference, tokenFrom: 'moto' });
  const made = await reverse('r', { payment: id });
  expect(made).toEqual({
    object: 'reversal',
    id: expect.stringMatching(/^rv_/),
    property: 'aurora',
    livemode: false,
    status: 'succeeded',
    final: true,
    seq: 3,
    payment: id,
    attempt: null,
    amount: eur(8_000),
    transactionId: 'REV-2',
    error: null,
    by: ACTOR.by,
    note: null,
    reference: fakes.reference,
    reason: null,
    createdAt: expect.stringMatching(/Z$/),
    completedAt: expect.stringMatching(/Z$/),
  });
  expect(JSON.parse(fakes.upstream.last('reversal').body)).toMatchObject({
    transactionID: 'PAY-1',
    amount: '8000',
    currency: 'EUR',
    serviceProvider: 'TEST_DIRECT',
  });
  expect(await sums(id)).toEqual([8_000, 0]);
  const again = { code: 'possible_duplicate', resource: made.id };
  await expectProblem(postReversal(fakes.key('again'), { payment: id }), 409, again);
  await expectProblem(postReversal(fakes.key('all-again'), { payment: id, amount: eur(8_000) }), 409, again);
  const meant = { payment: id, allowDuplicate: true };
  await expectProblem(postReversal(fakes.key('another'), meant), 409, { code: 'not_reversible', resource: id });
});

test('reverses parts of a hosted payment until nothing is left, surcharge included', async () => {
  const id = await payment({ amount: 12_360, surchargeApplied: true, surchargeAmount: 360, surchargePercentUsed: 3 });
  await reverse('a', { payment: id, amount: eur(5_000) });
  expect(await sums(id)).toEqual([5_000, 0]);
  const detail = 'Only 73.60 EUR of this payment is left to refund';
  const tooMuch = postReversal(fakes.key('b'), { payment: id, amount: eur(7_361) });
  await expectProblem(tooMuch, 400, { param: 'amount', detail });
  expect(await reverse('c', { payment: id })).toMatchObject({ amount: eur(7_360) });
  await expectProblem(postReversal(fakes.key('d'), { payment: id, amount: eur(1) }), 409, { code: 'not_reversible' });
  expect(JSON.parse(fakes.upstream.last('reversal').body)).toMatchObject({
    serviceProvider: 'TEST_HOSTED',
    transactionID: 'TX-1',
  });
  expect(await sums(id)).toEqual([12_360, 0]);
});

test.each([
  ['major', 1_200_000, 5_000, '50'],
  ['minor', 1_200_000, 5_000, undefined],
  ['minor', 12_000, 5_000, '5000'],
] as const)(
  'is sent in the unit in which the payment was taken: now %s, taken %d',
  async (unit, taken, value, wire) => {
    const { id } = await startSession({ reference: fakes.reference });
    fakes.upstream.pay(id, { amount: 1_200_000 });
    await poll(id);
    expect(await poll(id, 5)).toMatchObject({ attempts: [{ error: { code: 'amount_unit_mismatch' } }] });
    const body = { status: 'succeeded', evidence: 'Seen in the portal', transactionId: 'TX-9', amount: eur(taken) };
    expect((await merchant(`/v1/checkout-sessions/${id}/resolve`, { body })).status).toBe(200);
    const object = env.MONEY_OPERATIONS.getByName(await idOf('r'));
    await runInDurableObject(object, async (operation) => {
      const properties = propertiesOf((operation as unknown as { env: PropertyBindings }).env);
      const aurora = (await properties.find('aurora')) as Property;
      vi.spyOn(properties, 'find').mockResolvedValue({ ...aurora, amountUnit: unit });
    });
    const made = await postReversal(fakes.key('r'), { payment: id, amount: eur(value) });
    if (wire === undefined) {
      expect(await made.json()).toMatchObject({ status: 409, code: 'not_reversible', resource: id });
      return;
    }
    expect(await made.json()).toMatchObject({ status: 'succeeded', amount: eur(value) });
    expect(JSON.parse(fakes.upstream.last('reversal').body)).toMatchObject({ amount: wire, transactionID: 'TX-9' });
  },
);

test('a call whose instance died is unknown and keeps its share', async () => {
  const { id } = await charge(fakes.key(), { reference: fakes.reference });
  fakes.upstream.overrides.reversal = heldAnswer().answer;
  const answer = postReversal(fakes.key('r'), { payment: id }).catch(() => undefined);
  await expect.poll(() => fakes.upstream.count('reversal')).toBe(1);
  const reversal = await idOf('r');
  await killOperation(reversal);
  expect(await read(reversal)).toMatchObject({ status: 'unknown' });
  expect([await sums(id), fakes.upstream.count('reversal')]).toEqual([[0, 8_000], 1]);
  await answer;
});

test('many at the same time never refund more than was paid', async () => {
  const { id } = await charge(fakes.key(), { reference: fakes.reference });
  const bodies = Array.from({ length: 12 }, (_, i) => ({ payment: id, amount: eur(1_000 + i * 100) }));
  const answers = await Promise.all(bodies.map((body, i) => postReversal(fakes.key(`p${i}`), body)));
  const made = await Promise.all(answers.filter(({ status }) => status === 201).map((answer) => answer.json<Json>()));
  const given = made.reduce((total, { amount }) => total + (amount as { value: number }).value, 0);
  expect(given).toBeLessThanOrEqual(8_000);
  expect(given).toBeGreaterThan(6_000);
  expect(fakes.upstream.count('reversal')).toBe(made.length);
  expect(await sums(id)).toEqual([given, 0]);
});

test('refuses what is no payment that succeeded', async () => {
  const { reference } = fakes;
  const { id: open } = await startSession({ reference });
  const { id: card } = await startSession({ kind: 'card', amount: undefined, reference });
  fakes.upstream.overrides.pay = () => Response.json({ returnCode: '51' });
  const { id: declined } = await charge(fakes.key(), { reference });
  const refused: [Json, number, Json][] = [
    ...[open, card, declined].map((payment): [Json, number, Json] => [{ payment }, 409, { code: 'not_reversible' }]),
    [{ payment: declined, attempt: 1 }, 400, { param: 'attempt' }],
    [{ payment: declined, amount: eur(0) }, 400, { param: 'amount.value' }],
    [{ payment: 'ch_00000000000000000000000000' }, 404, {}],
    [{ payment: 'rv_00000000000000000000000000' }, 404, {}],
  ];
  for (const [nth, [body, status, says]] of refused.entries()) {
    await expectProblem(postReversal(fakes.key(`${nth}`), body), status, says);
  }
});
