import type { Server } from 'node:http';
import type { Closer } from './cleanup.ts';

/** The address that no other machine reaches. */
export const LOOPBACK = '127.0.0.1';

/** A server that listens. Closing it ends open connections, too. */
export interface Listening extends Closer {
  readonly port: number;
}

/** Makes a server listen; port 0 takes any free one. */
export async function listen(server: Server, { port }: { readonly port: number }): Promise<Listening> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, LOOPBACK, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
