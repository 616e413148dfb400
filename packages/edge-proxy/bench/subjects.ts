/** What is measured: the product, and floors that answer the same calls with the same I/O and no product code. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { V8_FLAGS } from '../src/runtime/serve-workerd-config.ts';
import { ask, call, payment } from './api.ts';
import { benchProperty, startProxyRuntime } from './product.ts';
import { type BenchRuntime, type BenchWorker, startRuntime } from './runtime.ts';
import type { BenchUpstream } from './upstream.ts';

/** A running worker that answers the calls of a hotel and its guests. */
export type Subject = ReturnType<typeof toSubject>;

const KEY = `sk_test_${'bench'.repeat(8)}`;

/** The proxy as it is deployed. `collector`: where its metrics and traces go. */
export async function startProduct(
  folder: string,
  upstream: BenchUpstream,
  { collector, options = [] }: { readonly collector?: string; readonly options?: readonly string[] } = {},
): Promise<Subject> {
  const env = {
    PROPERTY_BENCH: JSON.stringify(benchProperty(upstream.url, { key: KEY })),
    ...(collector === undefined ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT: collector }),
  };
  return toSubject(await startProxyRuntime(folder, env, { options }));
}

/** Objects that make the same calls, reads and commits. */
export async function startFloor(folder: string, upstream: BenchUpstream): Promise<Subject> {
  const env = { UPSTREAM: upstream.url, KEY_SHA256: createHash('sha256').update(KEY).digest('hex') };
  const objects = ['FloorSession', 'FloorLedger'];
  const source = join(import.meta.dirname, 'floor/worker.ts');
  return toSubject(
    await startRuntime({ folder, source, env, configuration: (paths) => configuration(paths, env, { objects }) }),
  );
}

/** Hono with one route, and eight namespaces. */
export async function startHono(folder: string): Promise<Subject> {
  const source = join(import.meta.dirname, 'hono/worker.ts');
  const objects = Array.from({ length: 8 }, (_, nth) => `Object${nth + 1}`);
  return toSubject(
    await startRuntime({ folder, source, env: {}, configuration: (paths) => configuration(paths, {}, { objects }) }),
  );
}

function toSubject(runtime: BenchRuntime) {
  const { url } = runtime;
  const read = async (path: string, secret: string, body?: object): Promise<void> => {
    await (await ask(`${url}/${path}`, secret, { ...(body && { body }) })).arrayBuffer();
  };
  let orders = 0;
  return {
    runtime,
    health: async (): Promise<void> => void (await (await fetch(`${url}/healthz`)).arrayBuffer()),
    /** Makes a session; answers with its client secret. */
    create: async (): Promise<string> => {
      // Each of another booking: payments of the same one would be reported as duplicates.
      const body = payment(`RES-${++orders}`);
      return (await call<{ clientSecret: string }>(`${url}/v1/checkout-sessions`, KEY, { body })).clientSecret;
    },
    read: (secret: string) => read('v1/checkout', secret),
    start: (secret: string) => read('v1/checkout/start', secret, { presentation: 'tab', terms: 1 }),
  };
}

/**
 * Certificates included, which the runtime loads for every worker that is not told otherwise.
 * @param prefix of the names under which the objects are stored
 */
export function configuration(
  { port, bundle, storageDir }: Parameters<BenchWorker['configuration']>[0],
  env: Readonly<Record<string, string>>,
  { objects, prefix = '' }: { readonly objects: readonly string[]; readonly prefix?: string },
): string {
  const bindings = [
    ...objects.map((name) => `(name = "${name}", durableObjectNamespace = "${name}")`),
    ...Object.keys(env).map((name) => `(name = "${name}", fromEnvironment = "${name}")`),
  ];
  const namespaces = objects.map((name) => `(className = "${name}", uniqueKey = "${prefix}${name}", enableSql = true)`);
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  v8Flags = ${V8_FLAGS},
  services = [
    (name = "floor", worker = .floor),
    (name = "internet", network = (allow = ["public", "private", "local"], tlsOptions = (trustBrowserCas = true))),
    (name = "storage", disk = (path = ${JSON.stringify(storageDir)}, writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "floor")],
);
const floor :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed ${JSON.stringify(bundle)})],
  compatibilityDate = "2026-09-01",
  bindings = [${bindings.join(', ')}],
  durableObjectNamespaces = [${namespaces.join(', ')}],
  durableObjectStorage = (localDisk = "storage"),
);
`;
}
