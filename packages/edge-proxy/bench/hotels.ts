/**
 * `pnpm bench hotels`: one self-hosted `workerd` with the built bundle and 10,000 hotels that are added through the API. What
 * adding one takes; what a status read and a merchant's call cost when they are spread over many hotels, beside a runtime
 * with one hotel in a secret, rounds alternating, medians; and how the process grows with hotels that nobody uses.
 * `--hotels=1000` adds only so many, `--quick` measures less and does not wait for the memory.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { benchProperty, startProxyRuntime } from './product.ts';
import type { BenchRuntime } from './runtime.ts';

const { quick: isQuick, hotels } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, hotels: { type: 'string', default: '10000' } },
}).values;
const HOTELS = Number(hotels);
/** Sessions that are read: in one runtime all of one hotel, in the other each of another. */
const SESSIONS = Math.min(1_000, HOTELS);
const ROUNDS = isQuick ? 3 : 7;
const PER_ROUND = isQuick ? 2_000 : 8_000;
const CONCURRENCY = 16;
/** After how many hotels the process is looked at. */
const SIZES = [0.2, 0.4, 0.6, 0.8, 1].map((share) => Math.round(share * HOTELS));
/** The runtime looks every 70 seconds for objects that nobody has called for 70 seconds, and ends them. */
const EVICTED_MS = isQuick ? 0 : 150_000;
const PLATFORM_KEY = `pk_test_bench_${'p'.repeat(43)}`;
const SEALING_KEYS = Buffer.alloc(32, 7).toString('base64');
const PAYMENT = JSON.stringify({
  kind: 'payment',
  amount: { value: 12_000, currency: 'EUR' },
  reference: 'RES-1',
  expiresInSeconds: 3_600,
});

interface Session {
  readonly id: string;
  readonly clientSecret: string;
  readonly key: string;
}

interface Subject {
  readonly runtime: BenchRuntime;
  readonly sessions: readonly Session[];
}

const KINDS = {
  'status read': ({ runtime }: Subject, { clientSecret }: Session) => call(runtime, 'checkout', clientSecret),
  'merchant’s call': ({ runtime }: Subject, { id, key }: Session) => call(runtime, `checkout-sessions/${id}`, key),
};

const root = mkdtempSync(join(tmpdir(), 'innkeep-bench-'));
try {
  const many = await startMany();
  await addHotels(many);
  await compare(many, await startOne());
} finally {
  rmSync(root, { recursive: true, force: true });
}
process.exit(process.exitCode ?? 0);

function keyOf(nth: number): string {
  return `sk_test_${idOf(nth)}_${String(nth).padStart(40, 'k')}`;
}

function idOf(nth: number): string {
  return `hotel_${nth}`;
}

/** A runtime whose one hotel is a secret. */
async function startOne(): Promise<BenchRuntime> {
  const PROPERTY_HOTEL_0 = JSON.stringify(configuration(0));
  return startProxyRuntime(join(root, 'one'), { PROPERTY_HOTEL_0, SEALING_KEYS });
}

/** A runtime without hotels, and with an operator. */
async function startMany(): Promise<BenchRuntime> {
  const sha256 = createHash('sha256').update(PLATFORM_KEY).digest('hex');
  const keys = [{ id: 'bench', sha256, scopes: ['properties'], properties: ['*'] }];
  const PLATFORM_BENCH = JSON.stringify({ displayName: 'Bench', keys });
  return startProxyRuntime(join(root, 'many'), { PLATFORM_BENCH, SEALING_KEYS });
}

function configuration(nth: number): object {
  // Nobody asks the payment service here.
  return benchProperty('http://127.0.0.1:9', { key: keyOf(nth) });
}

/** Adds all hotels one after the other, and looks at the process's memory on the way. */
async function addHotels(runtime: BenchRuntime): Promise<void> {
  const times: number[] = [];
  const memory: { readonly hotels: number; readonly kib: number }[] = [];
  for (const size of SIZES) {
    while (times.length < size) {
      const nth = times.length;
      const startedAt = performance.now();
      await call(runtime, `properties/${idOf(nth)}`, PLATFORM_KEY, {
        method: 'PUT',
        body: JSON.stringify(configuration(nth)),
      });
      times.push(performance.now() - startedAt);
    }
    await delay(EVICTED_MS);
    memory.push({ hotels: size, kib: runtime.residentKib() });
  }
  const sorted = times.toSorted((a, b) => a - b);
  const at = (quantile: number): string => (sorted[Math.floor(sorted.length * quantile)] ?? 0).toFixed(1);
  console.log(`${HOTELS} hotels added: ${at(0.5)} ms each (median), ${at(0.99)} ms (p99), one after the other`);
  if (isQuick) return;
  console.log(memory.map(({ hotels, kib }) => `${hotels} hotels: ${(kib / 1024).toFixed(1)} MiB`).join(', '));
  // What the runtime takes for itself while it is young is not the hotels'.
  console.log(`${Math.round(slope(memory.slice(1)) * 1_024)} bytes for each hotel that nobody uses`);
}

/** Kibibytes for each hotel: the line that fits best. */
function slope(points: readonly { readonly hotels: number; readonly kib: number }[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(({ hotels }) => hotels)), mean(points.map(({ kib }) => kib))];
  const covariance = points.reduce((sum, { hotels, kib }) => sum + (hotels - x) * (kib - y), 0);
  return covariance / points.reduce((sum, { hotels }) => sum + (hotels - x) ** 2, 0);
}

/** A status read and a merchant's call, of one hotel and of many. */
async function compare(many: BenchRuntime, one: BenchRuntime): Promise<void> {
  const subjects = {
    one: { runtime: one, sessions: await createSessions(one, () => 0) },
    many: { runtime: many, sessions: await createSessions(many, (nth) => Math.floor((nth * HOTELS) / SESSIONS)) },
  };
  const rows: Record<string, Record<string, number>> = {};
  for (const [kind, ask] of Object.entries(KINDS)) {
    for (const subject of Object.values(subjects)) await measure(subject, ask);
    const micros = { one: [] as number[], many: [] as number[] };
    for (let round = 0; round < ROUNDS; round++) {
      const names = ['one', 'many'] as const;
      for (const name of round % 2 === 0 ? names : names.toReversed())
        micros[name].push(await measure(subjects[name], ask));
    }
    const [ofOne, ofMany] = [median(micros.one), median(micros.many)];
    rows[kind] = {
      'one hotel, µs': Math.round(ofOne),
      [`${HOTELS} hotels, µs`]: Math.round(ofMany),
      ratio: Math.round((ofMany / ofOne) * 100) / 100,
    };
  }
  console.table(rows);
  await one.stop();
  await many.stop();
}

function createSessions(runtime: BenchRuntime, hotelOf: (nth: number) => number): Promise<Session[]> {
  return inParallel(SESSIONS, async (nth) => {
    const key = keyOf(hotelOf(nth));
    const { id, clientSecret } = await call<Omit<Session, 'key'>>(runtime, 'checkout-sessions', key, {
      method: 'POST',
      body: PAYMENT,
    });
    return { id, clientSecret, key };
  });
}

/** CPU of one call, in microseconds. */
async function measure(
  subject: Subject,
  ask: (subject: Subject, session: Session) => Promise<unknown>,
): Promise<number> {
  const { runtime, sessions } = subject;
  const before = runtime.cpuMs();
  await inParallel(PER_ROUND, (nth) => ask(subject, at(sessions, nth)));
  return ((runtime.cpuMs() - before) * 1_000) / PER_ROUND;
}

async function call<Body>(
  runtime: BenchRuntime,
  path: string,
  secret: string,
  init: { readonly method?: string; readonly body?: string } = {},
): Promise<Body> {
  const headers = {
    authorization: `Bearer ${secret}`,
    ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const answer = await fetch(`${runtime.url}/v1/${path}`, { headers, ...init });
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Body;
}

async function inParallel<T>(count: number, run: (nth: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (next < count) {
        const nth = next++;
        results[nth] = await run(nth);
      }
    }),
  );
  return results;
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('Nothing to choose from');
  return item;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
