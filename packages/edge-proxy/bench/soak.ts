/**
 * `pnpm bench soak`: six callers at once for nine minutes, each making a session, starting it, charging a card and reading the session. Shown
 * minute by minute: memory, open files and how long the calls take. From the third minute on they should stay as they are. Shown last:
 * the memory after a restart, which grows with each alarm that is left.
 * `--minutes=9`, `--callers=6`.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { serveProxy } from '@innkeep/edge-proxy/serve';
import { freePort } from '../../../scripts/launch.ts';
import { folder } from './folder.ts';
import { benchProperty } from './product.ts';
import { quantile } from './quantile.ts';
import { costOf } from './runtime.ts';
import { startCaller } from './storm-parts.ts';
import { startUpstream } from './upstream.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '9' }, callers: { type: 'string', default: '6' } },
});
const MINUTE_MS = 60_000;
/** How long a proxy rests after its start, until its memory is read. */
const REST_MS = 5_000;
const KEY = `sk_test_${'soak'.repeat(10)}`;

const upstream = await startUpstream();
const envFile = join(folder, 'proxy.env');
writeFileSync(
  envFile,
  `PROPERTY_SOAK='${JSON.stringify(benchProperty(upstream.url, { key: KEY, scopes: ['checkout', 'charges'] }))}'\n`,
);
const settings = { port: await freePort(), envFile, dataDir: join(folder, 'data'), onLine: () => undefined };
let proxy = await serveProxy(settings);
const { create, call, stop } = startCaller(proxy.url);

/** How long each call of this minute took, and what was refused. */
let waits: number[] = [];
let refused = 0;
let rounds = 0;
let isOver = false;

async function timed<T>(work: Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await work;
  waits.push(performance.now() - startedAt);
  return result;
}

async function callOnAndOn(): Promise<void> {
  while (!isOver) {
    const reference = `RES-${++rounds}`;
    const secret = await timed(create(KEY, reference));
    for (const kind of ['start', 'charge', 'read'] as const) {
      const status = await timed(call(kind, { key: KEY, secret, reference }));
      if (status < 200 || status > 299) refused += 1;
    }
  }
}

function measure() {
  const figures = {
    MiB: Math.round(costOf(proxy.pid).memoryMiB()),
    'open files': readdirSync(`/proc/${proxy.pid}/fd`).length,
    'median, ms': quantile(waits, 0.5).toFixed(1),
    'p99, ms': quantile(waits, 0.99).toFixed(1),
    calls: waits.length,
    refused,
  };
  waits = [];
  refused = 0;
  return figures;
}

try {
  const callers = Array.from({ length: Number(values.callers) }, callOnAndOn);
  const minutes: ReturnType<typeof measure>[] = [];
  for (let minute = 1; minute <= Number(values.minutes); minute++) {
    await delay(MINUTE_MS);
    minutes.push(measure());
  }
  isOver = true;
  await Promise.all(callers);
  console.table(minutes);
  await proxy.close();
  proxy = await serveProxy(settings);
  await delay(REST_MS);
  console.log(
    `${Math.round(costOf(proxy.pid).memoryMiB())} MiB after a restart, with ${rounds} sessions and as many charges`,
  );
} finally {
  stop();
  await proxy.close();
  upstream.close();
}
process.exit(0);
