/** A server that listens in the place of another one, passes everything on to it, and so can record what it is asked. */
import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { proxy } from 'hono/proxy';
import type { Handler } from './record-exchanges.ts';

const LOOPBACK = '127.0.0.1';

/** Passes requests to a loopback port as they are, but for `Host`: the proxy knows its own address. Rejects when the connection breaks before an answer. */
export function forwardTo(port: number): Handler {
  return (request) => {
    const { pathname, search } = new URL(request.url);
    return proxy(`http://${LOOPBACK}:${port}${pathname}${search}`, {
      raw: request,
      headers: {
        ...Object.fromEntries(request.headers),
        // A pooled connection may be closed by the other side just as it is used again; a payment must not fail by that.
        connection: 'close',
        // Meant for this server, and `fetch` throws: .NET asks whether it may send, Java whether we speak HTTP/2.
        expect: undefined,
        upgrade: undefined,
      },
      redirect: 'manual',
    });
  };
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
  return { close: () => closeServer(server) };
}

/** Stops a server, and ends its open connections. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
