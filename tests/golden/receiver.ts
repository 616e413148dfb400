/** A webhook endpoint that accepts everything. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An endpoint that listens. */
export interface Receiver {
  readonly url: string;
  /** Ids of the events, as they came. */
  readonly eventIds: readonly string[];
  close(): void;
}

/** Listens on a free port. */
export async function receive(): Promise<Receiver> {
  const eventIds: string[] = [];
  const server = createServer((request, response) => {
    eventIds.push(String(request.headers['webhook-id']));
    request.resume();
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // Of a server that listens on a port.
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    eventIds,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
