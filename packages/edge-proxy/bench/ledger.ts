/**
 * `pnpm bench ledger`: one hotel with a million stored payments, under `workerd serve`. First and last page of every list,
 * a month's export and the charges beside it, the feed, how many payments a second one ledger takes, and how many fit.
 * `--payments=100000` stores fewer, `--data=<folder>` keeps the storage and uses it again.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { KINDS } from '../src/ledger/ledger-storage.ts';
import { ask, call, payment } from './api.ts';
import { folder as temporary } from './folder.ts';
import { measureAppends } from './ledger/append.ts';
import { bytesPerRow, fill, openLedger } from './ledger/fill.ts';
import { type Lists, listsOf, paymentLists } from './ledger/lists.ts';
import { benchProperty, startProxyRuntime } from './product.ts';
import { quantile } from './quantile.ts';
import type { BenchRuntime } from './runtime.ts';
import { startUpstream } from './upstream.ts';

const PAGE_LIMIT_MS = 50;
const EXPORT_ROWS_PER_SECOND = 20_000;
const CHARGE_DELAY_LIMIT_MS = 50;
const KEY = `sk_test_${'bench'.repeat(8)}`;
const READS = 25;
/** How long charges are made one after the other, with and without an export beside them. */
const CHARGING_MS = 8_000;
const DAY_MS = 24 * 60 * 60_000;
const KEEP_DAYS = { resource: 400, event: 90 };
/** Cloudflare's limit of an object is 10 GB; new charges are refused at 95 % of it. */
const CAPACITY_BYTES = 9_500_000_000;

const { payments: wanted = '1000000', data } = parseArgs({
  options: { payments: { type: 'string' }, data: { type: 'string' } },
}).values;
const folder = join(data ?? temporary, 'ledger');
const upstream = await startUpstream();
const env = {
  PROPERTY_BENCH: JSON.stringify(
    benchProperty(upstream.url, { key: KEY, scopes: ['read', 'checkout', 'charges', 'events'] }),
  ),
};
/** Differs from that of an earlier run on the same data. */
const RUN = Date.now().toString(36);
let keys = 0;
const problems: string[] = [];

try {
  const lists = await prepare();
  const runtime = await startProxyRuntime(folder, env);
  console.log('Pages:');
  console.table(await measurePages(runtime, lists));
  console.log('A month’s export, and the charges beside it:');
  console.table(await measureExports(runtime));
  console.log('As many as possible, sixteen at once:');
  console.table(await measureThroughput(runtime));
  await runtime.stop();
  console.log('Updates that the ledger alone takes, each in a commit of its own:');
  console.table(await measureAppends(folder, env));
  console.log('What fits into one ledger:');
  console.table(capacity());
  for (const problem of problems) console.log(problem);
} finally {
  upstream.close();
}
process.exit(0);

/** Makes the ledger by a first charge, fills its file, and says where the last page of each list begins. */
async function prepare(): Promise<Lists> {
  const objects = join(folder, 'objects/innkeep-LedgerObject');
  const runtime = await startProxyRuntime(folder, env);
  await charge(runtime);
  await delay(500);
  await runtime.stop();
  const [file] = readdirSync(objects).filter((name) => name.endsWith('.sqlite') && name !== 'metadata.sqlite');
  if (file === undefined) throw new Error(`No ledger in ${objects}`);
  const startedAt = performance.now();
  const ledger = openLedger(join(objects, file));
  try {
    const rows = Number(ledger.database.prepare('SELECT count(*) AS n FROM resource').get()?.n);
    if (rows < Number(wanted)) fill(ledger, Number(wanted), Date.now());
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    console.log(`${wanted} payments, ${(ledger.bytes() / 1e9).toFixed(2)} GB, written in ${seconds} s`);
    return [...paymentLists(Date.now()), ...KINDS.flatMap((kind) => listsOf(ledger, kind))];
  } finally {
    ledger.close();
  }
}

async function measurePages(runtime: BenchRuntime, lists: Lists): Promise<Record<string, object>> {
  const rows: Record<string, object> = {};
  const measure = async (path: string): Promise<{ median: number; longest: number; rows: number }> => {
    const times: number[] = [];
    let length = 0;
    for (let i = 0; i < READS; i++) {
      const startedAt = performance.now();
      length = (await get<{ data: unknown[] }>(runtime, path)).data.length;
      times.push(performance.now() - startedAt);
    }
    return { median: quantile(times, 0.5), longest: quantile(times, 1), rows: length };
  };
  const position = (await get<{ nextAfter: number }>(runtime, 'events?limit=1')).nextAfter;
  const feed: Lists = [['events', `events?limit=100&after=${position - 1}`, null]];
  for (const [name, path, cursor] of [...lists, ...feed]) {
    const first = await measure(path);
    const last = cursor === null ? undefined : await measure(`${path}&cursor=${cursor}`);
    rows[name] = {
      'first page, ms': rounded(first.median),
      'longest, ms': rounded(first.longest),
      'last page, ms': last && rounded(last.median),
      'last longest, ms': last && rounded(last.longest),
      rows: `${first.rows}${last ? ` and ${last.rows}` : ''}`,
    };
    const median = Math.max(first.median, last?.median ?? 0);
    if (median > PAGE_LIMIT_MS) problems.push(`${name}: a page takes ${rounded(median)} ms, not ${PAGE_LIMIT_MS}.`);
  }
  return rows;
}

/** Charges one after the other, with a pause between them, until told to end. */
async function chargeTimes(runtime: BenchRuntime, until: Promise<unknown>): Promise<number[]> {
  let isOver = false;
  void until.finally(() => {
    isOver = true;
  });
  const times: number[] = [];
  while (!isOver) {
    const startedAt = performance.now();
    await charge(runtime);
    times.push(performance.now() - startedAt);
    await delay(10);
  }
  return times;
}

async function measureExports(runtime: BenchRuntime): Promise<Record<string, object>> {
  const quiet = await chargeTimes(runtime, delay(5_000));
  const rows: Record<string, object> = {
    'no export': { 'charge median, ms': rounded(quantile(quiet, 0.5)), ...tail(quiet) },
  };
  const [from, to] = [200, 170].map((days) => new Date(Date.now() - days * DAY_MS).toISOString());
  const ranges = [
    ['by creation', `from=${from}&to=${to}`],
    ['by completion', `completedFrom=${from}&completedTo=${to}`],
  ] as const;
  for (const [name, query] of ranges) {
    for (const isBeside of [false, true]) {
      const startedAt = performance.now();
      const cpuBefore = runtime.cpuMs();
      const files = readExports(runtime, { query, atLeastMs: isBeside ? CHARGING_MS : 0 });
      const times = isBeside ? await chargeTimes(runtime, files) : [];
      const lines = await files;
      const perSecond = lines / ((performance.now() - startedAt) / 1_000);
      rows[`${name}${isBeside ? ', charges beside it' : ''}`] = {
        rows: lines,
        'rows/s': Math.round(perSecond),
        'CPU per row, µs': Math.round(((runtime.cpuMs() - cpuBefore) * 1_000) / lines),
        ...(isBeside && tail(times)),
      };
      if (perSecond < EXPORT_ROWS_PER_SECOND) {
        problems.push(`Export ${name}: ${Math.round(perSecond)} rows/s, not ${EXPORT_ROWS_PER_SECOND}.`);
      }
      const longer = quantile(times, 0.5) - quantile(quiet, 0.5);
      if (isBeside && longer > CHARGE_DELAY_LIMIT_MS) {
        problems.push(`Export ${name}: charges wait ${rounded(longer)} ms longer, not ${CHARGE_DELAY_LIMIT_MS}.`);
      }
    }
  }
  return rows;
}

/** Reads an export over and over, for as long as that. Answers with the rows. */
async function readExports(
  runtime: BenchRuntime,
  { query, atLeastMs }: { readonly query: string; readonly atLeastMs: number },
): Promise<number> {
  const startedAt = performance.now();
  let lines = 0;
  do {
    const { body } = await ask(`${runtime.url}/v1/export.csv?${query}`, KEY);
    lines -= 1; // The header.
    for await (const chunk of body ?? []) {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
    }
  } while (performance.now() - startedAt < atLeastMs);
  return lines;
}

async function measureThroughput(runtime: BenchRuntime): Promise<Record<string, object>> {
  const { url } = runtime;
  const session = { body: payment('RES-1') };
  const { clientSecret } = await call<{ clientSecret: string }>(`${url}/v1/checkout-sessions`, KEY, session);
  const works: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['charges', () => charge(runtime)],
    ['polls of a session by its guest', () => call(`${url}/v1/checkout`, clientSecret)],
    ['polls of the status', () => call(`${url}/v1/status`, KEY)],
    ['polls of the feed', () => call(`${url}/v1/events?after=999999999`, KEY)],
    ['first pages of the charges', () => call(`${url}/v1/charges`, KEY)],
  ];
  const rows: Record<string, object> = {};
  for (const [name, work] of works) {
    const cpuBefore = runtime.cpuMs();
    const startedAt = performance.now();
    let count = 0;
    const one = async (): Promise<void> => {
      while (performance.now() - startedAt < 5_000) {
        await work();
        count += 1;
      }
    };
    await Promise.all(Array.from({ length: 16 }, one));
    const seconds = (performance.now() - startedAt) / 1_000;
    rows[name] = {
      'per second': Math.round(count / seconds),
      'CPU each, µs': Math.round(((runtime.cpuMs() - cpuBefore) * 1_000) / count),
    };
  }
  return rows;
}

function capacity(): Record<string, object> {
  const rows: Record<string, object> = {};
  for (const kind of KINDS) {
    const { resource, event } = bytesPerRow(kind, 50_000);
    const perDay = Math.floor(CAPACITY_BYTES / (resource * KEEP_DAYS.resource + event * KEEP_DAYS.event));
    rows[`only ${kind}s`] = {
      'bytes of a row': resource,
      'bytes of its event': event,
      'fit, a day': perDay,
      'fit, in all': perDay * KEEP_DAYS.resource,
    };
  }
  return rows;
}

function charge({ url }: BenchRuntime): Promise<unknown> {
  keys += 1;
  const key = `${RUN}-${keys}`;
  const body = { token: 'token', amount: { value: 8_000, currency: 'EUR' }, reference: key, reason: 'no_show' };
  return call(`${url}/v1/charges`, KEY, { body, headers: { 'idempotency-key': key } });
}

function get<Body>({ url }: BenchRuntime, path: string): Promise<Body> {
  return call(`${url}/v1/${path}`, KEY);
}

function tail(times: readonly number[]): Record<string, number> {
  return {
    charges: times.length,
    'charge median, ms': rounded(quantile(times, 0.5)),
    'p95, ms': rounded(quantile(times, 0.95)),
    'longest, ms': rounded(quantile(times, 1)),
  };
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
