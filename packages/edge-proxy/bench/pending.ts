/** Sessions whose guests have gone away: how far apart the looks are, what they cost, and how long others wait beside them. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { inParallel } from './compare.ts';
import type { Subject } from './subjects.ts';
import type { BenchUpstream } from './upstream.ts';

/** Sessions started in a second before they are watched: all at once, they would all be in their busiest ten seconds. */
const STARTS_PER_SECOND = 40;
const WATCH_MS = 20_000;
/** Reads are made at this pace whatever else the proxy does: one that waits for the one before would hide the wait. */
const READ_EVERY_MS = 20;
/** How closely this process watches itself. */
const RESOLUTION_MS = 1;

/** Watches so many, and prints a line. */
export async function watchMany(
  product: Subject,
  upstream: BenchUpstream,
  { sessions, settleMs }: { readonly sessions: number; readonly settleMs: number },
): Promise<void> {
  const { runtime } = product;
  const own = await product.create();
  // The compiler has seen the code before it counts.
  await waits(product, own);
  const unloaded = await waits(product, own);
  upstream.state = 0;
  const secrets = await inParallel(sessions, () => product.create());
  for (let i = 0; i < sessions; i += STARTS_PER_SECOND) {
    const pace = delay(1_000);
    await Promise.all(secrets.slice(i, i + STARTS_PER_SECOND).map((secret) => startPatiently(product, secret)));
    await pace;
  }
  // From half a minute on a session is looked at every five seconds, or less often when there are many.
  await delay(settleMs);
  upstream.watchGaps();
  const [cpuBefore, startedAt] = [runtime.cpuMs(), performance.now()];
  const loaded = await waits(product, own);
  const share = (runtime.cpuMs() - cpuBefore) / (performance.now() - startedAt);
  const gaps = upstream.gaps.toSorted((a, b) => a - b);
  upstream.state = 1;
  const at = (sorted: readonly number[], quantile: number): number => sorted[Math.floor(sorted.length * quantile)] ?? 0;
  const seconds = (quantile: number): string => `${(at(gaps, quantile) / 1_000).toFixed(1)} s`;
  const ms = ({ sorted }: Waits, quantile: number): string => `${at(sorted, quantile).toFixed(1)} ms`;
  console.log(
    `${String(sessions).padStart(5)} pending: a look every ${seconds(0.5)} (median), ${seconds(0.99)} (p99); ` +
      `${(share * 100).toFixed(0)} % of a core, ${((share * 1_000_000) / sessions).toFixed(0)} µs CPU per session and second, ` +
      `${runtime.memoryMiB().toFixed(0)} MiB. A status read: median ${ms(loaded, 0.5)}, p99 ${ms(loaded, 0.99)}; ` +
      `with none pending ${ms(unloaded, 0.5)}, ${ms(unloaded, 0.99)}. Of these the client waited for itself: ` +
      `p99 ${loaded.own.toFixed(1)} ms, with none pending ${unloaded.own.toFixed(1)} ms`,
  );
}

interface Waits {
  /** How long reads wait, in milliseconds, sorted. */
  readonly sorted: readonly number[];
  /** How late this process, which is the client and the payment service, was itself: the 99th percentile. */
  readonly own: number;
}

async function waits(product: Subject, secret: string): Promise<Waits> {
  const own = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  own.enable();
  const endAt = performance.now() + WATCH_MS;
  const all: Promise<number>[] = [];
  while (performance.now() < endAt) {
    const startedAt = performance.now();
    all.push(product.read(secret).then(() => performance.now() - startedAt));
    await delay(READ_EVERY_MS);
  }
  const sorted = (await Promise.all(all)).toSorted((a, b) => a - b);
  own.disable();
  return { sorted, own: Math.max(0, own.percentile(99) / 1e6 - RESOLUTION_MS) };
}

/** A machine that is full refuses some starts; the proxy says that they may be tried again. */
async function startPatiently(product: Subject, secret: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await product.start(secret);
    } catch (error) {
      if (attempt === 8) throw error;
      await delay(attempt * 500);
    }
  }
}
