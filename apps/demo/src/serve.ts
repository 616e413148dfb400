/** Starts the demo hotel on Node. */
import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { serve } from '@hono/node-server';
import { createMerchantClient } from '@innkeep/core/merchant';
import { createDemo } from './app.ts';
import { memoryBookingStorage } from './booking/booking-storage.ts';
import { folderFiles } from './files/folder-files.ts';
import type { WirePanel } from './wire-panel/wire-panel-routes.ts';

/** How to start it. */
export interface ServeDemoOptions {
  readonly port: number;
  readonly publicUrl: string;
  readonly proxyUrl: string;
  /** The hotel's key at the proxy. Stays on this server. */
  readonly merchantKey: string;
  /** A key that turns keyed-in cards into tokens and does nothing else; null where the proxy takes none. */
  readonly motoKey: string | null;
  /** `whsec_…`, the one the proxy signs its webhooks with. */
  readonly webhookSecret: string;
  /** The payment service's own records. */
  readonly portalUrl: string | null;
  /** The panel beside every page. Its clock is the hotel's. */
  readonly wirePanel: WirePanel;
  /** Hears of every request below `/docs/`. */
  readonly onDocs?: (() => void) | undefined;
}

/** What the build collects from this package, the widgets and the documentation. */
const SITE_FOLDER = fileURLToPath(new URL('../dist/site', import.meta.url));
const DOCS_FOLDER = fileURLToPath(new URL('../../docs/dist', import.meta.url));

/** Serves the demo hotel on loopback until `close()`. Rejects when the port is taken. */
export function serveDemo(options: ServeDemoOptions): Promise<{ url: string; close(): Promise<void> }> {
  const { proxyUrl: endpoint, merchantKey: secretKey, motoKey } = options;
  const app = createDemo({
    publicUrl: options.publicUrl,
    proxyUrl: options.proxyUrl,
    merchant: {
      ...createMerchantClient({ endpoint, secretKey }),
      cards: motoKey === null ? null : createMerchantClient({ endpoint, secretKey: motoKey }).cards,
    },
    webhookSecret: options.webhookSecret,
    portalUrl: options.portalUrl,
    files: folderFiles({ site: SITE_FOLDER, docs: DOCS_FOLDER, onDocs: options.onDocs }),
    bookingStorage: memoryBookingStorage(),
    now: () => options.wirePanel.clock.now(),
    wirePanel: options.wirePanel,
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
