import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Answer,
  fakeUpstream,
  readSample,
  sampleContext,
  sampleResponse,
} from '../../test-support/fake-upstream.ts';
import { initCreateTokenNoIframe } from '../operations/init-create-token-no-iframe.ts';
import { initpayNoIframe } from '../operations/initpay-no-iframe.ts';
import type { PaystatusResult } from '../operations/paystatus.ts';
import { Money } from '../values/money.ts';
import { waitForResult } from './wait-for-result.ts';
import { watch } from './watch.ts';

const status = readSample('paystatus').responses;
const record = readSample('transaction').responses;
const payment = sampleResponse(readSample('transaction'), 'payment');
const callbacks = { callbackSuccessUrl: 'https://hotel.example/s', callbackAbortUrl: 'https://hotel.example/a' };

/** An init, then `statuses` one after the other, then `records`; the last of each repeats. */
async function hosted(statuses: readonly Answer[], records: readonly Answer[], kind: 'payment' | 'card' = 'payment') {
  const seen = { status: 0, record: 0 };
  const next = (answers: readonly Answer[], count: number): Answer => answers[count - 1] ?? answers.at(-1) ?? {};
  const reply = (answer: Answer, request: Request): Response | Promise<Response> =>
    typeof answer === 'function' ? answer(request) : Response.json(answer);
  const upstream = fakeUpstream([
    (request) => {
      if (request.url.includes('/paystatus')) return reply(next(statuses, ++seen.status), request);
      if (request.url.includes('/transaction')) return reply(next(records, ++seen.record), request);
      const name = request.url.includes('initpay') ? 'initpay-no-iframe' : 'init-create-token-no-iframe';
      return Response.json({ ...sampleResponse(readSample(name), 'success'), requestID: 'R-1' });
    },
  ]);
  const context = sampleContext(upstream, { now: () => new Date(), maxNetworkRetries: 0 });
  const init =
    kind === 'payment'
      ? await initpayNoIframe(context, {
          amount: Money.ofMinor(12000n, 'EUR'),
          cardInfoRefID: 'booking-1234',
          resNo: 'r',
          ...callbacks,
        })
      : await initCreateTokenNoIframe(context, { cardInfoRefID: 'booking-1234', ...callbacks });
  return { context, init, seen };
}

const down: Answer = () => new Response('', { status: 503 });

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Runs a wait to its end on the fake clock. */
async function settle<Value>(work: Promise<Value>): Promise<Value> {
  work.catch(() => undefined);
  await vi.runAllTimersAsync();
  return work;
}

describe('watch', () => {
  it('yields each state until a final one, and survives failed looks', async () => {
    const { context, init } = await hosted([status.pending ?? {}, down, { state: 7 }, status.payment ?? {}], []);
    const states: PaystatusResult[] = [];
    await settle(
      (async () => {
        for await (const each of watch(context, init)) states.push(each);
      })(),
    );
    expect(states.map(({ state }) => state)).toEqual(['pending', 'pending', 'done']);
  });

  it('gives up on an address that is not trusted', async () => {
    const { context, init, seen } = await hosted([], []);
    const looks = watch(context, { ...init, stateRetrivalUrl: 'https://evil.example/' });
    await expect(looks.next()).rejects.toMatchObject({ code: 'untrusted_url' });
    expect(seen.status).toBe(0);
  });
});

describe('waitForResult', () => {
  it('ends paid with a consistent record', async () => {
    const { context, init } = await hosted([status.pending ?? {}, status.payment ?? {}], [payment]);
    expect(await settle(waitForResult(context, init))).toMatchObject({
      outcome: 'paid',
      transaction: { transactionID: 'T-4' },
    });
  });

  it.each([{}, true, 1.5])('ends paid by the record when the state has the result %j', async (result) => {
    const { context, init } = await hosted([{ state: 1, result }], [payment]);
    expect(await settle(waitForResult(context, init))).toMatchObject({ outcome: 'paid' });
  });

  it('ends tokenized with the token and its provider', async () => {
    const { context, init } = await hosted([status.tokenization ?? {}], [record.tokenization ?? {}], 'card');
    expect(await settle(waitForResult(context, init))).toMatchObject({
      outcome: 'tokenized',
      token: 'TK-0002',
      tokenValidUntil: '2028-12-31',
      serviceProvider: 'SANDBOX_HOSTED',
    });
  });

  it('believes a record that shows the payment after state 2', async () => {
    const { context, init } = await hosted([status.error ?? {}], [payment]);
    expect(await settle(waitForResult(context, init))).toMatchObject({ outcome: 'paid' });
  });

  it('believes it also when the id of the payment cannot be read', async () => {
    const { context, init } = await hosted([status.error ?? {}], [{ ...payment, transactionID: 2 ** 60 }]);
    const result = await settle(waitForResult(context, init));
    expect(result).toMatchObject({ outcome: 'paid', transaction: { paymentObjID: 'PAYOBJID=7701' } });
    expect(result).not.toHaveProperty('transaction.transactionID');
  });

  it('does not know the outcome when the record names only the amount after state 2', async () => {
    const { paymentObjID: _, transactionID: __, ...bare } = payment;
    const { context, init } = await hosted([status.error ?? {}], [bare]);
    await expect(settle(waitForResult(context, init))).rejects.toMatchObject({
      code: 'outcome_unknown',
      path: 'paymentObjID',
    });
  });

  it('takes no number that lost digits for the token of a card', async () => {
    const card = { ...record.tokenization, token: 2 ** 60 };
    const { context, init } = await hosted([status.tokenization ?? {}], [card], 'card');
    await expect(settle(waitForResult(context, init))).rejects.toMatchObject({
      code: 'outcome_unknown',
      path: 'token',
    });
  });

  it('ends at its deadline, also while it looks at the record after state 2', async () => {
    const { context, init } = await hosted([status.error ?? {}], [() => new Promise<Response>(() => undefined)]);
    const work = waitForResult(context, init, { deadlineMs: 1000 });
    await vi.advanceTimersByTimeAsync(1000);
    expect(await Promise.race([work, 'still waiting'])).toEqual({ outcome: 'pending' });
  });

  it('does not know the outcome when a record shows other money after state 2', async () => {
    const { context, init } = await hosted([status.error ?? {}], [{ ...payment, amount: 11999 }]);
    await expect(settle(waitForResult(context, init))).rejects.toMatchObject({
      code: 'outcome_unknown',
      path: 'amount',
    });
  });

  it.each<[string, Answer]>([
    ['is not there', down],
    ['is not done', { ...payment, status: '_error' }],
    ['has an error code', { ...payment, returnCode: '5' }],
    ['has no amount', { ...payment, amount: 0, paymentObjID: '' }],
  ])('ends with the error of state 2 when the record %s, after one look', async (_, answer) => {
    const { context, init, seen } = await hosted([status.error ?? {}], [answer]);
    expect(await settle(waitForResult(context, init))).toMatchObject({ outcome: 'error' });
    expect(seen.record).toBe(1);
  });

  it('believes no larger surcharge than it is told', async () => {
    const surcharged = {
      ...payment,
      amount: 12240,
      surchargeApplied: true,
      surchargeAmount: 240,
      surchargePercentUsed: 2,
    };
    const { context, init } = await hosted([status.payment ?? {}], [surcharged]);
    const asked = { ...init, request: { ...init.request, surcharge: true } };
    expect(await settle(waitForResult(context, asked))).toMatchObject({ outcome: 'paid' });
    await expect(settle(waitForResult(context, asked, { maxSurchargePercent: 1.5 }))).rejects.toMatchObject({
      code: 'outcome_unknown',
      path: 'surchargeAmount',
    });
  });

  it('ends with the error text of state 2', async () => {
    const { context, init } = await hosted([status.error ?? {}], []);
    expect(await settle(waitForResult(context, init))).toEqual({
      outcome: 'error',
      errorText: 'Canceled by the guest.',
    });
  });

  it('ends pending at its deadline', async () => {
    const { context, init } = await hosted([status.pending ?? {}], []);
    expect(await settle(waitForResult(context, init, { deadlineMs: 5000 }))).toEqual({ outcome: 'pending' });
  });

  it('waits for the record, and reads it again when it could not', async () => {
    const working = { ...payment, status: 'working' };
    const { context, init, seen } = await hosted([status.payment ?? {}], [down, working, down, payment]);
    expect(await settle(waitForResult(context, init))).toMatchObject({ outcome: 'paid' });
    expect(seen.record).toBe(4);
  });

  it('believes the second look at a record that was half written', async () => {
    const { context, init } = await hosted([status.payment ?? {}], [{ ...payment, amount: 0 }, payment]);
    expect(await settle(waitForResult(context, init))).toMatchObject({ outcome: 'paid' });
  });

  it('does not know the outcome when the record keeps contradicting the request', async () => {
    const { context, init, seen } = await hosted([status.payment ?? {}], [{ ...payment, amount: 11999 }]);
    await expect(settle(waitForResult(context, init))).rejects.toMatchObject({
      code: 'outcome_unknown',
      path: 'amount',
    });
    expect(seen.record).toBe(2);
  });

  it.each([
    ['currency', { currency: 'ZZZ' }],
    ['amount', { amount: -12000 }],
    ['amount', { surchargeAmount: 0.5 }],
  ])('does not wait for money that stays impossible in %s', async (path, change) => {
    const { context, init, seen } = await hosted([status.payment ?? {}], [{ ...payment, ...change }]);
    await expect(settle(waitForResult(context, init))).rejects.toMatchObject({ code: 'outcome_unknown', path });
    expect(seen.record).toBe(2);
  });

  it('does not take a token for the payment of the same number', async () => {
    const { context, init } = await hosted([{ state: 1, result: 'TOKENOBJID=7701' }], [payment]);
    await expect(settle(waitForResult(context, init))).rejects.toMatchObject({
      code: 'outcome_unknown',
      path: 'paymentObjID',
    });
  });

  it('names a wrong unit', async () => {
    const { context, init } = await hosted([status.payment ?? {}], [{ ...payment, amount: 1_200_000 }]);
    await expect(settle(waitForResult(context, init))).rejects.toMatchObject({ code: 'amount_unit_mismatch' });
  });

  it('does not know the outcome when the record stays unreadable', async () => {
    const { context, init } = await hosted([status.payment ?? {}], [down]);
    await expect(settle(waitForResult(context, init, { deadlineMs: 60_000 }))).rejects.toMatchObject({
      code: 'outcome_unknown',
      cause: { code: 'upstream_status' },
    });
  });

  it('passes an abort through', async () => {
    const { context, init } = await hosted([status.pending ?? {}], []);
    const controller = new AbortController();
    const work = waitForResult(context, init, { signal: controller.signal });
    work.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(1500);
    controller.abort(new Error('page closed'));
    await expect(work).rejects.toThrow('page closed');
  });

  it('needs the request to compare with', async () => {
    const { context, init } = await hosted([], []);
    const { request: _, ...stored } = init;
    await expect(waitForResult(context, stored as typeof init)).rejects.toMatchObject({ code: 'invalid_input' });
    for (const bad of [
      undefined,
      null,
      { ...init, request: null },
      { ...init, request: { ...init.request, amount: 120 } },
    ]) {
      const asInit = bad as unknown as typeof init;
      await expect(waitForResult(context, asInit)).rejects.toMatchObject({ code: 'invalid_input' });
    }
  });

  it('goes by the record when the state names no id', async () => {
    const { context, init } = await hosted([{ state: 1 }], [payment]);
    expect(await settle(waitForResult(context, init))).toMatchObject({ outcome: 'paid' });
  });

  it.each([
    ['JSON', (init: object) => JSON.parse(JSON.stringify(init))],
    ['a structured clone', (init: object) => structuredClone({ ...init, viewUrl: '' })],
  ])('takes an init result that was stored as %s', async (_, store) => {
    const right = await hosted([status.payment ?? {}], [payment]);
    expect(await settle(waitForResult(right.context, store(right.init)))).toMatchObject({ outcome: 'paid' });
    const wrong = await hosted([status.payment ?? {}], [{ ...payment, amount: 11999 }]);
    await expect(settle(waitForResult(wrong.context, store(wrong.init)))).rejects.toMatchObject({
      code: 'outcome_unknown',
      path: 'amount',
    });
  });
});
