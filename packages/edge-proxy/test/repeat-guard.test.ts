import { expect, test, vi } from 'vitest';
import { LedgerObject } from '../src/ledger/ledger-object.ts';
import { type Json, merchant } from '../test-support/client.ts';
import { charge, postCharge, storedText, useMoneyFakes } from '../test-support/money.ts';
import { ids } from '../test-support/objects.ts';

const fakes = useMoneyFakes('AGAIN');

function setClock(at: number): void {
  vi.setSystemTime(at);
}

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
  setClock(Date.parse(String(first.completedAt)) + later);
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

test.each([
  ['9:59', minutes(9, 59), 409],
  ['10:01', minutes(10, 1), 201],
] as const)('what counts is when it succeeded, not when it was asked for: %s', async (_when, later, status) => {
  fakes.upstream.overrides.pay = () => new Response('no', { status: 500 });
  const { id } = await charge(fakes.key('a'), { reference: fakes.reference });
  setClock(Date.now() + minutes(30, 0));
  const body = { status: 'succeeded', evidence: 'portal', transactionId: 'T-1' };
  const resolved = await (await merchant(`/v1/charges/${id}/resolve`, { body })).json<Json>();
  setClock(Date.parse(String(resolved.completedAt)) + later);
  fakes.upstream.overrides.pay = () => Response.json({ returnCode: '0', transactionID: 'T-2' });
  expect((await again('b')).status).toBe(status);
});

test('another reference, reason or amount is another charge, and so is one that is said to be', async () => {
  await charge(fakes.key('a'), { reference: fakes.reference });
  const asks: Json[] = [
    { reference: `${fakes.reference}-other` },
    { reason: 'late_charge' },
    { amount: { value: 8_001, currency: 'EUR' } },
    { allowDuplicate: true },
  ];
  for (const [at, ask] of asks.entries()) {
    expect((await postCharge(fakes.key(`b${at}`), { reference: fakes.reference, ...ask })).status).toBe(201);
  }
});

test('one that was said to be another is in the way of the next, which is not', async () => {
  const first = await charge(fakes.key('a'), { reference: fakes.reference, allowDuplicate: true });
  const next = await again('b');
  expect([next.status, await next.json<Json>()]).toEqual([
    409,
    expect.objectContaining({ code: 'possible_duplicate', resource: first.id }),
  ]);
  expect((await again('c', { allowDuplicate: true })).status).toBe(201);
});

test.each([
  ['declined', () => Response.json({ returnCode: '51' })],
  ['failed', () => new Response('no', { status: 403 })],
])('one that is %s is in nobody’s way', async (status, answer) => {
  fakes.upstream.overrides.pay = answer;
  expect(await charge(fakes.key('a'), { reference: fakes.reference })).toMatchObject({ status });
  fakes.upstream.overrides.pay = () => Response.json({ returnCode: '0', transactionID: 'T-2' });
  expect(await charge(fakes.key('b'), { reference: fakes.reference })).toMatchObject({ status: 'succeeded' });
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
