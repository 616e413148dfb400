/** A server that listens in the place of another one, passes everything on to it, and so can record what it is asked. */
import { createServer, request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Handler } from './record-exchanges.ts';

// They speak of one connection, and here there are two.
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const LOOPBACK = '127.0.0.1';

/** Passes requests to a loopback port as they are, `Host` included. Rejects when the connection breaks before an answer. */
export function forwardTo(port: number): Handler {
  return (request) =>
    new Promise((resolve, reject) => {
      const { pathname, search } = new URL(request.url);
      const outgoing = httpRequest(
        {
          host: LOOPBACK,
          port,
          method: request.method,
          path: `${pathname}${search}`,
          headers: Object.fromEntries([...request.headers].filter(([name]) => !HOP_BY_HOP.has(name))),
          // A pooled connection may be closed by the other side just as it is used again; a payment must not fail by that.
          agent: false,
        },
        (incoming) => {
          const headers = new Headers();
          for (const [name, values] of Object.entries(incoming.headersDistinct)) {
            if (!HOP_BY_HOP.has(name)) for (const value of values ?? []) headers.append(name, value);
          }
          const status = incoming.statusCode ?? 502;
          const hasBody = request.method !== 'HEAD' && ![204, 205, 304].includes(status);
          if (!hasBody) incoming.resume();
          // Node's own stream type and the platform's describe the same object.
          const body = hasBody ? (Readable.toWeb(incoming) as ReadableStream<Uint8Array>) : null;
          resolve(new Response(body, { status, headers }));
        },
      );
      outgoing.once('error', reject);
      request.signal.addEventListener('abort', () => outgoing.destroy(), { once: true });
      if (request.body === null) outgoing.end();
      else Readable.fromWeb(request.body as import('node:stream/web').ReadableStream).pipe(outgoing);
    });
}

/** Serves a handler on loopback. A handler that rejects destroys the connection, as the server behind it did. */
export async function serveHandler(handler: Handler, port: number): Promise<{ close(): Promise<void> }> {
  const server = createServer(
    getRequestListener(
      async (request, env) => {
        try {
          return await handler(request);
        } catch {
          if ('incoming' in env) env.incoming.socket.destroy();
          return RESPONSE_ALREADY_SENT;
        }
      },
      { hostname: LOOPBACK, overrideGlobalObjects: false },
    ),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, LOOPBACK, resolve);
  });
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
