import { describe, expect, it } from 'vitest';
import { exchange } from './exchange.ts';

const request = { method: 'POST', url: 'https://pay.example/', headers: {}, body: '{}' } as const;

function run(fetch: (request: Request) => Promise<Response>, options: Partial<Parameters<typeof exchange>[1]> = {}) {
  return exchange(request, { fetch, timeoutMs: 1000, maxBytes: 100, ...options });
}

function failing(cause: unknown) {
  return run(async () => {
    throw Object.assign(new TypeError('fetch failed'), { cause });
  });
}

describe('exchange', () => {
  it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])(
    'proves by %s that nothing was sent',
    async (code) => {
      expect(await failing({ code })).toMatchObject({ kind: 'not_sent' });
    },
  );

  it('takes a system error for proof only when connecting failed', async () => {
    expect(await failing({ code: 'EHOSTUNREACH', syscall: 'connect' })).toMatchObject({ kind: 'not_sent' });
    expect(await failing({ code: 'EHOSTUNREACH', syscall: 'read' })).toMatchObject({ kind: 'connection_lost' });
    expect(await failing({ code: 'ETIMEDOUT', syscall: 'read' })).toMatchObject({ kind: 'connection_lost' });
  });

  it('takes several attempts to connect for proof only when each one failed to', async () => {
    const refused = { code: 'ECONNREFUSED', syscall: 'connect' };
    expect(await failing({ code: 'ECONNREFUSED', errors: [refused, refused] })).toMatchObject({ kind: 'not_sent' });
    expect(await failing({ code: 'ECONNREFUSED', errors: [refused, { code: 'ECONNRESET' }] })).toMatchObject({
      kind: 'connection_lost',
    });
  });

  it('knows that what cannot be a request was not sent', async () => {
    let calls = 0;
    const fetch = async (): Promise<Response> => {
      calls += 1;
      return new Response();
    };
    const bad = { ...request, headers: { authorization: 'Bearer line\nbreak' } };
    expect(await exchange(bad, { fetch, timeoutMs: 1000, maxBytes: 100 })).toMatchObject({ kind: 'not_sent' });
    expect(calls).toBe(0);
  });

  it.each([
    [{ code: 'ECONNRESET' }],
    [{ code: 'UND_ERR_SOCKET' }],
    [{ code: 'EPIPE' }],
    [{}],
    [undefined],
    ['ECONNREFUSED'],
  ])('proves nothing by %j', async (cause) => {
    expect(await failing(cause)).toMatchObject({ kind: 'connection_lost' });
  });

  it('gives up in time on a fetch and on a body that ignore their signal', async () => {
    expect(await run(() => new Promise(() => undefined), { timeoutMs: 5 })).toEqual({ kind: 'timed_out' });
    const endless = new Response(new ReadableStream({ pull: () => new Promise(() => undefined) }));
    expect(await run(async () => endless, { timeoutMs: 5 })).toEqual({ kind: 'timed_out' });
  });

  it('does not take a very long time limit for none at all', async () => {
    const slow = (): Promise<Response> => new Promise((resolve) => setTimeout(() => resolve(new Response('x')), 20));
    expect(await run(slow, { timeoutMs: 1e12 })).toMatchObject({ kind: 'reply' });
  });

  it('reads up to the size cap and not one byte more', async () => {
    expect(await run(async () => new Response('x'.repeat(100)))).toMatchObject({
      kind: 'reply',
      bytes: { length: 100 },
    });
    let canceled = false;
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(60)),
      cancel: () => {
        canceled = true;
      },
    });
    expect(await run(async () => new Response(endless))).toMatchObject({ kind: 'too_large', status: 200 });
    expect(canceled).toBe(true);
  });

  it('reads no body that nobody wants', async () => {
    expect(await run(async () => new Response('x'.repeat(1000), { status: 500 }))).toMatchObject({
      kind: 'reply',
      status: 500,
      bytes: { length: 0 },
    });
  });

  it('asks for no redirect to be followed', async () => {
    let redirect: string | undefined;
    await run(async (sent) => {
      redirect = sent.redirect;
      return new Response('');
    });
    expect(redirect).toBe('manual');
  });
});
