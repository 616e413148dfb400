// The three deployed Workers of the demo together in the real runtime, from the bundles that would be uploaded.
import { getRequestListener } from '@hono/node-server';
import { createTestHarness, type TestHarness } from 'wrangler';
import { makeDemoSecrets } from '../../scripts/demo-property.ts';
import { type DemoAddresses, demoWorkers, WORKER_NAMES } from '../../scripts/demo-workers.ts';
import { type HttpServer, serveHttp } from '../support/serve-http.ts';

export type WorkersStack = Awaited<ReturnType<typeof startWorkersStack>>;

const OBJECTS = {
  hotel: { binding: 'HOTEL', name: 'hotel' },
  sandbox: { binding: 'SANDBOX', name: 'sandbox' },
} as const;

/** Starts all three, each at an address of its own on loopback. */
export async function startWorkersStack() {
  const secrets = makeDemoSecrets();
  // Or the harness asks Cloudflare where this machine is.
  process.env.CLOUDFLARE_CF_FETCH_ENABLED = 'false';
  const harness = createTestHarness();
  // The runtime listens for the first Worker only, so each gets a server of its own.
  const servers = await Promise.all((['hotel', 'proxy', 'sandbox'] as const).map((id) => serveWorker(harness, id)));
  const [hotel, proxy, sandbox] = servers.map(({ url }) => url) as [string, string, string];
  const addresses = { hotel, proxy, sandbox };
  const workers = demoWorkers(addresses, secrets).map((worker) => ({
    configPath: worker.configFile,
    prebuiltWorkerDir: worker.bundleDir,
    vars: worker.vars,
    secrets: worker.secrets,
  }));
  await harness.update({ workers });
  await harness.listen();
  return {
    addresses,
    secrets,
    /** Everything the Workers have logged. */
    output: () =>
      harness
        .getLogs()
        .map(({ message }) => message)
        .join('\n'),
    /** Ends the one object of the hotel or of the sandbox. Its storage stays; its memory is gone. */
    evict: async (id: keyof typeof OBJECTS) => {
      const { binding, name } = OBJECTS[id];
      await harness.getWorker(WORKER_NAMES[id]).evictDurableObject(binding, { name });
    },
    close: async () => {
      for (const server of servers) server.close();
      await harness.close();
    },
  };
}

/** A loopback server that passes every request on to one Worker. */
async function serveWorker(harness: TestHarness, id: keyof DemoAddresses): Promise<HttpServer> {
  const listener = getRequestListener(
    async (request) => {
      const { pathname, search } = new URL(request.url);
      const { method, headers, body, signal } = request;
      return harness.getWorker(WORKER_NAMES[id]).fetch(`${server.url}${pathname}${search}`, {
        method,
        headers: [...headers],
        redirect: 'manual',
        signal,
        ...(body === null ? {} : { body, duplex: 'half' }),
      });
    },
    { overrideGlobalObjects: false },
  );
  const server: HttpServer = await serveHttp(listener);
  return server;
}
