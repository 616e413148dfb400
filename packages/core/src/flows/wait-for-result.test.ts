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

const surcharged = { ...payment, amount: 12240, surchargeApplied: true, surchargeAmount: 240, surchargePercentUsed: 2 };
const { paymentObjID: _paymentObjID, transactionID: _transactionID, ...onlyAmount } = payment;
const pending = status.pending ?? {};
const done = status.payment ?? {};
const failed = status.error ?? {};
const tokenOf7701 = { state: 1, result: 'TOKENOBJID=7701' };

describe('waitForResult', () => {
  it.each<[string, Answer[], Answer[]]>([
    ['a consistent record', [pending, done], [payment]],
    ['the record when the state names no id', [{ state: 1 }], [payment]],
    ['a record that shows the payment after state 2', [failed], [payment]],
    ['the second look at a record that was half written', [done], [{ ...payment, amount: 0 }, payment]],
  ])('ends paid with %s', async (_, statuses, records) => {
    const { context, init } = await hosted(statuses, records);
    expect(await settle(waitForResult(context, init))).toMatchObject({
      outcome: 'paid',
      transaction: { transactionID: 'T-4' },
    });
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

  it.each([' ', 'OTHER\r\n'])(
    'takes the provider of the request where the record names %j',
    async (serviceProvider) => {
      const answer = { ...record.tokenization, serviceProvider };
      const { context, init } = await hosted([status.tokenization ?? {}], [answer], 'card');
      expect(await settle(waitForResult(context, init))).toMatchObject({ serviceProvider: 'SANDBOX_HOSTED' });
    },
  );

  it.each([
    ['done', status.payment ?? {}],
    ['failed', failed],
  ])('reads the record of an init that was stored with a blank provider, once it is %s', async (_, state) => {
    const { context, init } = await hosted([state], [payment]);
    const result = await settle(waitForResult(context, { ...init, serviceProvider: ' ' }));
    expect(result).toMatchObject({ outcome: 'paid' });
  });

  it('ends at its deadline, also while it looks at the record after state 2', async () => {
    const { context, init } = await hosted([failed], [() => new Promise<Response>(() => undefined)]);
    const work = waitForResult(context, init, { deadlineMs: 1000 });
    await vi.advanceTimersByTimeAsync(1000);
    expect(await Promise.race([work, 'still waiting'])).toEqual({ outcome: 'pending' });
  });

  it.each<[string, Answer, Answer, object, number]>([
    ['only the amount after state 2', failed, onlyAmount, { path: 'paymentObjID' }, 3],
    ['other money after state 2', failed, { ...payment, amount: 11999 }, { path: 'amount' }, 3],
    ['other money', done, { ...payment, amount: 11999 }, { path: 'amount' }, 2],
    ['the payment with the number of a token', tokenOf7701, payment, { path: 'paymentObjID' }, 2],
    ['another unit', done, { ...payment, amount: 1_200_000 }, { code: 'amount_unit_mismatch' }, 1],
  ])('does not believe a record with %s, however often it looks', async (_, state, answer, error, looks) => {
    const { context, init, seen } = await hosted([state], [answer]);
    await expect(settle(waitForResult(context, init))).rejects.toMatchObject({ code: 'outcome_unknown', ...error });
    expect(seen.record).toBe(looks);
  });

  it.each<[string, Answer]>([
    ['is not there', down],
    ['is not done', { ...payment, status: '_error' }],
    ['has an error code', { ...payment, returnCode: '5' }],
    ['has no amount', { ...payment, amount: 0, paymentObjID: '' }],
  ])('ends with the error of state 2 when the record %s, after one look', async (_, answer) => {
    const { context, init, seen } = await hosted([failed], [answer]);
    const error = { outcome: 'error', errorText: 'Canceled by the guest.' };
    expect(await settle(waitForResult(context, init))).toEqual(error);
    expect(seen.record).toBe(1);
  });

  it('believes no larger surcharge than it is told', async () => {
    const { context, init } = await hosted([done], [surcharged]);
    const asked = { ...init, request: { ...init.request, surcharge: true } };
    expect(await settle(waitForResult(context, asked))).toMatchObject({ outcome: 'paid' });
    await expect(settle(waitForResult(context, asked, { maxSurchargePercent: 1.5 }))).rejects.toMatchObject({
      code: 'outcome_unknown',
      path: 'surchargeAmount',
    });
  });

  it('ends pending at its deadline', async () => {
    const { context, init } = await hosted([pending], []);
    expect(await settle(waitForResult(context, init, { deadlineMs: 5000 }))).toEqual({ outcome: 'pending' });
  });

  it('waits for the record, and reads it again when it could not', async () => {
    const { context, init, seen } = await hosted([done], [down, { ...payment, status: 'working' }, down, payment]);
    expect(await settle(waitForResult(context, init))).toMatchObject({ outcome: 'paid' });
    expect(seen.record).toBe(4);
  });

  it('does not know the outcome when the record stays unreadable', async () => {
    const { context, init } = await hosted([done], [down]);
    await expect(settle(waitForResult(context, init, { deadlineMs: 60_000 }))).rejects.toMatchObject({
      code: 'outcome_unknown',
      cause: { code: 'upstream_status' },
    });
  });

  it('passes an abort through', async () => {
    const { context, init } = await hosted([pending], []);
    const controller = new AbortController();
    const work = waitForResult(context, init, { signal: controller.signal });
    work.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(1500);
    controller.abort(new Error('page closed'));
    await expect(work).rejects.toThrow('page closed');
  });

  it('needs the request to compare with', async () => {
    const { context, init } = await hosted([], []);
    const { request, ...stored } = init;
    const all = [
      stored,
      undefined,
      null,
      { ...init, request: null },
      { ...init, request: { ...request, amount: 120 } },
    ];
    for (const bad of all) {
      await expect(waitForResult(context, bad as never)).rejects.toMatchObject({ code: 'invalid_input' });
    }
  });

  it.each([
    ['JSON', (init: object) => JSON.parse(JSON.stringify(init))],
    ['a structured clone', (init: object) => structuredClone({ ...init, viewUrl: '' })],
  ])('takes an init result that was stored as %s', async (_, store) => {
    const right = await hosted([done], [payment]);
    expect(await settle(waitForResult(right.context, store(right.init)))).toMatchObject({ outcome: 'paid' });
    const wrong = await hosted([done], [{ ...payment, amount: 11999 }]);
    const unknown = { code: 'outcome_unknown', path: 'amount' };
    await expect(settle(waitForResult(wrong.context, store(wrong.init)))).rejects.toMatchObject(unknown);
  });
});
