/** The guard against charging, or refunding, the same amount twice. */
import { describe, expect, test, vi } from 'vitest';
import { LedgerObject } from '../src/ledger/ledger-object.ts';
import type { Json } from '../test-support/client.ts';
import { charge, heldAnswer, postCharge, postReversal, storedText, useMoneyFakes } from '../test-support/money.ts';
import { ids } from '../test-support/objects.ts';

const fakes = useMoneyFakes('AGAIN');

/** Posts the charge under another key. */
function again(name: string, overrides: Json = {}): Promise<Response> {
  return postCharge(fakes.key(name), { reference: fakes.reference, ...overrides });
}

const minutes = (count: number, seconds: number): number => (count * 60 + seconds) * 1_000;

test.each([
  ['9:59 after its success', minutes(9, 59), 409],
  ['10:01 after its success', minutes(10, 1), 201],
] as const)('a charge is noticed again %s: %s', async (_when, later, status) => {
  const first = await charge(fakes.key('a'), { reference: fakes.reference });
  vi.setSystemTime(Date.parse(String(first.completedAt)) + later);
  const second = await again('b');
  expect(second.status).toBe(status);
  const body = await second.json<Json>();
  if (status === 409) {
    expect(body).toMatchObject({
      code: 'possible_duplicate',
      resource: first.id,
      detail: expect.stringContaining('succeeded less than ten minutes ago'),
    });
    expect(await storedText(await ids.derive('ch', ['aurora', 'charge', fakes.key('b')]))).toBe('');
  }
  expect(fakes.upstream.count('pay')).toBe(status === 409 ? 1 : 2);
});

test('one that was said to be another is in the way of the next, which is not', async () => {
  const first = await charge(fakes.key('a'), { reference: fakes.reference, allowDuplicate: true });
  const next = await again('b');
  expect([next.status, await next.json()]).toMatchObject([409, { code: 'possible_duplicate', resource: first.id }]);
  expect((await again('c', { allowDuplicate: true })).status).toBe(201);
});

test('a charge that is still being checked is in the way already', async () => {
  const claim = LedgerObject.prototype.claimIntent;
  let mayGoOn = false;
  let hasClaimed = false;
  vi.spyOn(LedgerObject.prototype, 'claimIntent').mockImplementationOnce(async function (this: LedgerObject, ...asked) {
    const earlier = await claim.apply(this, asked);
    hasClaimed = true;
    while (!mayGoOn) await scheduler.wait(5);
    return earlier;
  });
  const first = postCharge(fakes.key('a'), { reference: fakes.reference });
  await expect.poll(() => hasClaimed).toBe(true);
  const second = await postCharge(fakes.key('b'), { reference: fakes.reference });
  expect([second.status, (await second.json<Json>()).code]).toEqual([409, 'possible_duplicate']);
  mayGoOn = true;
  expect((await first).status).toBe(201);
  expect(fakes.upstream.count('pay')).toBe(1);
});

describe('of reversals', () => {
  const eur = (value: number) => ({ value, currency: 'EUR' });

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
});
