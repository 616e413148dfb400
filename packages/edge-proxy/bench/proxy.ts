/**
 * `pnpm bench proxy`: what the proxy costs beside a floor that does the same I/O without product code, in one run under
 * `workerd serve`, rounds alternating, medians. CPU is the runtime's own process time, so other work on the machine
 * blurs requests per second but hardly the ratio. `--quick` measures less,
 * `--watch=5000` only so many pending sessions.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { benchProperty, startProxyRuntime } from './product.ts';
import { type BenchRuntime, startRuntime } from './runtime.ts';
import { type BenchUpstream, startUpstream } from './upstream.ts';

const KEY = `sk_test_${'bench'.repeat(8)}`;
const { quick: isQuick, watch } = parseArgs({
  options: { quick: { type: 'boolean' }, watch: { type: 'string' } },
}).values;
const ROUNDS = isQuick ? 3 : 5;
const PER_ROUND = isQuick ? { read: 1_500, create: 200, start: 100 } : { read: 4_000, create: 400, start: 300 };
const LABELS = { read: 'status read', create: 'session create', start: 'start to result' } as const;
const CONCURRENCY = 16;
/** Sessions started in a second before they are watched: all at once, they would all be in their busiest ten seconds. */
const STARTS_PER_SECOND = 40;
const PACKAGE = join(import.meta.dirname, '..');

interface Subject {
  readonly name: 'product' | 'floor';
  readonly runtime: BenchRuntime;
  create(): Promise<string>;
  read(session: string): Promise<void>;
  start(session: string): Promise<void>;
}

interface Sample {
  readonly cpuMicros: number;
  readonly perSecond: number;
}

const root = mkdtempSync(join(tmpdir(), 'innkeep-bench-'));
const upstream = await startUpstream();
try {
  if (watch === undefined) await compare(upstream);
  const watched = watch?.split(',').map(Number) ?? (isQuick ? [200] : [1_000, 5_000]);
  for (const sessions of watched) await watchMany(upstream, sessions);
} finally {
  upstream.close();
  rmSync(root, { recursive: true, force: true });
}
process.exit(process.exitCode ?? 0);

/** Status read, creation and start, each beside the floor. */
async function compare(upstream: BenchUpstream): Promise<void> {
  const subjects = [await startProduct(upstream, 'compare'), await startFloor(upstream)];
  for (const subject of subjects) {
    for (const kind of ['create', 'read', 'start'] as const) await measure(subject, kind, 100);
  }
  const rows: Record<string, Record<string, number>> = {};
  for (const kind of ['read', 'create', 'start'] as const) {
    const samples = { product: [] as Sample[], floor: [] as Sample[] };
    for (let round = 0; round < ROUNDS; round++) {
      for (const subject of round % 2 === 0 ? subjects : subjects.toReversed()) {
        samples[subject.name].push(await measure(subject, kind));
      }
    }
    const [product, floor] = [median(samples.product), median(samples.floor)];
    rows[LABELS[kind]] = {
      'product CPU, µs': Math.round(product.cpuMicros),
      'floor CPU, µs': Math.round(floor.cpuMicros),
      ratio: Math.round((product.cpuMicros / floor.cpuMicros) * 100) / 100,
      'product req/s': Math.round(product.perSecond),
      'floor req/s': Math.round(floor.perSecond),
    };
  }
  console.table(rows);
  for (const { runtime } of subjects) await runtime.stop();
}

async function measure(
  subject: Subject,
  kind: keyof typeof PER_ROUND,
  count: number = PER_ROUND[kind],
): Promise<Sample> {
  const { runtime } = subject;
  const sessions: string[] = [];
  if (kind === 'read') sessions.push(...(await inParallel(64, () => subject.create())));
  if (kind === 'start') sessions.push(...(await inParallel(count, () => subject.create())));
  // Creations still tell the ledger.
  await untilIdle(runtime);
  const cpuBefore = runtime.cpuMs();
  const startedAt = performance.now();
  await inParallel(count, async (i) => {
    if (kind === 'create') await subject.create();
    else if (kind === 'read') await subject.read(sessions[i % sessions.length] ?? '');
    else await subject.start(sessions[i] ?? '');
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  // What a request leaves to the alarm belongs to it: telling the ledger, looking at the upstream, the result.
  if (kind !== 'read') await untilIdle(runtime, kind === 'start' ? 1_500 : 0);
  return { cpuMicros: ((runtime.cpuMs() - cpuBefore) * 1_000) / count, perSecond: count / seconds };
}

/** Waits until the process has used no CPU to speak of for a while. */
async function untilIdle(runtime: BenchRuntime, atLeastMs = 0): Promise<void> {
  await delay(atLeastMs);
  for (let quiet = 0, before = runtime.cpuMs(); quiet < 3; ) {
    await delay(100);
    const now = runtime.cpuMs();
    quiet = now - before <= 10 ? quiet + 1 : 0;
    before = now;
  }
}

/** Sessions whose guests have gone away: how late the looks are, and what they cost. */
async function watchMany(upstream: BenchUpstream, count: number): Promise<void> {
  const product = await startProduct(upstream, `watch-${count}`);
  upstream.state = 0;
  const sessions = await inParallel(count, () => product.create());
  for (let i = 0; i < count; i += STARTS_PER_SECOND) {
    const pace = delay(1_000);
    await Promise.all(sessions.slice(i, i + STARTS_PER_SECOND).map((session) => startPatiently(product, session)));
    await pace;
  }
  // From half a minute on a session is looked at every five seconds.
  await delay(isQuick ? 32_000 : 45_000);
  upstream.watchGaps();
  const [cpuBefore, startedAt] = [product.runtime.cpuMs(), performance.now()];
  await delay(20_000);
  const share = (product.runtime.cpuMs() - cpuBefore) / (performance.now() - startedAt);
  const late = upstream.gaps.toSorted((a, b) => a - b);
  const at = (quantile: number): string => `${(late[Math.floor(late.length * quantile)] ?? 0).toFixed(0)} ms`;
  console.log(
    `${String(count).padStart(5)} pending: looks late by ${at(0.5)} (median), ${at(0.99)} (p99); ` +
      `${(share * 100).toFixed(0)} % of a core, ${((share * 1_000_000) / count).toFixed(0)} µs CPU per session and second, ` +
      `${product.runtime.memoryMiB().toFixed(0)} MiB`,
  );
  await product.runtime.stop();
}

/** A machine that is full refuses some starts; the proxy says that they may be tried again. */
async function startPatiently(product: Subject, session: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await product.start(session);
    } catch (error) {
      if (attempt === 8) throw error;
      await delay(attempt * 500);
    }
  }
}

async function startProduct(upstream: BenchUpstream, name: string): Promise<Subject> {
  const env = { PROPERTY_BENCH: JSON.stringify(benchProperty(upstream.url, { key: KEY })) };
  const runtime = await startProxyRuntime(join(root, name), env);
  const body = JSON.stringify({
    kind: 'payment',
    amount: { value: 12_000, currency: 'EUR' },
    reference: 'RES-1',
    expiresInSeconds: 3_600,
  });
  const call = async <T>(path: string, secret: string, body?: string): Promise<T> => {
    const headers = { authorization: `Bearer ${secret}`, ...(body && { 'content-type': 'application/json' }) };
    return expectOk(await fetch(`${runtime.url}/v1/${path}`, { headers, ...(body && { method: 'POST', body }) }));
  };
  return {
    name: 'product',
    runtime,
    create: async () => (await call<{ clientSecret: string }>('checkout-sessions', KEY, body)).clientSecret,
    read: (secret) => call('checkout', secret),
    start: (secret) => call('checkout/start', secret, '{"presentation":"tab"}'),
  };
}

async function startFloor(upstream: BenchUpstream): Promise<Subject> {
  const runtime = await startRuntime({
    folder: join(root, 'floor'),
    source: join(PACKAGE, 'bench/floor/worker.ts'),
    configuration: floorConfig,
    env: { UPSTREAM: upstream.url },
  });
  // As large as what the product stores for the same session.
  const record = JSON.stringify({
    kind: 'payment',
    amount: '12000',
    currency: 'EUR',
    reference: 'RES-1',
    rest: 'x'.repeat(700),
  });
  let created = 0;
  return {
    name: 'floor',
    runtime,
    async create() {
      const path = `floor-${++created}/hash`;
      await expectOk(await fetch(`${runtime.url}/create/${path}`, { method: 'POST', body: record }));
      return path;
    },
    async read(path) {
      await expectOk(await fetch(`${runtime.url}/read/${path}`));
    },
    async start(path) {
      await expectOk(await fetch(`${runtime.url}/start/${path}`, { method: 'POST' }));
    },
  };
}

function floorConfig({ port, bundle, storageDir }: { port: number; bundle: string; storageDir: string }): string {
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "floor", worker = .floor),
    (name = "internet", network = (allow = ["public", "private", "local"])),
    (name = "storage", disk = (path = ${JSON.stringify(storageDir)}, writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "floor")],
);
const floor :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed ${JSON.stringify(bundle)})],
  compatibilityDate = "2026-09-01",
  bindings = [
    (name = "SESSIONS", durableObjectNamespace = "FloorSession"),
    (name = "LEDGER", durableObjectNamespace = "FloorLedger"),
    (name = "UPSTREAM", fromEnvironment = "UPSTREAM"),
  ],
  durableObjectNamespaces = [
    (className = "FloorSession", uniqueKey = "floor-session", enableSql = true),
    (className = "FloorLedger", uniqueKey = "floor-ledger", enableSql = true),
  ],
  durableObjectStorage = (localDisk = "storage"),
);
`;
}

async function expectOk<T>(answer: Response): Promise<T> {
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

async function inParallel<T>(count: number, call: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (next < count) {
        const index = next++;
        results[index] = await call(index);
      }
    }),
  );
  return results;
}

function median(samples: readonly Sample[]): Sample {
  const middle = (pick: (sample: Sample) => number): number =>
    samples.map(pick).toSorted((a, b) => a - b)[Math.floor(samples.length / 2)] ?? 0;
  return { cpuMicros: middle(({ cpuMicros }) => cpuMicros), perSecond: middle(({ perSecond }) => perSecond) };
}
