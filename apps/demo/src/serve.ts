/** Starts the demo hotel on Node. */
import type { Server } from 'node:http';
import { serve } from '@hono/node-server';
import { createMerchantClient } from '@innkeep/core/merchant';
import { createDemo } from './app.ts';

/** How to start it. */
export interface ServeDemoOptions {
  readonly port: number;
  readonly publicUrl: string;
  readonly proxyUrl: string;
  /** The hotel's key at the proxy. Stays on this server. */
  readonly merchantKey: string;
}

/** Serves the demo hotel on loopback until `close()`. Rejects when the port is taken. */
export function serveDemo(options: ServeDemoOptions): Promise<{ url: string; close(): Promise<void> }> {
  const app = createDemo({
    publicUrl: options.publicUrl,
    proxyUrl: options.proxyUrl,
    merchant: createMerchantClient({ endpoint: options.proxyUrl, secretKey: options.merchantKey }),
    widgetsFolder: new URL('./', import.meta.resolve('@innkeep/widgets/cdn/widgets.js')),
    now: () => new Date(),
  });
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: options.port }, () => {
      resolve({ url: options.publicUrl, close: () => closeServer(server as Server) });
    });
    server.once('error', reject);
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
