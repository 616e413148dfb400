import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on loopback: what a test puts where a hotel, a payment service or a collector stands. */
export interface HttpServer {
  readonly url: string;
  close(): void;
}

/** Listens on a free port. */
export async function serveHttp(
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<HttpServer> {
  // Longer than a client leaves a connection idle: on a busy machine it might be closed just as it is used again.
  const server = createServer({ keepAliveTimeout: 60_000 }, answer);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  // A server that listens on a port has an address with one.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
