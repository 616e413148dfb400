import { describe, expect, it } from 'vitest';
import { fakeUpstream, sampleContext } from '../../test-support/fake-upstream.ts';
import { AuthenticationError, NetworkError, UpstreamStatusError } from '../errors.ts';
import { paystatus } from '../operations/paystatus.ts';
import { Redacted } from '../values/redacted.ts';
import { createAccessTokenCache } from './access-token.ts';

const START = Date.parse('2026-06-01T10:00:00Z');

/** A cache on a clock that the test moves, whose logins give token 1, 2, 3 … for `lifetimeSeconds`. */
function cacheFor(lifetimeSeconds: number) {
  const state = {
    time: START,
    logins: 0,
    failure: undefined as Error | undefined,
    gate: undefined as Promise<void> | undefined,
  };
  const cache = createAccessTokenCache({
    now: () => new Date(state.time),
    login: async () => {
      state.logins += 1;
      if (state.failure !== undefined) throw state.failure;
      const token = new Redacted(`token-${state.logins}`);
      await state.gate;
      const expiresAt = new Date(state.time + lifetimeSeconds * 1000);
      return { accessToken: token, expiresAt, roles: [] };
    },
  });
  /** Has logins take until it is called. */
  const hold = (): (() => void) => {
    let finish = (): void => undefined;
    state.gate = new Promise((resolve) => (finish = resolve));
    return () => finish();
  };
  return { state, cache, hold };
}

/** Lets work in the background finish. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

describe('the access-token cache', () => {
  it.each([
    [4800, 4740],
    [600, 540],
    [100, 90],
  ])('renews a token of %i s after %i s', async (lifetime, renewal) => {
    const { state, cache } = cacheFor(lifetime);
    expect(await cache.get({})).toBe('token-1');
    state.time += renewal * 1000 - 1;
    expect(await cache.get({})).toBe('token-1');
    expect(state.logins).toBe(1);
    state.time += 1;
    expect(await cache.get({})).toBe('token-1');
    expect(state.logins).toBe(2);
    await settled();
    expect(await cache.get({})).toBe('token-2');
    expect(state.logins).toBe(2);
  });

  it('delays no call by an early renewal, which runs once however slow it is', async () => {
    const { state, cache, hold } = cacheFor(4800);
    await cache.get({});
    state.time += 4750 * 1000;
    const finish = hold();
    expect(await Promise.all([cache.get({}), cache.get({}), cache.get({})])).toEqual(['token-1', 'token-1', 'token-1']);
    expect(state.logins).toBe(2);
    finish();
    await settled();
    expect(await cache.get({})).toBe('token-2');
  });

  it('waits for a renewal under way once the token has expired', async () => {
    const { state, cache, hold } = cacheFor(4800);
    await cache.get({});
    state.time += 4750 * 1000;
    const finish = hold();
    await cache.get({});
    state.time += 50 * 1000;
    const late = cache.get({});
    finish();
    expect(await late).toBe('token-2');
    expect(state.logins).toBe(2);
  });

  it('tries an early renewal that failed again only after half of the time that is left', async () => {
    const { state, cache } = cacheFor(4800);
    await cache.get({});
    state.time += 4740 * 1000;
    state.failure = new NetworkError('down');
    for (const [seconds, logins] of [
      [0, 2],
      [29, 2],
      [1, 3],
      [14, 3],
      [1, 4],
    ] as const) {
      state.time += seconds * 1000;
      expect(await cache.get({})).toBe('token-1');
      await settled();
      expect(state.logins).toBe(logins);
    }
    state.time += 60_000;
    await expect(cache.get({})).rejects.toBe(state.failure);
  });

  it('logs in again for a rejected token, once, and not for one it no longer has', async () => {
    const { state, cache } = cacheFor(4800);
    const first = await cache.get({});
    expect(await Promise.all([cache.get({ rejected: first }), cache.get({ rejected: first })])).toEqual([
      'token-2',
      'token-2',
    ]);
    expect(await cache.get({ rejected: first })).toBe('token-2');
    expect(state.logins).toBe(2);
  });

  it('pauses after refused logins, twice as long each time up to 15 minutes', async () => {
    const { state, cache } = cacheFor(4800);
    state.failure = new AuthenticationError('refused', { status: 401 });
    for (const [index, seconds] of [30, 60, 120, 240, 480, 900, 900].entries()) {
      await expect(cache.get({})).rejects.toBe(state.failure);
      expect(state.logins).toBe(index + 1);
      state.time += seconds * 1000 - 1;
      await expect(cache.get({})).rejects.toMatchObject({ code: 'authentication_failed', status: undefined });
      expect(state.logins).toBe(index + 1);
      state.time += 1;
    }
  });

  it('starts with the short pause again after a good login', async () => {
    const { state, cache } = cacheFor(4800);
    state.failure = new AuthenticationError('refused', { status: 401 });
    for (const seconds of [30, 60]) {
      await expect(cache.get({})).rejects.toBe(state.failure);
      state.time += seconds * 1000;
    }
    state.failure = undefined;
    const token = await cache.get({});
    state.failure = new AuthenticationError('refused', { status: 401 });
    await expect(cache.get({ rejected: token })).rejects.toBe(state.failure);
    state.time += 30_000;
    state.failure = undefined;
    await expect(cache.get({})).resolves.toBe('token-5');
  });

  it.each([
    new NetworkError('down'),
    ...[408, 429, 503].map((status) => new UpstreamStatusError(`status ${status}`, status)),
  ])('does not pause after a login that failed without a refusal: %s', async (failure) => {
    const { state, cache } = cacheFor(4800);
    state.failure = failure;
    await expect(cache.get({})).rejects.toBe(state.failure);
    state.failure = undefined;
    await expect(cache.get({})).resolves.toBe('token-2');
  });
});

describe('operations and the access token', () => {
  it.each([undefined, new AbortController().signal])(
    'take a token that comes at once, with signal %s',
    async (signal) => {
      const upstream = fakeUpstream([{ state: 0 }]);
      const accessToken = (() => 'at-once') as unknown as () => Promise<string>;
      const context = sampleContext(upstream, { credentials: undefined, accessToken });
      await paystatus(context, { requestID: 'R-1' }, { signal });
      expect(upstream.requests[0]?.headers.authorization).toBe('Bearer at-once');
    },
  );

  it('ask the caller’s own source once with the rejected token', async () => {
    const hints: object[] = [];
    const upstream = fakeUpstream([() => new Response('', { status: 401 }), { state: 0 }]);
    const context = sampleContext(upstream, {
      credentials: undefined,
      accessToken: async (hint) => {
        hints.push(hint);
        return `own-${hints.length}`;
      },
    });
    await paystatus(context, { requestID: 'R-1' });
    expect(hints).toEqual([{}, { rejected: 'own-1' }]);
    expect(upstream.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer own-1', 'Bearer own-2']);
  });

  const THREW = { message: expect.stringContaining('accessToken() gave none'), cause: { message: 'vault sealed' } };
  it.each([
    ['throws', async () => Promise.reject(new Error('vault sealed')), THREW],
    [
      'throws at once',
      () => {
        throw new Error('vault sealed');
      },
      THREW,
    ],
    ['returns nothing', async () => '', { message: expect.stringContaining('accessToken() gave none') }],
    ['returns no text', async () => 7 as never, { message: expect.stringContaining('accessToken() gave none') }],
  ])('send nothing when the caller’s own source %s', async (_, accessToken, details) => {
    const upstream = fakeUpstream([{ state: 0 }]);
    const context = sampleContext(upstream, { credentials: undefined, accessToken });
    const expected = { code: 'authentication_failed', ...details };
    await expect(paystatus(context, { requestID: 'R-1' })).rejects.toMatchObject(expected);
    expect(upstream.requests).toHaveLength(0);
  });

  it('say nothing of the rejected token when the caller’s own source quotes it', async () => {
    const upstream = fakeUpstream([() => new Response('', { status: 401 })]);
    const accessToken = async ({ rejected }: { rejected?: string }) => {
      if (rejected === undefined) return 'token-of-before';
      throw new Error(`cannot renew ${rejected}`);
    };
    const context = sampleContext(upstream, { credentials: undefined, accessToken });
    const expected = { code: 'authentication_failed', cause: { message: 'cannot renew [redacted]' } };
    await expect(paystatus(context, { requestID: 'R-1' })).rejects.toMatchObject(expected);
  });

  it('leave the shared login alone when one of the callers gives up', async () => {
    let answer = (_: Response): void => undefined;
    const upstream = fakeUpstream([{ state: 0 }], {
      login: () =>
        new Promise<Response>((resolve) => {
          answer = resolve;
        }),
    });
    const context = sampleContext(upstream);
    const controller = new AbortController();
    const quitter = paystatus(context, { requestID: 'R-1' }, { signal: controller.signal });
    const stayer = paystatus(context, { requestID: 'R-1' });
    await expect.poll(() => upstream.logins.length).toBe(1);
    controller.abort(new Error('gave up'));
    await expect(quitter).rejects.toThrow('gave up');
    answer(Response.json({ access_token: 't', expires_in: 4800 }));
    expect(await stayer).toMatchObject({ state: 'pending' });
    expect(upstream.logins).toHaveLength(1);
  });
});
