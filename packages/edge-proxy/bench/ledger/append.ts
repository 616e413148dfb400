/** How many updates one ledger takes, without the objects of the payments. */
import { join } from 'node:path';
import { KINDS } from '../../src/ledger/ledger-storage.ts';
import { startRuntime } from '../runtime.ts';
import { payment } from './payments.ts';

/** Tells the ledger of that folder of new payments. */
export async function measureAppends(
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<Record<string, object>> {
  const runtime = await startRuntime({
    folder,
    source: join(import.meta.dirname, 'worker.ts'),
    configuration: appendConfig,
    env,
  });
  const rows: Record<string, object> = {};
  for (const kind of KINDS) {
    const now = Date.now();
    const updates = Array.from({ length: 5_000 }, (_, nth) => payment(now + nth, kind, now + nth));
    const cpuBefore = runtime.cpuMs();
    const startedAt = performance.now();
    const answer = await fetch(runtime.url, { method: 'POST', body: JSON.stringify(updates) });
    if (!answer.ok) throw new Error(await answer.text());
    rows[`${kind}s`] = {
      'per second': Math.round(updates.length / ((performance.now() - startedAt) / 1_000)),
      'CPU each, µs': Math.round(((runtime.cpuMs() - cpuBefore) * 1_000) / updates.length),
    };
  }
  await runtime.stop();
  return rows;
}

function appendConfig({ port, bundle, storageDir }: { port: number; bundle: string; storageDir: string }): string {
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "append", worker = .append),
    (name = "storage", disk = (path = ${JSON.stringify(storageDir)}, writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "append")],
);
const append :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed ${JSON.stringify(bundle)})],
  compatibilityDate = "2026-09-01",
  bindings = [
    (name = "LEDGERS", durableObjectNamespace = "LedgerObject"),
    (name = "PROPERTY_BENCH", fromEnvironment = "PROPERTY_BENCH"),
  ],
  durableObjectNamespaces = [(className = "LedgerObject", uniqueKey = "innkeep-LedgerObject", enableSql = true)],
  durableObjectStorage = (localDisk = "storage"),
);
`;
}
