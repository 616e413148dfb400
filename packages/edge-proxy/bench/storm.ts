/**
 * `pnpm bench storm`: whether 20 hotels whose service fails slow the other 980 of one deployment. Calls of all hotels arrive at fixed times,
 * whoever still waits: first with every payment service up, then with twenty hotels stormed by guests, then with those
 * twenty hotels' payment services dead as well, each in its own way. Shown are the waits of the other hotels, from the
 * time at which a call was to be made; `result` and `webhook` are from a start and from a charge until the hotel's server is told.
 * `--rounds=1` measures less. With `TMPDIR=/dev/shm` the disk of this machine is not measured.
 */
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { inParallel } from './compare.ts';
import { folder } from './folder.ts';
import { benchProperty, keyOf, startProxyRuntime } from './product.ts';
import { quantile } from './quantile.ts';
import { type Call, startCaller, startFaulty, startReceiver } from './storm-parts.ts';
import { startUpstream } from './upstream.ts';

const { quick: isQuick, rounds } = parseArgs({
  options: { quick: { type: 'boolean' }, rounds: { type: 'string' } },
}).values;
const HOTELS = 1_000;
/** The first ones; their payment services die, a fifth in each way. */
const FAULTY = 20;
const ROUNDS = Number(rounds ?? (isQuick ? 1 : 3));
const WARM_MS = isQuick ? 5_000 : 15_000;
const MEASURED_MS = isQuick ? 15_000 : 30_000;
/** Calls a second: of all other hotels together, and of the stormed ones. What a core carries with room to spare. */
const QUIET: Readonly<Record<Call, number>> = { read: 40, create: 6, start: 6, charge: 6 };
const STORM: Readonly<Record<Call, number>> = { read: 20, create: 2, start: 20, charge: 2 };
const KINDS = ['read', 'create', 'start', 'charge', 'result', 'webhook'] as const;
/** A session is looked at for the first time a second after its start. */
const FIRST_POLL_MS = 1_000;
const RUNS = ['calm', 'storm', 'storm and dead'] as const;

type Waits = Record<(typeof KINDS)[number], number[]>;
const newWaits = (): Waits => ({ read: [], create: [], start: [], charge: [], result: [], webhook: [] });

const waits = Object.fromEntries(RUNS.map((run) => [run, newWaits()])) as Record<(typeof RUNS)[number], Waits>;
for (let round = 0; round < ROUNDS; round++) for (const run of RUNS) await measure(run, round);
const rows: Record<string, Record<string, number | string>> = {};
for (const kind of KINDS) {
  const at = (run: (typeof RUNS)[number], share: number): number => quantile(waits[run][kind], share);
  rows[kind] = {
    calls: waits.calm[kind].length,
    ...Object.fromEntries(
      RUNS.map((run) => [`${run}: p50, p99 in ms`, `${at(run, 0.5).toFixed(1)}, ${at(run, 0.99).toFixed(1)}`]),
    ),
    'p99 of storm and dead / storm': Number((at('storm and dead', 0.99) / at('storm', 0.99)).toFixed(2)),
    '/ calm': Number((at('storm and dead', 0.99) / at('calm', 0.99)).toFixed(2)),
  };
}
console.log(`\nThe other ${HOTELS - FAULTY} hotels`);
console.table(rows);
process.exit(process.exitCode ?? 0);

async function measure(run: (typeof RUNS)[number], round: number): Promise<void> {
  const upstream = await startUpstream();
  const receiver = await startReceiver();
  const faulty = await startFaulty(upstream);
  const isFaulty = (hotel: number): boolean => hotel < FAULTY;
  const env: Record<string, string> = {};
  for (let hotel = 0; hotel < HOTELS; hotel++) {
    const own = isFaulty(hotel) ? faulty[hotel % faulty.length] : undefined;
    const property = benchProperty(own?.url ?? upstream.url, { key: keyOf(hotel) });
    const merchantKeys = property.merchantKeys.map((key) => ({ ...key, scopes: ['checkout', 'charges', 'reversals'] }));
    const { customerId = property.customerId } = own ?? {};
    const webhooks = [{ url: isFaulty(hotel) ? receiver.hangingUrl : receiver.url, secret: receiver.secret }];
    env[`PROPERTY_H${hotel}`] = JSON.stringify({ ...property, customerId, merchantKeys, webhooks });
  }
  const runtime = await startProxyRuntime(join(folder, `${run}-${round}`.replaceAll(' ', '-')), env);
  const caller = startCaller(runtime.url);
  const seconds = (WARM_MS + MEASURED_MS) / 1_000;
  const isStormy = run !== 'calm';
  let answered = 0;
  const answers: Record<string, number> = {};
  const lag = monitorEventLoopDelay({ resolution: 5 });
  try {
    // The first calls of a hotel make its ledger and log in.
    await inParallel(HOTELS, (hotel) => caller.call('charge', { key: keyOf(hotel), secret: '', reference: 'first' }));
    const quiet = await sessions(QUIET.start * seconds, (nth) => FAULTY + (nth % (HOTELS - FAULTY)));
    const stormed = isStormy ? await sessions(STORM.start * seconds, (nth) => nth % FAULTY) : [];
    if (run === 'storm and dead') for (const each of faulty) each.die();
    await delay(3_000);
    const startedAt = performance.now();
    const from = startedAt + WARM_MS;
    const isMeasured = (at: number): boolean => at >= from;
    receiver.onEvent = (reference, at) => {
      const sentAt = sent.get(reference);
      if (sentAt === undefined || !isMeasured(sentAt)) return;
      const isCharge = reference.startsWith('C');
      waits[run][isCharge ? 'webhook' : 'result'].push(at - sentAt - (isCharge ? 0 : FIRST_POLL_MS));
    };
    const sent = new Map<string, number>();
    const arrivals = [...arrivalsOf(QUIET, false), ...(isStormy ? arrivalsOf(STORM, true) : [])].sort(
      (a, b) => a.at - b.at,
    );
    const cpu = { at: 0, proxy: 0, own: process.cpuUsage() };
    let pending = 0;
    for (const { at, kind, nth, isStorm } of arrivals) {
      const dueAt = startedAt + at;
      const early = dueAt - performance.now();
      if (early > 1) await delay(early);
      if (cpu.at === 0 && isMeasured(dueAt)) {
        Object.assign(cpu, { at: performance.now(), proxy: runtime.cpuMs(), own: process.cpuUsage() });
        lag.enable();
      }
      const hotel = isStorm ? nth % FAULTY : FAULTY + ((nth * 7) % (HOTELS - FAULTY));
      const pool = isStorm ? stormed : quiet;
      const session = pool[(kind === 'start' ? nth : nth % 50) % Math.max(1, pool.length)];
      const reference = kind === 'charge' ? `C-${hotel}-${nth}` : (session?.reference ?? '');
      if (!isStorm && (kind === 'charge' || kind === 'start')) sent.set(reference, dueAt);
      pending += 1;
      void caller.call(kind, { key: keyOf(hotel), secret: session?.secret ?? '', reference }).then((status) => {
        pending -= 1;
        const name = `${isStorm ? 'stormed ' : ''}${kind} ${status}`;
        answers[name] = (answers[name] ?? 0) + 1;
        if (isStorm || !isMeasured(dueAt)) return;
        answered += 1;
        waits[run][kind].push(performance.now() - dueAt);
      });
    }
    const elapsed = performance.now() - cpu.at;
    const own = process.cpuUsage(cpu.own);
    const share = (ms: number): string => `${((ms / elapsed) * 100).toFixed(0)} %`;
    console.log(
      `${run} ${round + 1}: ${answered} calls; CPU of the proxy ${share(runtime.cpuMs() - cpu.proxy)} and of this bench ` +
        `${share((own.user + own.system) / 1_000)} of a core, whose timers were late by ${(lag.percentile(99) / 1e6 - 5).toFixed(1)} ms (p99); ` +
        `${pending} calls still wait, ${runtime.memoryMiB().toFixed(0)} MiB`,
    );
    console.log(JSON.stringify(Object.fromEntries(Object.entries(answers).sort())));
    await delay(3_000);
  } finally {
    await runtime.stop();
    caller.stop();
    receiver.close();
    for (const each of faulty) each.close();
    upstream.close();
  }

  function sessions(count: number, hotelOf: (nth: number) => number): Promise<{ secret: string; reference: string }[]> {
    return inParallel(count, async (nth) => {
      const reference = `S-${hotelOf(nth)}-${nth}`;
      return { secret: await caller.create(keyOf(hotelOf(nth)), reference), reference };
    });
  }

  function arrivalsOf(rates: Readonly<Record<Call, number>>, isStorm: boolean) {
    return Object.entries(rates).flatMap(([kind, rate], which) =>
      Array.from({ length: rate * seconds }, (_, nth) => ({
        // Kinds do not arrive together.
        at: ((nth + which / 4 + (isStorm ? 0.125 : 0)) / rate) * 1_000,
        kind: kind as Call,
        nth,
        isStorm,
      })),
    );
  }
}
