/** One HTTP request, ready to go. */
export interface ExchangeRequest {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer> | undefined;
}

/** A request that no runtime sends twice by itself, and what to call when its answer was read. */
export interface OneShotRequest {
  request: Request;
  close?: () => void;
}

/** What two runtimes have beside the web platform. */
interface RuntimeExtras {
  Deno?: { createHttpClient?: (options: { poolMaxIdlePerHost: number }) => { close: () => void } };
  FixedLengthStream?: new (length: number) => TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>;
}

/**
 * Makes a request that follows no redirect, and whose body can be read only once: Node sends a body that it can read again a
 * second time after a 421. The length is announced, because some services refuse a chunked body. Where a runtime cannot do
 * both, as in a page, the length wins.
 *
 * @throws TypeError for an address or headers that cannot be sent
 */
export function toOneShotRequest({ url, method, headers, body }: ExchangeRequest, signal: AbortSignal): OneShotRequest {
  const init: RequestInit & { duplex?: 'half' } = { method, headers, redirect: 'manual', signal };
  if (body === undefined) return { request: new Request(url, init) };
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const { Deno, FixedLengthStream } = globalThis as RuntimeExtras;

  if (Deno !== undefined) {
    // Deno sends every stream chunked. By itself it sends again only what a reused connection lost: so none is reused.
    const client = Deno.createHttpClient?.({ poolMaxIdlePerHost: 0 });
    const request = new Request(url, { ...init, body: bytes, client } as RequestInit);
    return client === undefined ? { request } : { request, close: () => client.close() };
  }
  if (FixedLengthStream !== undefined) {
    // On Workers the header announces nothing; this stream does.
    const { readable, writable } = new FixedLengthStream(bytes.length);
    const writer = writable.getWriter();
    for (const writing of [writer.write(bytes), writer.close()]) writing.catch(() => undefined);
    return { request: new Request(url, { ...init, body: readable }) };
  }
  const length = String(bytes.length);
  const stream = new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
  init.duplex = 'half';
  const request = new Request(url, { ...init, body: stream, headers: { ...headers, 'content-length': length } });
  // Pages drop the header, and some of them cannot send a stream at all.
  if (request.headers.get('content-length') === length) return { request };
  return { request: new Request(url, { ...init, body: bytes }) };
}
