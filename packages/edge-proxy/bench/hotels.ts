/**
 * `pnpm bench hotels`: the built bundle in one self-hosted `workerd` with 10,000 hotels that are added through the API.
 *
 * - What adding one takes, one after the other.
 * - What a status read and a merchant's call cost, beside a runtime with one hotel in a secret. Like is compared with like: as
 *   many sessions, each in an object of its own that is awake; in one runtime all of one hotel, in the other each of
 *   another. They take turns as in `compare.ts`, so that nothing falls asleep.
 *
 * `--hotels=1000` adds only so many, `--quick` measures less, `--skip=compare` leaves the comparison out.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { call, payment } from './api.ts';
import { compareCalls, inParallel } from './compare.ts';
import { folder } from './folder.ts';
import { benchProperty, startProxyRuntime } from './product.ts';
import { quantile } from './quantile.ts';
import type { BenchRuntime } from './runtime.ts';

const {
  quick: isQuick,
  hotels,
  skip,
} = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    hotels: { type: 'string', default: '10000' },
    skip: { type: 'string', multiple: true, default: [] },
  },
}).values;
const HOTELS = Number(hotels);
/** Sessions that are read: in one runtime all of one hotel, in the other each of another. */
const SESSIONS = Math.min(500, HOTELS);
const ALTERNATING = { perRound: 500, perTurn: 25, rounds: isQuick ? 15 : 60, warmUp: 2_000 };
const PLATFORM_KEY = `pk_test_bench_${'p'.repeat(43)}`;
const SEALING_KEYS = Buffer.alloc(32, 7).toString('base64');

interface Session {
  readonly id: string;
  readonly clientSecret: string;
  readonly key: string;
}

const KINDS = {
  'status read': ({ url }: BenchRuntime, { clientSecret }: Session) => call(`${url}/v1/checkout`, clientSecret),
  'merchant’s call': ({ url }: BenchRuntime, { id, key }: Session) => call(`${url}/v1/checkout-sessions/${id}`, key),
};

const many = await startRuntime('many', operatorSettings());
await addHotels(many);
if (!skip.includes('compare')) {
  const PROPERTY_HOTEL_0 = JSON.stringify(configuration(0));
  await compare(many, await startRuntime('one', { PROPERTY_HOTEL_0, SEALING_KEYS }));
}
await many.stop();
process.exit(process.exitCode ?? 0);

function keyOf(nth: number): string {
  return `sk_test_${idOf(nth)}_${String(nth).padStart(40, 'k')}`;
}

function idOf(nth: number): string {
  return `hotel_${nth}`;
}

function startRuntime(name: string, settings: Readonly<Record<string, string>>): Promise<BenchRuntime> {
  return startProxyRuntime(join(folder, name), settings);
}

/** No hotels, and an operator. */
function operatorSettings() {
  const sha256 = createHash('sha256').update(PLATFORM_KEY).digest('hex');
  const keys = [{ id: 'bench', sha256, scopes: ['properties'], properties: ['*'] }];
  return { PLATFORM_BENCH: JSON.stringify({ displayName: 'Bench', keys }), SEALING_KEYS };
}

function configuration(nth: number): object {
  // The payment service is not called here.
  return benchProperty('http://127.0.0.1:9', { key: keyOf(nth) });
}

async function addHotels(runtime: BenchRuntime): Promise<void> {
  const times: number[] = [];
  for (let nth = 0; nth < HOTELS; nth++) {
    const startedAt = performance.now();
    await add(runtime, nth);
    times.push(performance.now() - startedAt);
  }
  const [middle, late] = [0.5, 0.99].map((share) => quantile(times, share).toFixed(1));
  console.log(`${HOTELS} hotels added: ${middle} ms each (median), ${late} ms (p99), one after the other`);
}

async function add(runtime: BenchRuntime, nth: number): Promise<void> {
  const url = `${runtime.url}/v1/properties/${idOf(nth)}`;
  await call(url, PLATFORM_KEY, { method: 'PUT', body: configuration(nth) });
}

/** A status read and a merchant's call, of one hotel and of many. */
async function compare(many: BenchRuntime, one: BenchRuntime): Promise<void> {
  const ofMany = await createSessions(many, (nth) => Math.floor((nth * HOTELS) / SESSIONS));
  const ofOne = await createSessions(one, () => 0);
  const rows: Record<string, object> = {};
  for (const [kind, ask] of Object.entries(KINDS)) {
    const callsOf = (runtime: BenchRuntime, sessions: readonly Session[]) => {
      let calls = 0;
      const next = (): Session => sessions[calls++ % sessions.length] as Session;
      return { runtime, make: (some: number) => inParallel(some, () => ask(runtime, next())) };
    };
    const { ours, least, ratio } = await compareCalls([callsOf(many, ofMany), callsOf(one, ofOne)], ALTERNATING);
    rows[kind] = { 'one hotel, µs': least, [`${HOTELS} hotels, µs`]: ours, ratio };
  }
  console.table(rows);
  await one.stop();
}

function createSessions(runtime: BenchRuntime, hotelOf: (nth: number) => number): Promise<Session[]> {
  return inParallel(SESSIONS, async (nth) => {
    const key = keyOf(hotelOf(nth));
    const body = payment('RES-1');
    const { id, clientSecret } = await call<Session>(`${runtime.url}/v1/checkout-sessions`, key, { body });
    return { id, clientSecret, key };
  });
}
