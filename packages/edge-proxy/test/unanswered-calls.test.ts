/** Objects that never answer: every call of one has a time limit, and what its end means is right where it was made. */
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import { LedgerObject } from '../src/ledger/ledger-object.ts';
import { MoneyOperationObject } from '../src/money/money-operation-object.ts';
import { type Property, parseProperty } from '../src/properties/configured-properties.ts';
import { AccessTokenObject } from '../src/upstream/access-token-object.ts';
import { accessTokenSource } from '../src/upstream/access-token-source.ts';
import { type Json, merchant } from '../test-support/client.ts';
import { KEYS, TEST_ENVIRONMENT } from '../test-support/environment.ts';
import {
  CHARGE,
  charge,
  postCharge,
  postReversal,
  read,
  runDue,
  storedTasks,
  storedText,
  useMoneyFakes,
} from '../test-support/money.ts';
import { ids } from '../test-support/objects.ts';

const fakes = useMoneyFakes('MUTE');
let isOver = false;
/** Whether an object was asked that does not answer now: nothing else reaches a limit, however slow the machine is. */
let isMute = false;

/** Waits where it was called, until the test is over: the runtime ends what waits for nothing. */
async function never(): Promise<never> {
  isMute = true;
  while (!isOver) await scheduler.wait(5);
  throw new Error('the test is over');
}

function answerAgain(...spies: readonly Pick<MockInstance, 'mockRestore'>[]): void {
  for (const spy of spies) spy.mockRestore();
  isMute = false;
}

beforeEach(() => {
  isOver = false;
  isMute = false;
  // The limits of ten and thirty seconds come soon; every other timer is left alone.
  const original = globalThis.setTimeout;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number) => {
    if (ms !== 10_000 && ms !== 30_000) return original(run, ms);
    const timer = setInterval(() => {
      if (!isMute) return;
      clearInterval(timer);
      run();
    }, 50);
    return timer;
  }) as typeof setTimeout);
});

afterEach(async () => {
  isOver = true;
  await scheduler.wait(20);
});

async function outcome(answer: Response): Promise<unknown[]> {
  return [answer.status, (await answer.json<Json>()).code, answer.headers.get('retry-after')];
}

const UNAVAILABLE = [503, 'upstream_unavailable', '5'];
const idOf = (kind: 'charge' | 'reversal', name: string): Promise<string> =>
  ids.derive(kind === 'charge' ? 'ch' : 'rv', ['aurora', kind, fakes.key(name)]);

test.each([
  ['the ledger, asked to announce it', () => vi.spyOn(LedgerObject.prototype, 'claimIntent')],
  ['the access token object, asked how the service is', () => vi.spyOn(AccessTokenObject.prototype, 'knownDownMs')],
])('a charge is refused, and nothing stored, while no answer comes from %s', async (_who, spyOn) => {
  const spy = spyOn().mockImplementation(never);
  expect(await outcome(await postCharge(fakes.key(), { reference: fakes.reference }))).toEqual(UNAVAILABLE);
  expect(await storedText(await idOf('charge', 'a'))).toBe('');
  expect(fakes.upstream.count('pay')).toBe(0);
  answerAgain(spy);
  expect((await postCharge(fakes.key(), { reference: fakes.reference })).status).toBe(201);
});

test('a charge is refused while the same one does not say how it stands', async () => {
  await charge(fakes.key('a'), { reference: fakes.reference });
  const spy = vi.spyOn(MoneyOperationObject.prototype, 'duplicateRisk').mockImplementation(never);
  expect(await outcome(await postCharge(fakes.key('b'), { reference: fakes.reference }))).toEqual(UNAVAILABLE);
  expect(fakes.upstream.count('pay')).toBe(1);
  answerAgain(spy);
  expect((await postCharge(fakes.key('b'), { reference: fakes.reference })).status).toBe(409);
});

test('a reversal whose payment does not answer is refused, and keeps the claim until the payment has heard', async () => {
  const { id } = await charge(fakes.key('paid'), { reference: fakes.reference });
  const reversal = await idOf('reversal', 'r');
  const reserving = vi.spyOn(MoneyOperationObject.prototype, 'reserveReversal').mockImplementation(never);
  expect(await outcome(await postReversal(fakes.key('r'), { payment: id }))).toEqual(UNAVAILABLE);
  expect(fakes.upstream.count('reversal')).toBe(0);
  expect(await storedTasks(reversal)).toHaveProperty('release');
  const settling = vi.spyOn(MoneyOperationObject.prototype, 'settleReversal').mockImplementation(never);
  await runDue(reversal, 'release');
  expect(await storedTasks(reversal)).toHaveProperty('release');
  answerAgain(reserving, settling);
  await runDue(reversal, 'release');
  expect(await storedText(reversal)).toBe('');
  expect(await read(id)).toMatchObject({ reversing: { value: 0 } });
});

test('a reversal’s outcome is told again until its payment answers', async () => {
  const { id } = await charge(fakes.key('paid'), { reference: fakes.reference });
  vi.spyOn(MoneyOperationObject.prototype, 'settleReversal').mockRejectedValueOnce(new Error('away'));
  expect((await postReversal(fakes.key('r'), { payment: id })).status).toBe(201);
  expect(await read(id)).toMatchObject({ reversed: { value: 0 }, reversing: { value: 8_000 } });
  await runDue(await idOf('reversal', 'r'), 'settle');
  expect(await read(id)).toMatchObject({ reversed: { value: 8_000 }, reversing: { value: 0 } });
});

test('news for the ledger is told again until it answers', async () => {
  const spy = vi.spyOn(LedgerObject.prototype, 'append').mockImplementation(never);
  const { id } = await charge(fakes.key('a'), { reference: fakes.reference });
  await runDue(id, 'updates');
  expect(await storedText(id)).toContain('charge.succeeded');
  answerAgain(spy);
  await runDue(id, 'updates');
  const { data } = await (await merchant('/v1/events?limit=100')).json<{ data: { data: { object: Json } }[] }>();
  expect(data.filter((event) => event.data.object.id === id)).toHaveLength(1);
});

test('without an answer there is no token, and nothing is sent', async () => {
  vi.spyOn(AccessTokenObject.prototype, 'getToken').mockImplementation(never);
  const borealis = parseProperty('borealis', TEST_ENVIRONMENT.PROPERTY_BOREALIS) as Property;
  await expect(accessTokenSource(env, borealis)({})).rejects.toMatchObject({ code: 'timeout' });
  const answer = await merchant('/v1/charges', {
    key: KEYS.borealis,
    body: { ...CHARGE, reference: fakes.reference },
    headers: { 'idempotency-key': fakes.key() },
  });
  expect(await answer.json()).toMatchObject({ status: 'failed', error: { code: 'timeout' } });
  expect(fakes.upstream.count('pay')).toBe(0);
});
