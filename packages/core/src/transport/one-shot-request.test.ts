import { afterEach, describe, expect, it, vi } from 'vitest';
import { exchange } from './exchange.ts';
import { type ExchangeRequest, toOneShotRequest } from './one-shot-request.ts';

const asked = { method: 'POST', url: 'https://pay.example/', headers: { accept: 'text/plain' }, body: '€' } as const;

/** The request that goes out. */
function build(request: ExchangeRequest): { request: Request; close: (() => void) | undefined } {
  const { init, close } = toOneShotRequest(request);
  return { request: new Request(request.url, init), close };
}

afterEach(() => vi.unstubAllGlobals());

/** What the runtime was given to make a request of. */
function stubRequest(keepsLength: boolean): RequestInit[] {
  const made: RequestInit[] = [];
  class StubRequest {
    headers: Headers;
    constructor(_: string, init: RequestInit) {
      made.push(init);
      this.headers = new Headers(init.headers);
      if (!keepsLength) this.headers.delete('content-length');
    }
  }
  vi.stubGlobal('Request', StubRequest);
  return made;
}

describe('toOneShotRequest', () => {
  it('makes a stream of the body and announces its length in bytes', async () => {
    const made = stubRequest(true);
    build(asked);
    expect(made.at(-1)).toMatchObject({ duplex: 'half', redirect: 'manual', headers: { 'content-length': '3' } });
    expect(made.at(-1)?.body).toBeInstanceOf(ReadableStream);
    vi.unstubAllGlobals();
    const { request, close } = build(asked);
    expect([request.redirect, request.headers.get('accept')]).toEqual(['manual', 'text/plain']);
    expect(await request.text()).toBe('€');
    await expect(request.text()).rejects.toThrow();
    expect(close).toBeUndefined();
  });

  it('sends bytes where the runtime keeps the length to itself', () => {
    const made = stubRequest(false);
    build(asked);
    expect(made.at(-1)).toMatchObject({
      redirect: 'manual',
      headers: asked.headers,
      body: new TextEncoder().encode('€'),
    });
  });

  it('announces no length for a request without a body', () => {
    const { request } = build({ ...asked, method: 'GET', body: undefined });
    expect([request.headers.get('content-length'), request.body]).toEqual([null, null]);
  });

  it('takes the stream of Workers that knows its length', async () => {
    const lengths: number[] = [];
    vi.stubGlobal(
      'FixedLengthStream',
      class extends TransformStream {
        constructor(length: number) {
          super();
          lengths.push(length);
        }
      },
    );
    const made = stubRequest(true);
    build(asked);
    expect(lengths).toEqual([3]);
    expect(made).toEqual([expect.objectContaining({ headers: asked.headers, redirect: 'manual' })]);
    expect(await new Response(made[0]?.body).text()).toBe('€');
  });

  it('sends bytes on a connection of its own on Deno, and closes it after the answer', async () => {
    const log: unknown[] = [];
    const client = { close: () => log.push('closed') };
    vi.stubGlobal('Deno', {
      createHttpClient: (options: unknown) => {
        log.push(options);
        return client;
      },
    });
    const made = stubRequest(true);
    await exchange(asked, {
      fetch: async () => {
        log.push('answered');
        return new Response('ok');
      },
      timeoutMs: 1000,
      maxBytes: 10,
    });
    expect(made).toEqual([expect.objectContaining({ client, body: new TextEncoder().encode('€') })]);
    expect(log).toEqual([{ poolMaxIdlePerHost: 0, http2: false }, 'answered', 'closed']);
  });

  it('sends bytes on a Deno that cannot open a connection of its own', () => {
    vi.stubGlobal('Deno', {});
    const made = stubRequest(true);
    expect(build(asked).close).not.toThrow();
    expect(made[0]?.body).toBeInstanceOf(Uint8Array);
  });
});
