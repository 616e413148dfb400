import { afterEach, describe, expect, it, vi } from 'vitest';
import { fakeUpstream, readSample, sampleOptions, sampleResponse } from '../../test-support/fake-upstream.ts';
import { type Client, createClient } from '../client.ts';
import type { ClientOptions } from '../context.ts';
import { ConfigurationError } from '../errors.ts';
import { Money } from '../values/money.ts';
import { REDACTED } from '../values/redacted.ts';

const PENDING = sampleResponse(readSample('paystatus'), 'pending');
const lost = (): Promise<Response> => Promise.reject(new TypeError('fetch failed'));
const busy = (): Response => new Response('', { status: 503, headers: { 'retry-after': '0' } });
const withToken = { credentials: undefined, accessToken: async () => 'token-1' };

/** A client on a list of answers, and everything its hooks were shown. */
function watched(answers: Parameters<typeof fakeUpstream>[0], more: Partial<ClientOptions> = {}) {
  const upstream = fakeUpstream(answers);
  const shown: unknown[] = [];
  const client: Client = createClient(
    sampleOptions({
      fetch: upstream.fetch,
      onRequest: (view) => shown.push(view),
      onResponse: (view) => shown.push(view),
      ...more,
    }),
  );
  return { client, shown, upstream };
}

afterEach(() => {
  vi.useRealTimers();
});

describe('an answer that names its transaction by no text', () => {
  const answer = (returnCode: string) => new Response(JSON.stringify({ returnCode, transactionID: { toString: '' } }));
  const money = { tokenNo: 'TK-0001', amount: Money.ofMinor(100n, 'EUR') };

  it.each(['0', '5'])('and the code %s leaves it open whether money has moved', async (code) => {
    const { client, upstream } = watched([() => answer(code)], withToken);
    await expect(client.pay(money)).rejects.toMatchObject({ code: 'outcome_unknown' });
    expect(upstream.requests).toHaveLength(1);
  });

  it('is no answer to a call that only reads', async () => {
    const { client } = watched([() => answer('0')], { ...withToken, maxNetworkRetries: 0 });
    await expect(client.transaction({ requestID: 'R-1' })).rejects.toMatchObject({ code: 'invalid_response' });
  });
});

describe('the settings of one call', () => {
  const hanging = (): Promise<Response> => new Promise(() => undefined);
  const money = { tokenNo: 'TK-0001', amount: Money.ofMinor(100n, 'EUR') };

  it('come before those of the client', async () => {
    const slow = watched([hanging], { ...withToken, maxNetworkRetries: 0 });
    await expect(slow.client.pay(money, { timeoutMs: 5 })).rejects.toMatchObject({ code: 'outcome_unknown' });
    const { client, upstream } = watched([busy], withToken);
    const read = client.transaction({ requestID: 'R-1' }, { maxNetworkRetries: 0 });
    await expect(read).rejects.toMatchObject({ status: 503 });
    expect(upstream.requests).toHaveLength(1);
  });

  it('make nothing that moves money be sent twice', async () => {
    const { client, upstream } = watched([lost], withToken);
    const options = { maxNetworkRetries: 5 };
    await expect(client.pay(money, options)).rejects.toMatchObject({ code: 'outcome_unknown' });
    expect(upstream.requests).toHaveLength(1);
  });

  it('are checked before anything is sent', async () => {
    const { client, upstream } = watched([PENDING], withToken);
    const bad = client.paystatus({ requestID: 'R-1' }, { timeoutMs: 0 });
    await expect(bad).rejects.toMatchObject({ code: 'configuration', path: 'timeoutMs' });
    expect(upstream.requests).toHaveLength(0);
  });
});

describe('the hooks', () => {
  it('are shown each attempt of a read', async () => {
    const { client, shown } = watched([busy, PENDING], withToken);
    await client.paystatus({ requestID: 'R-1' });
    const headers = { accept: 'application/json', authorization: REDACTED };
    const [first, refused, second, answered] = shown as Record<string, unknown>[];
    const operation = 'paystatus';
    const url = expect.stringMatching(/\/paystatus\b/);
    expect(first).toStrictEqual({ operation, attempt: 1, method: 'GET', url, headers });
    expect(refused).toStrictEqual({ operation, attempt: 1, status: 503, code: 'upstream_status', durationMs: 0 });
    expect(second).toStrictEqual({ ...first, attempt: 2 });
    expect(answered).toStrictEqual({ operation, attempt: 2, status: 200, body: PENDING, durationMs: 0 });
  });

  it('are shown what was sent, and that no answer came', async () => {
    const { client, shown } = watched([lost], withToken);
    await expect(client.pay({ tokenNo: 'TK-0001', amount: Money.ofMinor(100n, 'EUR') })).rejects.toThrow();
    const [sent, nothing] = shown as Record<string, unknown>[];
    expect(sent).toMatchObject({ method: 'POST', body: { currency: 'EUR', tokenNo: REDACTED } });
    expect(nothing).toStrictEqual({ operation: 'pay', attempt: 1, code: 'outcome_unknown', durationMs: 0 });
  });

  const init = { amount: Money.ofMinor(100n, 'EUR'), cardInfoRefID: 'R', resNo: 'R' };
  const urls = { callbackSuccessUrl: 'https://a.test/', callbackAbortUrl: 'https://a.test/' };
  const page = {
    returnCode: '0',
    requestID: 'R-1',
    viewUrl: 'https://moved.test/',
    stateRetrivalUrl: 'https://pay.example/s',
  };
  it.each([
    [
      'an address that is not trusted',
      page,
      (client: Client) => client.initpayNoIframe({ ...init, ...urls }),
      'viewUrl',
    ],
    ['a state of no kind', { state: 'paid' }, (client: Client) => client.paystatus({ requestID: 'R-1' }), 'state'],
    [
      'another amount',
      { returnCode: '0', transactionID: 'T-1', amount: 99 },
      (client: Client) => client.pay({ tokenNo: 'TK-0001', amount: Money.ofMinor(100n, 'EUR') }),
      'amount',
    ],
  ])('are told of %s what the caller is told, and where it was', async (_what, answer, ask, path) => {
    const { client, shown } = watched([answer], withToken);
    const error: unknown = await ask(client).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ path });
    expect(shown.at(-1)).toMatchObject({ status: 200, code: Object(error).code, path });
  });

  it('are told of a login that is refused inside a success that it was refused', async () => {
    const { fetch } = fakeUpstream([], { login: { returnCode: 1 } });
    const { client, shown } = watched([], { fetch });
    await expect(client.login()).rejects.toMatchObject({ code: 'authentication_failed' });
    expect(shown.at(-1)).toMatchObject({ status: 200, code: 'authentication_failed' });
  });

  it('see no authorization where there was none', async () => {
    const { client, shown } = watched([PENDING]);
    await client.login();
    expect((shown[0] as { headers: object }).headers).toStrictEqual({
      accept: 'application/json',
      'content-type': 'application/json',
    });
  });
});

it('says of an answer that is no JSON object that it is none', async () => {
  const { client } = watched([() => Response.json([])], withToken);
  await expect(client.paystatus({ requestID: 'R-1' })).rejects.toMatchObject({
    code: 'invalid_response',
    message: 'The answer to paystatus is not a JSON object.',
  });
});

it('has as many tries in all, with however many access tokens', async () => {
  vi.useFakeTimers();
  const { client, upstream } = watched([lost, () => new Response('', { status: 401 }), lost], {
    ...withToken,
    maxNetworkRetries: 2,
  });
  const read = client.paystatus({ requestID: 'R-1' }).catch(({ code }: { code: string }) => code);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await read).toBe('network');
  expect(upstream.requests).toHaveLength(4);
});

it('ends with the reason when it is aborted between two attempts', async () => {
  vi.useFakeTimers();
  const controller = new AbortController();
  const reason = new Error('enough');
  const { client, upstream } = watched([lost], withToken);
  const read = client.paystatus({ requestID: 'R-1' }, { signal: controller.signal }).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(50);
  controller.abort(reason);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await read).toBe(reason);
  expect(upstream.requests).toHaveLength(1);
});

it('passes on one of our errors that the caller’s own accessToken() throws', async () => {
  const error = new ConfigurationError('credentials', 'no');
  const accessToken = () => Promise.reject(error);
  const { client } = watched([PENDING], { credentials: undefined, accessToken });
  await expect(client.paystatus({ requestID: 'R-1' })).rejects.toBe(error);
});
