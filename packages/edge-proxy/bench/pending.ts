/**
 * `pnpm bench pending`: payments whose guests have gone away, in one process that the launcher has started: how late their polls are, what
 * they cost, and how long others wait beside them. Then the process is down for ten minutes and starts again.
 * `--sessions=10000`, `--hotels=500`, `--waiting=300` pages that wait for a payment, `--down=600` seconds.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { serveProxy } from '@innkeep/edge-proxy/serve';
import { freePort } from '../../../scripts/launch.ts';
import { call as callApi, payment } from './api.ts';
import { folder } from './folder.ts';
import { benchProperty, keyOf } from './product.ts';
import { quantile } from './quantile.ts';
import { costOf } from './runtime.ts';
import { startUpstream } from './upstream.ts';

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '10000' },
    hotels: { type: 'string', default: '500' },
    waiting: { type: 'string', default: '300' },
    down: { type: 'string', default: '600' },
  },
});
const SESSIONS = Number(values.sessions);
const HOTELS = Number(values.hotels);
const WAITING = Number(values.waiting);
/** As many start in a second as in a busy hour of so many payments, eight times over. */
const STARTS_PER_SECOND = 20;
/** The schedule of the youngest is closest: the others are watched once it is some minutes old. */
const SETTLE_MS = 240_000;
const WATCH_MS = 60_000;
/** Reads are made at this pace whatever else the proxy does: one that waits for the one before would hide the wait. */
const READ_EVERY_MS = 20;
const READER_INTERVAL_MS = 2_500;
/** What a payment asks whose page waits: its polls are no part of the schedule. */
const WAITING_AMOUNT = 77_700;

const upstream = await startUpstream();
upstream.unscheduledAmount = WAITING_AMOUNT;
const port = await freePort();
const envFile = join(folder, 'proxy.env');
const hotels = Array.from(
  { length: HOTELS },
  (_, hotel) => `PROPERTY_HOTEL_${hotel}='${JSON.stringify(benchProperty(upstream.url, { key: keyOf(hotel) }))}'\n`,
);
writeFileSync(envFile, hotels.join(''));
const serve = () => serveProxy({ port, envFile, dataDir: join(folder, 'data'), onLine: () => undefined });
let proxy = await serve();

const call = <T>(path: string, secret: string, body?: object): Promise<T> =>
  callApi(`${proxy.url}/v1/${path}`, secret, { ...(body && { body }) });

async function create(nth: number, value = 12_000): Promise<string> {
  const body = payment(`RES-${nth}`, { amount: { value, currency: 'EUR' }, expiresInSeconds: 7_200 });
  return (await call<{ clientSecret: string }>('checkout-sessions', keyOf(nth % HOTELS), body)).clientSecret;
}

/** A machine that is full refuses some starts; the proxy says that they may be tried again. */
async function start(secret: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call('checkout/start', secret, { presentation: 'tab', terms: 1 });
    } catch (error) {
      if (attempt === 8) throw error;
      await delay(attempt * 500);
    }
  }
}

/** How long reads of a session wait that nobody pays. */
async function waits(secret: string): Promise<readonly number[]> {
  const endAt = performance.now() + WATCH_MS;
  const all: Promise<number>[] = [];
  while (performance.now() < endAt) {
    const startedAt = performance.now();
    all.push(call('checkout', secret).then(() => performance.now() - startedAt));
    await delay(READ_EVERY_MS);
  }
  return Promise.all(all);
}

/** Pages that wait, each asking every 2.5 seconds, until told to end. */
function waitOnPages(secrets: readonly string[]): () => Promise<unknown> {
  let isOver = false;
  const pages = secrets.map(async (secret, nth) => {
    await delay((nth / secrets.length) * READER_INTERVAL_MS);
    while (!isOver) {
      await call('checkout', secret).catch(() => undefined);
      await delay(READER_INTERVAL_MS);
    }
  });
  return () => {
    isOver = true;
    return Promise.all(pages);
  };
}

const openFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

/** The busiest second of so long, in polls, and the most open files. */
async function busiest(forMs: number): Promise<{ readonly polls: number; readonly files: number }> {
  const most = { polls: 0, files: 0 };
  for (const endAt = performance.now() + forMs; performance.now() < endAt; ) {
    const before = upstream.polls;
    await delay(1_000);
    most.polls = Math.max(most.polls, upstream.polls - before);
    most.files = Math.max(most.files, openFiles(proxy.pid));
  }
  return most;
}

try {
  const own = await create(0);
  await waits(own);
  const alone = await waits(own);
  upstream.state = 0;
  const starting: Promise<void>[] = [];
  for (let nth = 0; nth < SESSIONS; nth++) {
    // Guests do not come at the same moment: those who do are polled at the same moments, too.
    starting.push(create(nth).then(start));
    await delay(1_000 / STARTS_PER_SECOND);
  }
  await Promise.all(starting);
  await delay(SETTLE_MS);
  const secrets: string[] = [];
  for (let nth = 0; nth < WAITING; nth++) {
    const secret = await create(nth, WAITING_AMOUNT);
    await start(secret);
    secrets.push(secret);
  }
  const endPages = waitOnPages(secrets);
  await delay(10_000);
  upstream.watchDelays();
  const { cpuMs, memoryMiB } = costOf(proxy.pid);
  const [cpuBefore, startedAt] = [cpuMs(), performance.now()];
  const [beside, most] = await Promise.all([waits(own), busiest(WATCH_MS)]);
  const share = (cpuMs() - cpuBefore) / (performance.now() - startedAt);
  const late = upstream.delays;
  console.table({
    'polls late, ms': {
      median: Math.round(quantile(late, 0.5)),
      p99: Math.round(quantile(late, 0.99)),
      polls: late.length,
    },
    'reads alone, ms': { median: quantile(alone, 0.5).toFixed(1), p99: quantile(alone, 0.99).toFixed(1) },
    'reads beside, ms': { median: quantile(beside, 0.5).toFixed(1), p99: quantile(beside, 0.99).toFixed(1) },
    ratio: {
      median: (quantile(beside, 0.5) / quantile(alone, 0.5)).toFixed(2),
      p99: (quantile(beside, 0.99) / quantile(alone, 0.99)).toFixed(2),
    },
  });
  console.log(
    `${SESSIONS} pending of ${HOTELS} hotels, ${WAITING} pages waiting: ${(share * 100).toFixed(0)} % of a core, ` +
      `${memoryMiB().toFixed(0)} MiB, ${most.files} open files, ${most.polls} polls in the busiest second`,
  );
  await endPages();
  await proxy.close();
  await delay(Number(values.down) * 1_000);
  const restartedAt = performance.now();
  proxy = await serve();
  const readyMs = performance.now() - restartedAt;
  const after = await busiest(330_000);
  console.log(
    `After ${values.down} s down: ready in ${(readyMs / 1_000).toFixed(1)} s, ${after.polls} polls in the busiest second, ` +
      `${after.files} open files, ${costOf(proxy.pid).memoryMiB().toFixed(0)} MiB`,
  );
} finally {
  await proxy.close();
  upstream.close();
}
process.exit(0);
