/** The product beside its floors: short rounds in turn, and the median of their ratios. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Subject } from './subjects.ts';

/** What is compared, and how many in one round. */
export const KINDS = {
  health: { label: 'healthz', perRound: 2_000 },
  read: { label: 'status read', perRound: 1_000 },
  create: { label: 'session create', perRound: 120 },
  start: { label: 'start to result', perRound: 120 },
} as const;

export type Kind = keyof typeof KINDS;

const CONCURRENCY = 16;
/** From the start to the look that finds the result. */
const LOOK_MS = 1_100;

/** CPU microseconds of one call, everything included that it leaves to alarms. */
export async function measure({ runtime, ...subject }: Subject, kind: Kind, count: number): Promise<number> {
  const needed = { health: 0, create: 0, read: 64, start: count }[kind];
  const secrets = await inParallel(needed, () => subject.create());
  // Creations still tell the ledger.
  if (needed > 0) await untilIdle(runtime);
  const before = runtime.cpuMs();
  await inParallel(count, async (nth) => {
    const secret = secrets[nth % secrets.length] ?? '';
    if (kind === 'health') await subject.health();
    else if (kind === 'create') await subject.create();
    else if (kind === 'read') await subject.read(secret);
    else await subject.start(secret);
  });
  if (kind === 'start') await delay(LOOK_MS);
  // What a call leaves to the alarm belongs to it: telling the ledger, looking at the upstream, the result.
  if (kind === 'create' || kind === 'start') await untilIdle(runtime);
  return ((runtime.cpuMs() - before) * 1_000) / count;
}

/** A row of the table: medians of all rounds, and between which ratios half of them lie. */
export async function compare(product: Subject, floor: Subject, kind: Kind, rounds: number) {
  const { perRound } = KINDS[kind];
  // The compiler has seen the code before it counts.
  for (const subject of [product, floor]) await measure(subject, kind, perRound);
  const all: { readonly product: number; readonly floor: number; readonly ratio: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    // In turn first: what was written before slows whoever comes second.
    const isFirst = round % 2 === 0;
    const early = await measure(isFirst ? product : floor, kind, perRound);
    const late = await measure(isFirst ? floor : product, kind, perRound);
    const [ours, least] = isFirst ? [early, late] : [late, early];
    all.push({ product: ours, floor: least, ratio: ours / least });
  }
  const at = (pick: 'product' | 'floor' | 'ratio', quantile: number): number =>
    all.map((each) => each[pick]).toSorted((a, b) => a - b)[Math.floor(all.length * quantile)] ?? 0;
  return {
    'product, µs': Math.round(at('product', 0.5)),
    'floor, µs': Math.round(at('floor', 0.5)),
    ratio: at('ratio', 0.5).toFixed(2),
    'half of the rounds': `${at('ratio', 0.25).toFixed(2)}–${at('ratio', 0.75).toFixed(2)}`,
  };
}

/** Waits until the process has used no CPU to speak of for a while. */
export async function untilIdle({ cpuMs }: Subject['runtime']): Promise<void> {
  for (let quiet = 0, before = cpuMs(); quiet < 2; ) {
    await delay(50);
    const now = cpuMs();
    quiet = now - before <= 2 ? quiet + 1 : 0;
    before = now;
  }
}

/** Makes so many calls, sixteen at a time; answers in their order. */
export async function inParallel<T>(count: number, call: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (next < count) {
        const index = next++;
        results[index] = await call(index);
      }
    }),
  );
  return results;
}
