/** One HTTP request, ready to go. */
export interface ExchangeRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer> | undefined;
}

/** How to make a request that no runtime sends twice by itself, and what to call once its answer has been read. */
export interface OneShotRequest {
  init: RequestInit & { duplex?: 'half'; client?: unknown };
  close?: () => void;
}

/** Additions of two runtimes to the web platform. */
interface RuntimeExtras {
  Deno?: { createHttpClient?: (options: { poolMaxIdlePerHost: number; http2: boolean }) => { close: () => void } };
  FixedLengthStream?: new (length: number) => TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>;
}

/**
 * How to make a request that follows no redirect, and whose body can be read only once: Node sends a body that it can read
 * again a second time after a 421. The length is announced, because some services refuse a chunked body. Where a runtime
 * cannot do both, as in a page, the length wins.
 */
export function toOneShotRequest({ url, method, headers, body }: ExchangeRequest): OneShotRequest {
  const init: RequestInit = { method, headers, redirect: 'manual' };
  if (body === undefined) return { init };
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const { Deno, FixedLengthStream } = globalThis as RuntimeExtras;

  if (Deno !== undefined) {
    // Deno sends every stream chunked. It repeats what a reused connection lost, and what a server refuses over HTTP/2: it may do neither.
    const client = Deno.createHttpClient?.({ poolMaxIdlePerHost: 0, http2: false });
    return { init: { ...init, body: bytes, client }, close: () => client?.close() };
  }
  if (FixedLengthStream !== undefined) {
    // On Workers the header has no effect; this stream announces the length.
    const { readable, writable } = new FixedLengthStream(bytes.length);
    const writer = writable.getWriter();
    for (const writing of [writer.write(bytes), writer.close()]) writing.catch(() => undefined);
    return { init: { ...init, body: readable } };
  }
  const announced = { ...headers, 'content-length': String(bytes.length) };
  // Pages drop the header, and some of them cannot send a stream at all.
  if (!new Request(url, { headers: announced }).headers.has('content-length'))
    return { init: { ...init, body: bytes } };
  const stream = new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
  return { init: { ...init, headers: announced, body: stream, duplex: 'half' } };
}
