/**
 * `pnpm bench proxy`, or this file with options: what the proxy costs beside floors that do the same I/O without product code, in one run under
 * `workerd serve`; what telemetry costs beside none; how long the start takes beside Hono's. CPU is the runtime's own process time.
 * `--quick` measures less, `--only=health,read` so many rows, `--profile=read` says where the time of a call goes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../../../scripts/launch.ts';
import { callsOf, compare, KINDS, type Kind, pin } from './compare.ts';
import { byPart, profile } from './profile.ts';
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
const STARTS = 10;

const root = mkdtempSync(join(tmpdir(), 'innkeep-bench-'));
const upstream = await startUpstream();
// A collector that takes everything.
const sink = createServer((request, answer) => request.resume().on('end', () => answer.end('{}')));
await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve));
const collector = `http://127.0.0.1:${(sink.address() as AddressInfo).port}`;

async function compareAll(): Promise<void> {
  const wanted = (only?.split(',') ?? [...Object.keys(KINDS), 'telemetry', 'worker']) as (
    | Kind
    | 'telemetry'
    | 'worker'
  )[];
  const product = await startProduct(join(root, 'product'), upstream);
  const measured = await startProduct(join(root, 'measured'), upstream, { collector });
  const floor = await startFloor(join(root, 'floor'), upstream);
  const hono = await startHono(join(root, 'hono'));
  pin([product, measured, floor, hono]);
  const rows: Record<string, object> = {};
  for (const kind of wanted) {
    upstream.state = kind === 'poll' ? 0 : 1;
    if (kind === 'worker') rows['worker start'] = await compareStarts();
    else if (kind === 'telemetry') rows['read with telemetry'] = await compare(measured, product, 'read', { isQuick });
    else rows[KINDS[kind].label] = await compare(product, kind === 'health' ? hono : floor, kind, { isQuick });
  }
  console.table(rows);
  for (const { runtime } of [product, measured, floor, hono]) await runtime.stop();
  pin([]);
}

/** From the spawn to the first answer, in milliseconds: the proxy beside Hono, in turn. */
async function compareStarts(): Promise<object> {
  const start = async (subject: Promise<Subject>): Promise<number> => {
    const { runtime } = await subject;
    await runtime.stop();
    return runtime.startMs;
  };
  const all: { readonly product: number; readonly hono: number }[] = [];
  for (let nth = 0; nth < STARTS; nth++) {
    const product = await start(startProduct(join(root, `product-${nth}`), upstream));
    all.push({ product, hono: await start(startHono(join(root, `hono-${nth}`))) });
  }
  const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[STARTS / 2] ?? 0;
  return {
    'product, µs': Math.round(median(all.map(({ product }) => product)) * 1_000),
    'floor, µs': Math.round(median(all.map(({ hono }) => hono)) * 1_000),
    ratio: median(all.map(({ product, hono }) => product / hono)).toFixed(2),
  };
}

async function printProfile(kind: Kind): Promise<void> {
  const address = `127.0.0.1:${await freePort()}`;
  const options = [`--inspector-addr=${address}`];
  const product = await startProduct(join(root, 'profiled'), upstream, { options });
  const { warmUp } = KINDS[kind];
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
  rmSync(root, { recursive: true, force: true });
}
process.exit(process.exitCode ?? 0);
