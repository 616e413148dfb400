/**
 * `pnpm bench hotels`: the built bundle in one self-hosted `workerd` with 10,000 hotels that are added through the API.
 *
 * - What adding one takes, one after the other.
 * - What a status read and a merchant's call cost, beside a runtime with one hotel in a secret. Like is compared with like: as
 *   many sessions, each in an object of its own that is awake; in one runtime all of one hotel, in the other each of
 *   another. Short rounds alternate, so that nothing falls asleep, and whatever else the machine does falls on both; the
 *   ratio is the median of those of each pair of rounds.
 *
 * `--hotels=1000` adds only so many, `--quick` measures less, `--skip=compare` leaves the comparison out.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { inParallel } from './compare.ts';
import { benchProperty, startProxyRuntime } from './product.ts';
import { median, quantile } from './quantile.ts';
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
/** Pairs of rounds. */
const ROUNDS = isQuick ? 15 : 60;
const PER_ROUND = 500;
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
  const many = await startRuntime('many', operatorSettings());
  await addHotels(many);
  if (!skip.includes('compare')) {
    const PROPERTY_HOTEL_0 = JSON.stringify(configuration(0));
    await compare(many, await startRuntime('one', { PROPERTY_HOTEL_0, SEALING_KEYS }));
  }
  await many.stop();
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

function startRuntime(name: string, settings: Readonly<Record<string, string>>): Promise<BenchRuntime> {
  return startProxyRuntime(join(root, name), settings);
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

/** Adds all hotels, one after the other. */
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
  const body = JSON.stringify(configuration(nth));
  await call(runtime, `properties/${idOf(nth)}`, PLATFORM_KEY, { method: 'PUT', body });
}

/** A status read and a merchant's call, of one hotel and of many. */
async function compare(many: BenchRuntime, one: BenchRuntime): Promise<void> {
  const subjects = {
    one: { runtime: one, sessions: await createSessions(one, () => 0) },
    many: { runtime: many, sessions: await createSessions(many, (nth) => Math.floor((nth * HOTELS) / SESSIONS)) },
  };
  const rows: Record<string, Record<string, number>> = {};
  for (const [kind, ask] of Object.entries(KINDS)) {
    for (let round = 0; round < 4; round++) for (const subject of Object.values(subjects)) await measure(subject, ask);
    const micros = { one: [] as number[], many: [] as number[] };
    for (let round = 0; round < ROUNDS; round++) {
      const names = ['one', 'many'] as const;
      for (const name of round % 2 === 0 ? names : names.toReversed())
        micros[name].push(await measure(subjects[name], ask));
    }
    rows[kind] = {
      'one hotel, µs': Math.round(median(micros.one)),
      [`${HOTELS} hotels, µs`]: Math.round(median(micros.many)),
      ratio: Math.round(median(micros.many.map((ofMany, round) => ofMany / at(micros.one, round))) * 100) / 100,
    };
  }
  console.table(rows);
  await one.stop();
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

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('Nothing to choose from');
  return item;
}
