import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PAID_VIEW as done, OPEN_VIEW as view } from '../../test-support/checkout-view.ts';
import { type Answers, recordedFetch } from '../../test-support/recorded-fetch.ts';
import { type CheckoutView, createCheckout } from './checkout-client.ts';

const clientSecret = `${view.id}_secretsecretsecret`;
function problem(status: number, code: string, headers: Record<string, string> = {}): Response {
  const body = { type: 'about:blank', title: 'x', status, code, detail: 'why', traceId: 't-1' };
  return Response.json(body, { status, headers: { 'content-type': 'application/problem+json', ...headers } });
}

function checkout(answers: Answers) {
  const { fetch, requests } = recordedFetch('https://pay.hotel.example', answers);
  const client = createCheckout({ endpoint: 'https://pay.hotel.example/prefix/', clientSecret, fetch });
  return { client, requests };
}

/** Timers that stand still, the one behind `AbortSignal.timeout` included. */
function stopTime(): void {
  vi.useFakeTimers();
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((delayMs) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), delayMs);
    return controller.signal;
  });
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('createCheckout', () => {
  it('stops waiting when aborted or out of time, also for a fetch that ignores its signal', async () => {
    const hanging = () => new Promise<Response>(() => undefined);
    const silent = () => new Response(new ReadableStream({ pull: hanging as never }));
    stopTime();
    for (const answer of [hanging, silent]) {
      const { client } = checkout([answer]);
      const reason = new Error('page closed');
      const controller = new AbortController();
      const calls = [
        client.read({ signal: controller.signal }),
        client.start({ presentation: 'tab', terms: 1, signal: controller.signal }),
      ];
      controller.abort(reason);
      for (const call of calls) await expect(call).rejects.toBe(reason);
    }
    const late = expect(checkout([hanging]).client.read()).rejects.toMatchObject({
      code: 'timeout',
      message: 'No answer from the payment proxy in time.',
    });
    const sooner = expect(checkout([hanging]).client.read({ timeoutMs: 50 })).rejects.toMatchObject({
      code: 'timeout',
    });
    await vi.advanceTimersByTimeAsync(50);
    await sooner;
    await vi.advanceTimersByTimeAsync(10_000);
    await late;
  });

  it.each([2 ** 31, Number.POSITIVE_INFINITY, 1000.5])(
    'lets a request take %s ms, which a timer cannot',
    async (timeoutMs) => {
      const slow = () => new Promise<Response>((resolve) => setTimeout(resolve, 50, Response.json(view)));
      await expect(checkout([slow]).client.read({ timeoutMs })).resolves.toEqual(view);
    },
  );

  it('starts with a bearer, the presentation and the terms that were shown', async () => {
    const { client, requests } = checkout([() => Response.json({ ...view, viewUrl: 'https://view.example/?PD=1' })]);
    expect((await client.start({ presentation: 'tab', terms: 2 })).viewUrl).toBe('https://view.example/?PD=1');
    const [request] = requests;
    expect(request?.method).toBe('POST');
    expect(request?.path).toBe('/prefix/v1/checkout/start');
    expect(request?.headers.get('authorization')).toBe(`Bearer ${clientSecret}`);
    expect(request?.headers.get('content-type')).toBe('application/json');
    expect(request?.redirect).toBe('manual');
    expect(JSON.parse(request?.body ?? '')).toEqual({ presentation: 'tab', terms: 2 });
  });

  it('reads', async () => {
    const { client, requests } = checkout([() => Response.json(view)]);
    expect(await client.read()).toEqual(view);
    expect(requests[0]?.path).toBe('/prefix/v1/checkout');
  });

  it('says what the proxy said', async () => {
    const { client } = checkout([() => problem(429, 'rate_limited', { 'retry-after': '7' })]);
    await expect(client.read()).rejects.toMatchObject({
      name: 'CheckoutError',
      code: 'rate_limited',
      status: 429,
      retryAfterSeconds: 7,
      traceId: 't-1',
    });
  });

  it('tells an unreachable proxy, a captive portal and a broken answer apart', async () => {
    const lost = checkout([
      () => {
        throw new TypeError('Failed to fetch');
      },
    ]);
    await expect(lost.client.read()).rejects.toMatchObject({ code: 'network' });
    const portal = checkout([() => new Response('<html>sign in</html>')]);
    await expect(portal.client.read()).rejects.toMatchObject({
      ...{ code: 'invalid_response', path: '', message: expect.stringContaining('path of the endpoint') },
    });
    const incomplete = checkout([() => Response.json(view)]);
    await expect(incomplete.client.start({ presentation: 'redirect', terms: 1 })).rejects.toMatchObject({
      code: 'invalid_response',
      path: 'viewUrl',
    });
    const ofAnother = checkout([() => Response.json({ ...view, id: `${view.id.slice(0, -1)}B` })]);
    await expect(ofAnother.client.read()).rejects.toMatchObject({ code: 'invalid_response', path: 'id' });
    const unexplained = checkout([() => new Response('oops', { status: 502 })]);
    await expect(unexplained.client.read()).rejects.toMatchObject({ code: 'upstream_status', status: 502 });
  });

  it.each([
    ['endpoint', undefined],
    ['endpoint', null],
    ['endpoint', { clientSecret }],
    ['endpoint', { endpoint: 'pay.hotel.example', clientSecret }],
    ['endpoint', { endpoint: 'javascript:alert(1)', clientSecret }],
    ['endpoint', { endpoint: 'https://<your-proxy>', clientSecret }],
    ['endpoint', { endpoint: 'http://localhost:87870', clientSecret }],
    ['endpoint', { endpoint: 'https://pay.hotel.example ', clientSecret }],
    ['clientSecret', { endpoint: 'https://pay.hotel.example', clientSecret: '' }],
    ['clientSecret', { endpoint: 'https://pay.hotel.example' }],
    ['clientSecret', { endpoint: 'https://pay.hotel.example', clientSecret: `sk_live_${'x'.repeat(32)}` }],
    ['clientSecret', { endpoint: 'https://pay.hotel.example', clientSecret: 'cs_01J0000000000000000000000A' }],
  ])('names the bad setting %s', (path, options) => {
    expect(() => createCheckout(options as never)).toThrow(expect.objectContaining({ code: 'configuration', path }));
  });

  it('keeps the secret out of its errors', async () => {
    const { client } = checkout([() => problem(401, 'unauthorized')]);
    const error = await client.read().catch((thrown: unknown) => thrown);
    expect(inspect(error, { showHidden: true, depth: 9 }) + JSON.stringify(error)).not.toContain('secretsecret');
    const quoting = createCheckout({
      endpoint: 'https://pay.hotel.example',
      clientSecret,
      fetch: async (_, init) => Promise.reject(new TypeError(`cannot send ${JSON.stringify(init?.headers)}`)),
    });
    const lost = await quoting.read().catch((thrown: unknown) => thrown);
    expect(lost).toMatchObject({ code: 'network', cause: { message: expect.stringContaining('[redacted]') } });
    expect(inspect(lost, { showHidden: true, depth: 9 })).not.toContain('secretsecret');
  });
});

describe('watch', () => {
  it('yields each new version once, at the proxy’s pace, and ends with a final one', async () => {
    vi.useFakeTimers();
    const pending = { ...view, status: 'pending', nextPollMs: 2000 } as const;
    const unknown = { ...view, status: 'unknown', seq: 2, nextPollMs: 1000 } as const;
    const back = { ...pending, returned: true };
    const { client, requests } = checkout(
      [pending, pending, back, back, unknown, unknown, done].map((each) => () => Response.json(each)),
    );
    const seen: string[] = [];
    const watching = (async () => {
      for await (const { status, returned } of client.watch()) seen.push(`${status}${returned ? ', returned' : ''}`);
    })();
    await vi.advanceTimersByTimeAsync(1999);
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1 + 3 * 2000 + 1000 + 1000);
    await watching;
    expect(seen).toEqual(['pending', 'pending, returned', 'unknown', 'succeeded']);
    expect(requests).toHaveLength(7);
  });

  it('ends with a session that is open again: only a start goes on', async () => {
    vi.useFakeTimers();
    const declined = { ...view, seq: 3, error: { code: 'declined' } } as const;
    const { client, requests } = checkout(
      [{ ...view, status: 'pending', seq: 2, nextPollMs: 1000 }, declined].map((each) => () => Response.json(each)),
    );
    const watching = (async () => {
      let last: CheckoutView | undefined;
      for await (const each of client.watch()) last = each;
      return last;
    })();
    await vi.advanceTimersByTimeAsync(1000);
    expect(await watching).toEqual(declined);
    expect(requests).toHaveLength(2);
  });

  it('survives lost connections, failures and throttling, and honours Retry-After', async () => {
    vi.useFakeTimers();
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const { client, requests } = checkout([
      () => {
        throw new TypeError('Failed to fetch');
      },
      () => problem(503, 'upstream_unavailable'),
      () => new Response('<html>', { status: 200 }),
      () => problem(429, 'rate_limited', { 'retry-after': '30' }),
      () => Response.json(done),
    ]);
    const looks = client.watch();
    const first = looks.next();
    await vi.advanceTimersByTimeAsync(1000 + 2000 + 4000);
    expect(requests).toHaveLength(4);
    await vi.advanceTimersByTimeAsync(29_000);
    expect(requests.length).toBe(4);
    await vi.advanceTimersByTimeAsync(1000);
    expect((await first).value).toEqual(done);
  });

  it.each([401, 403, 404])('throws a %i, which looking again cannot cure', async (status) => {
    const { client, requests } = checkout([() => problem(status, 'x')]);
    await expect(client.watch().next()).rejects.toMatchObject({ name: 'CheckoutError', status });
    expect(requests).toHaveLength(1);
  });
});
