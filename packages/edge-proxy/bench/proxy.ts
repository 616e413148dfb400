/**
 * `pnpm bench proxy`, or this file with options: what the proxy costs beside floors that do the same I/O without product code, in one run under
 * `workerd serve`; what telemetry costs beside none; how long the start takes beside Hono's. CPU is the runtime's own process time.
 * The table goes into the documentation. `--quick` measures less and `--only=health,read` so many rows, and both only print; `--profile=read`
 * says where the time of a call goes.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type BenchResults, PAGE, RESULTS_FILE, withBenchTable } from '../../../scripts/bench-table.ts';
import { freePort } from '../../../scripts/launch.ts';
import { callsOf, compare, inParallel, KINDS, type Kind, pin } from './compare.ts';
import { folder } from './folder.ts';
import { byPart, profile } from './profile.ts';
import { median } from './quantile.ts';
import { type Subject, startFloor, startHono, startProduct } from './subjects.ts';
import { startUpstream } from './upstream.ts';

const {
  quick: isQuick = false,
  only,
  profile: profiled,
} = parseArgs({
  options: {
    quick: { type: 'boolean' },
    only: { type: 'string' },
    profile: { type: 'string' },
  },
}).values;
const STARTS = 21;
/** Sessions whose polls are counted while their objects sleep in between, and the interval of their first polls. */
const SLEEPERS = 600;
const WINDOW_MS = 30_000;
const WINDOWS = 7;

const upstream = await startUpstream();
// A collector that takes everything.
const sink = createServer((request, answer) => request.resume().on('end', () => answer.end('{}')));
await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve));
const collector = `http://127.0.0.1:${(sink.address() as AddressInfo).port}`;

interface Row {
  readonly 'product, µs': number;
  readonly 'floor, µs': number;
  readonly ratio: string;
}

async function compareAll(): Promise<void> {
  const wanted = (only?.split(',') ?? [...Object.keys(KINDS), 'asleep', 'telemetry', 'worker']) as (
    | Kind
    | 'asleep'
    | 'telemetry'
    | 'worker'
  )[];
  const product = await startProduct(join(folder, 'product'), upstream);
  const measured = await startProduct(join(folder, 'measured'), upstream, { collector });
  const floor = await startFloor(join(folder, 'floor'), upstream);
  const hono = await startHono(join(folder, 'hono'));
  pin([product, measured, floor, hono]);
  const rows: Record<string, Row> = {};
  for (const kind of wanted) {
    upstream.state = kind === 'poll' ? 0 : 1;
    if (kind === 'asleep') continue;
    if (kind === 'worker') rows['worker start'] = await compareStarts();
    else if (kind === 'telemetry') rows['read with telemetry'] = await compare(measured, product, 'read', { isQuick });
    else rows[KINDS[kind].label] = await compare(product, kind === 'health' ? hono : floor, kind, { isQuick });
  }
  for (const { runtime } of [product, measured, floor, hono]) await runtime.stop();
  if (wanted.includes('asleep')) rows['poll, asleep'] = await compareAsleep();
  pin([]);
  console.table(rows);
  if (!isQuick && only === undefined) write(rows);
}

function write(rows: Record<string, Row>): void {
  const [processor] = cpus();
  const results: BenchResults = {
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    machine: `${cpus().length} × ${processor?.model ?? 'unknown'}`,
    date: new Date().toISOString().slice(0, 10),
    rows: Object.fromEntries(
      Object.entries(rows).map(([what, { 'product, µs': product, 'floor, µs': least, ratio }]) => [
        what,
        { product, floor: least, ratio },
      ]),
    ),
  };
  writeFileSync(RESULTS_FILE, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(PAGE, withBenchTable(readFileSync(PAGE, 'utf8'), results));
  console.log(`Written to ${PAGE}.`);
}

/** Polls by the alarm, of objects that were evicted since the one before: those of the proxy and of the floor at the same time. */
async function compareAsleep(): Promise<Row> {
  const other = await startUpstream();
  const both = [
    { subject: await startProduct(join(folder, 'asleep'), upstream), service: upstream },
    { subject: await startFloor(join(folder, 'asleep-floor'), other), service: other },
  ];
  pin(both.map(({ subject }) => subject));
  await Promise.all(
    both.map(async ({ subject, service }) => {
      service.state = 0;
      const secrets = await inParallel(SLEEPERS, () => subject.create());
      for (const secret of secrets) await Promise.all([subject.start(secret), delay(WINDOW_MS / SLEEPERS)]);
    }),
  );
  const windows: number[][] = [];
  for (let nth = 0; nth < WINDOWS; nth++) {
    const before = both.map(({ subject, service }) => ({ cpuMs: subject.runtime.cpuMs(), polls: service.polls }));
    await delay(WINDOW_MS);
    windows.push(
      both.map(({ subject, service }, which) => {
        const { cpuMs, polls } = before[which] ?? { cpuMs: 0, polls: 0 };
        return ((subject.runtime.cpuMs() - cpuMs) * 1_000) / (service.polls - polls);
      }),
    );
  }
  for (const { subject } of both) await subject.runtime.stop();
  other.close();
  return {
    'product, µs': Math.round(median(windows.map(([ours = 0]) => ours))),
    'floor, µs': Math.round(median(windows.map(([, least = 0]) => least))),
    ratio: median(windows.map(([ours = 0, least = 1]) => ours / least)).toFixed(2),
  };
}

/** From the spawn to the first answer, in milliseconds: the proxy beside Hono, in turn. */
async function compareStarts(): Promise<Row> {
  const start = async (subject: Promise<Subject>): Promise<number> => {
    const { runtime } = await subject;
    await runtime.stop();
    return runtime.startMs;
  };
  const all: { readonly product: number; readonly hono: number }[] = [];
  for (let nth = 0; nth < STARTS; nth++) {
    const product = await start(startProduct(join(folder, `product-${nth}`), upstream));
    all.push({ product, hono: await start(startHono(join(folder, `hono-${nth}`))) });
  }
  return {
    'product, µs': Math.round(median(all.map(({ product }) => product)) * 1_000),
    'floor, µs': Math.round(median(all.map(({ hono }) => hono)) * 1_000),
    ratio: median(all.map(({ product, hono }) => product / hono)).toFixed(2),
  };
}

async function printProfile(kind: Kind): Promise<void> {
  const address = `127.0.0.1:${await freePort()}`;
  const options = [`--inspector-addr=${address}`];
  const product = await startProduct(join(folder, 'profiled'), upstream, { options });
  const { warmUp } = KINDS[kind];
  upstream.state = kind === 'poll' ? 0 : 1;
  await (await callsOf(product, kind, warmUp))(warmUp);
  const makeCalls = await callsOf(product, kind, warmUp);
  console.table(byPart(await profile(address, () => makeCalls(warmUp)), product.runtime.bundle));
  await product.runtime.stop();
}

try {
  if (profiled !== undefined) await printProfile(profiled as Kind);
  else await compareAll();
} finally {
  upstream.close();
  sink.close();
  sink.closeAllConnections();
}
process.exit(process.exitCode ?? 0);
