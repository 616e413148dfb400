/** The guard against giving the same amount of one payment back twice. */
import { expect, test, vi } from 'vitest';
import type { Json } from '../test-support/client.ts';
import { charge, heldAnswer, postReversal, storedText, useMoneyFakes } from '../test-support/money.ts';
import { ids } from '../test-support/objects.ts';

const fakes = useMoneyFakes('TWICE');
const eur = (value: number) => ({ value, currency: 'EUR' });
const minutes = (count: number, seconds: number): number => (count * 60 + seconds) * 1_000;

async function paid(): Promise<string> {
  return (await charge(fakes.key('paid'), { reference: fakes.reference })).id;
}

/** Gives 20.00 back, or what is said, under a key of its own. */
async function back(name: string, payment: string, more: Json = {}): Promise<Json> {
  const answer = await postReversal(fakes.key(name), { payment, amount: eur(2_000), ...more });
  return { httpStatus: answer.status, ...(await answer.json<Json>()) };
}

test('three equal reversals within seconds are one', async () => {
  const payment = await paid();
  const first = await back('a', payment);
  expect(first).toMatchObject({ httpStatus: 201, status: 'succeeded' });
  for (const name of ['b', 'c']) {
    expect(await back(name, payment)).toMatchObject({
      httpStatus: 409,
      code: 'possible_duplicate',
      resource: first.id,
      detail: expect.stringContaining('succeeded less than ten minutes ago'),
    });
  }
  expect(fakes.upstream.count('reversal')).toBe(1);
  // Nothing was stored: the key is free for whoever says that it is another one.
  expect(await storedText(await ids.derive('rv', ['aurora', 'reversal', fakes.key('b')]))).toBe('');
  expect(await back('b', payment, { allowDuplicate: true })).toMatchObject({ httpStatus: 201, status: 'succeeded' });
});

test('one that is not decided is in the way for as long as that takes', async () => {
  const payment = await paid();
  const held = heldAnswer();
  fakes.upstream.overrides.reversal = held.answer;
  const first = back('a', payment);
  await expect.poll(() => fakes.upstream.count('reversal')).toBe(1);
  const detail = expect.stringContaining('outcome of an equal reversal is not certain');
  expect(await back('b', payment)).toMatchObject({ httpStatus: 409, code: 'possible_duplicate', detail });
  held.give();
  await first;

  fakes.upstream.overrides.reversal = () => new Response('no', { status: 500 });
  const lost = await back('c', payment, { amount: eur(1_000) });
  expect(lost).toMatchObject({ status: 'unknown' });
  vi.setSystemTime(Date.now() + minutes(60, 0));
  expect(await back('d', payment, { amount: eur(1_000) })).toMatchObject({
    httpStatus: 409,
    resource: lost.id,
    detail,
  });
});
