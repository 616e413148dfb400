import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { serve } from '@hono/node-server';
import { createMerchantClient } from '@innkeep/core/merchant';
import { createDemo, type DemoDependencies } from './app.ts';
import { memoryBookingStorage } from './booking/booking-storage.ts';
import { folderFiles } from './files/folder-files.ts';
import { closeServer } from './wire-panel/forward-requests.ts';

/** How to start it. The clock of its panel is the hotel's. */
export interface ServeDemoOptions
  extends Pick<DemoDependencies, 'publicUrl' | 'proxyUrl' | 'webhookSecret' | 'portalUrl' | 'wirePanel'> {
  readonly port: number;
  /** The hotel's key at the proxy. Stays on this server. */
  readonly merchantKey: string;
  /** A key that turns keyed-in cards into tokens and does nothing else; null where the proxy takes none. */
  readonly motoKey: string | null;
  /** Hears of every request below `/docs/`. */
  readonly onDocs?: (() => void) | undefined;
}

/** What the build collects from this package, the widgets and the documentation. */
const SITE_FOLDER = fileURLToPath(new URL('../dist/site', import.meta.url));
const DOCS_FOLDER = fileURLToPath(new URL('../../docs/dist', import.meta.url));

/** Serves the demo hotel on loopback until `close()`. Rejects when the port is taken. */
export function serveDemo(options: ServeDemoOptions): Promise<{ url: string; close(): Promise<void> }> {
  const { port, merchantKey: secretKey, motoKey, onDocs, ...shared } = options;
  const { proxyUrl: endpoint, publicUrl: url } = shared;
  const app = createDemo({
    ...shared,
    merchant: {
      ...createMerchantClient({ endpoint, secretKey }),
      cards: motoKey === null ? null : createMerchantClient({ endpoint, secretKey: motoKey }).cards,
    },
    files: folderFiles({ site: SITE_FOLDER, docs: DOCS_FOLDER, onDocs }),
    bookingStorage: memoryBookingStorage(),
    now: () => shared.wirePanel.clock.now(),
  });
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port }, () => {
      resolve({ url, close: () => closeServer(server as Server) });
    });
    server.once('error', reject);
  });
}
