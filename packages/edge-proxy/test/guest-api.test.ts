import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { createSession, guest, PAYMENT, send } from '../test-support/client.ts';
import { editedDependencies } from '../test-support/edited-proxy.ts';
import { KEYS } from '../test-support/environment.ts';
import { useFakes } from '../test-support/harness.ts';
import { expectProblem } from '../test-support/problem.ts';
import { createApp } from '../test-support/whole-app.ts';

const fakes = useFakes();
const START = { presentation: 'redirect', terms: 1 };

describe('the views', () => {
  test('are never cached, and say how long they took', async () => {
    const { headers } = await guest('/v1/checkout', (await createSession()).clientSecret);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('server-timing')).toMatch(/^total;dur=\d+$/);
    expect(headers.get('set-cookie')).toBeNull();
  });

  test('take over no trace that is none', async () => {
    const forged = await send('/healthz', { headers: { traceparent: 'x"y' } });
    expect(forged.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('origins', () => {
  test('of the property may read, and learn what they need; they may be absent, too', async () => {
    const session = await createSession();
    for (const origin of ['https://aurora.test', 'http://localhost:4000', 'https://proxy.test', null]) {
      const answer = await guest('/v1/checkout', session.clientSecret, { origin });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
      if (origin === null) continue;
      expect(answer.headers.get('access-control-expose-headers')).toBe('retry-after, x-request-id');
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
      expect(answer.headers.get('vary')).toBe('Authorization, Origin');
    }
  });

  test.each(['https://borealis.test', 'https://aurora.test.evil.test'])('%s can start nothing', async (origin) => {
    const session = await createSession();
    for (const answer of [
      await guest('/v1/checkout', session.clientSecret, { origin }),
      await guest('/v1/checkout/start', session.clientSecret, { origin, body: START }),
    ]) {
      await expectProblem(answer, 403, { code: 'forbidden' });
      expect(answer.headers.get('vary')).toBe('Authorization, Origin');
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
    expect(fakes.upstream.count('initpayNoIframe')).toBe(0);
  });

  test('all pass the preflight, which reveals nothing', async () => {
    const asked = {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization, content-type',
    };
    for (const origin of ['https://aurora.test', 'https://evil.test', 'null']) {
      const answer = await send('/v1/checkout/start', { method: 'OPTIONS', headers: { origin, ...asked } });
      expect([answer.status, answer.headers.get('vary')]).toEqual([204, 'Authorization, Origin']);
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
      expect(answer.headers.get('access-control-allow-methods')).toBe('GET, POST');
      expect(answer.headers.get('access-control-allow-headers')).toContain('authorization');
    }
  });

  test('that are refused are told which ones a test hotel has, and no live one', async () => {
    const origin = 'https://evil.test';
    const session = await createSession();
    const detail = 'This origin is not one of the property’s origins';
    await expectProblem(guest('/v1/checkout', session.clientSecret, { origin }), 403, {
      detail: `${detail}: https://aurora.test, http://localhost:4000`,
    });
    const live = await createSession({ returnUrl: 'https://borealis.test/' }, KEYS.borealis);
    await expectProblem(guest('/v1/checkout', live.clientSecret, { origin }), 403, { detail });
  });

  test('let a page read a refusal', async () => {
    const answer = await guest('/v1/checkout', `${(await createSession()).id}_${'x'.repeat(43)}`);
    await expectProblem(answer, 401, { code: 'unauthorized' });
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://aurora.test');
  });

  test('get no CORS on merchant routes', async () => {
    const answer = await guest('/v1/status', (await createSession()).clientSecret);
    await expectProblem(answer, 401, { code: 'unauthorized' });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('a body that does not come', () => {
  const app = createApp(editedDependencies());
  /** A request whose body begins and goes on as it is told to. */
  const post = (path: string, secret: string, body: UnderlyingSource<Uint8Array>): Promise<Response> =>
    Promise.resolve(
      app.fetch(
        new Request(`https://proxy.test${path}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
          body: new ReadableStream(body),
        }),
      ),
    );
  type Controller = ReadableStreamDefaultController<Uint8Array>;
  const never: UnderlyingSource<Uint8Array> = {
    start: (controller: Controller) => controller.enqueue(new TextEncoder().encode('{"presentation":')),
  };

  test('is not waited for when the secret is wrong', async () => {
    const { id } = await createSession();
    await expectProblem(post('/v1/checkout/start', `${id}_${'x'.repeat(43)}`, never), 401, { code: 'unauthorized' });
    await expectProblem(post('/v1/checkout-sessions', 'sk_test_wrong', never), 401, { code: 'unauthorized' });
  });

  test.each(['/v1/checkout/start', '/v1/checkout-sessions', '/v1/gateway/RMS/roomreq'])(
    'is given up after 20 seconds, and is no failure of ours: %s',
    async (path) => {
      const secret = path === '/v1/checkout/start' ? (await createSession()).clientSecret : KEYS.aurora;
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const cancel = vi.fn();
      const answer = post(path, secret, { ...never, cancel });
      for (let second = 0; second < 100 && cancel.mock.calls.length === 0; second += 1) {
        await vi.advanceTimersByTimeAsync(1_000);
        await scheduler.wait(5);
      }
      await expectProblem(answer, 400, { code: 'invalid_request' });
    },
  );

  test('because its sender has gone is no failure of ours', async () => {
    const lost: UnderlyingSource<Uint8Array> = {
      ...never,
      pull: (controller: Controller) => controller.error(new TypeError('Network connection lost.')),
    };
    const { clientSecret } = await createSession();
    const answer = post('/v1/checkout/start', clientSecret, lost);
    const detail = 'The body broke off, or took 20 seconds';
    await expectProblem(answer, 400, { code: 'invalid_request', param: 'body', detail });
  });

  test('to its end is refused at the first byte too many, whatever length it promises', async () => {
    const endless: UnderlyingSource<Uint8Array> = {
      pull: (controller: Controller) => controller.enqueue(new Uint8Array(4_096)),
    };
    const { clientSecret } = await createSession();
    await expectProblem(post('/v1/checkout/start', clientSecret, endless), 413, { code: 'payload_too_large' });
  });
});

describe('client secrets', () => {
  test('of another session open nothing', async () => {
    const [mine, other] = [await createSession(), await createSession()];
    const mixed = `${other.id}${mine.clientSecret.slice(mine.id.length)}`;
    await expectProblem(guest('/v1/checkout', mixed), 401, { code: 'unauthorized' });
    await expectProblem(guest('/v1/checkout/start', mixed, { body: START }), 401, { code: 'unauthorized' });
  });

  test.each(['cs_short', `cs_${'0'.repeat(26)}_${'a'.repeat(42)}`, 'a b'])('“%s” is 401', async (secret) => {
    await expectProblem(guest('/v1/checkout', secret), 401, { code: 'unauthorized' });
  });

  test('come in a header of one form alone', async () => {
    const { clientSecret } = await createSession();
    const ask = (headers: Record<string, string>) => send('/v1/checkout', { headers });
    for (const authorization of ['Basic abc', `Basic Bearer ${clientSecret}`, `Bearer ${clientSecret} more`]) {
      await expectProblem(ask({ authorization }), 401, { code: 'unauthorized' });
    }
    await expectProblem(ask({}), 401, { code: 'unauthorized' });
    expect((await ask({ authorization: `bearer ${clientSecret}` })).status).toBe(200);
  });

  test('that are wrong can be counted by the host, as can all acts of guests', async () => {
    for (const host of [env.GUEST_LIMIT, env.FAILURE_LIMIT] as RateLimit[]) {
      expect(await host.limit({ key: 'a test' })).toEqual({ success: true });
    }
  });
});

test.each([
  ['an unknown field', { ...START, amount: { value: 1, currency: 'EUR' } }, 'amount'],
  ['an unknown presentation', { ...START, presentation: 'iframe' }, 'presentation'],
  ['no terms', { presentation: 'redirect' }, 'terms'],
  ['terms that are no version', { ...START, terms: 0 }, 'terms'],
  ['nothing', {}, 'presentation'],
])('the start’s body with %s is 400', async (_, body, param) => {
  const session = await createSession();
  const answer = guest('/v1/checkout/start', session.clientSecret, { body });
  await expectProblem(answer, 400, { code: 'invalid_request', param });
});

test('a page cannot change the amount: it is the one the hotel fixed', async () => {
  const session = await createSession();
  await guest('/v1/checkout/start', session.clientSecret, { body: { ...START, amount: 1 } });
  await guest(`/v1/checkout/start?amount=1`, session.clientSecret, { body: START });
  expect(fakes.upstream.of(session.id).init.amount).toBe(String((PAYMENT.amount as { value: number }).value));
});
