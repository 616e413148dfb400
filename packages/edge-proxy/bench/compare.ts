/**
 * One worker beside another. They take turns every few calls, on the same processor, so that whatever else the machine does slows
 * both: two copies of the same worker differ by 5 % in one round and by less than 1 % in the median of forty, on a machine with three
 * times the work it can do. Rounds of one worker after the other differed by half.
 */
import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from './quantile.ts';
import type { BenchRuntime } from './runtime.ts';
import type { Subject } from './subjects.ts';

interface Rounds {
  /** Calls of each in one round, and in one turn. */
  readonly perRound: number;
  readonly perTurn: number;
  readonly rounds: number;
  /** Calls before it counts: the compiler has seen the code then, more than once. */
  readonly warmUp: number;
  readonly pauseMs?: number;
}

interface KindOfCall extends Rounds {
  readonly label: string;
}

/** Makes so many calls of a worker. */
interface Calls {
  readonly runtime: BenchRuntime;
  readonly make: (some: number) => Promise<unknown>;
}

export const KINDS = {
  health: { label: 'healthz', perRound: 500, perTurn: 25, rounds: 60, warmUp: 5_000 },
  read: { label: 'status read', perRound: 400, perTurn: 20, rounds: 40, warmUp: 3_000 },
  create: { label: 'session create', perRound: 64, perTurn: 8, rounds: 30, warmUp: 400 },
  start: { label: 'start to result', perRound: 64, perTurn: 8, rounds: 20, warmUp: 200 },
  // A reader starts a poll of a session at most every 2.5 s.
  poll: { label: 'poll, awake', perRound: 256, perTurn: 8, rounds: 20, warmUp: 256, pauseMs: 2_600 },
} as const satisfies Readonly<Record<string, KindOfCall>>;

export type Kind = keyof typeof KINDS;

const CONCURRENCY = 16;

/** A row of the table. */
export async function compare(product: Subject, floor: Subject, kind: Kind, { isQuick = false } = {}) {
  const { rounds: most, ...how }: KindOfCall = KINDS[kind];
  const rounds = isQuick ? most / 5 : most;
  const calls: Calls[] = [];
  for (const subject of [product, floor]) {
    const make = await callsOf(subject, kind, how.warmUp + rounds * how.perRound);
    calls.push({ runtime: subject.runtime, make });
  }
  const { ours, least, ratio, half } = await compareCalls(calls as [Calls, Calls], { ...how, rounds });
  return { 'product, µs': ours, 'floor, µs': least, ratio, 'half of the rounds': half };
}

/** Medians of all rounds in microseconds of CPU, and between which ratios half of them lie. */
export async function compareCalls(
  both: readonly [ours: Calls, least: Calls],
  { perRound, perTurn, rounds, warmUp, pauseMs }: Rounds,
) {
  for (const { make } of both) await make(warmUp);
  const all: { readonly ours: number; readonly least: number; readonly ratio: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    if (pauseMs !== undefined) await delay(pauseMs);
    // Creations still tell the ledger.
    for (const { runtime } of both) await untilIdle(runtime);
    const before = both.map(({ runtime }) => runtime.cpuMs());
    for (let turn = 0; turn < perRound / perTurn; turn++) {
      // Who goes first is slowed by what was written before.
      for (const { make } of turn % 2 === 0 ? both : both.toReversed()) await make(perTurn);
    }
    // What a call leaves for later belongs to it: telling the ledger.
    for (const { runtime } of both) await untilIdle(runtime);
    const [ours = 0, least = 0] = both.map(
      ({ runtime }, n) => ((runtime.cpuMs() - (before[n] ?? 0)) * 1_000) / perRound,
    );
    all.push({ ours, least, ratio: ours / least });
  }
  const at = (pick: 'ours' | 'least' | 'ratio', share: number): number =>
    quantile(
      all.map((each) => each[pick]),
      share,
    );
  return {
    ours: Math.round(at('ours', 0.5)),
    least: Math.round(at('least', 0.5)),
    ratio: at('ratio', 0.5).toFixed(2),
    half: `${at('ratio', 0.25).toFixed(2)}–${at('ratio', 0.75).toFixed(2)}`,
  };
}

/** Prepares so many calls of a kind; what it answers with makes some of them. */
export async function callsOf(
  subject: Subject,
  kind: Kind,
  count: number,
): Promise<(some: number) => Promise<unknown>> {
  const needed = { health: 0, create: 0, read: 64, start: count, poll: KINDS.poll.perRound }[kind];
  const secrets = await inParallel(needed, () => subject.create());
  if (kind === 'poll') await inParallel(needed, (nth) => subject.start(secrets[nth] ?? ''));
  let calls = 0;
  const next = (): string => secrets[calls++ % secrets.length] ?? '';
  const readNext = (): Promise<void> => subject.read(next());
  const call = {
    health: subject.health,
    create: subject.create,
    read: readNext,
    poll: readNext,
    // Its reader's poll finds the result.
    start: async () => {
      const secret = next();
      await subject.start(secret);
      await subject.read(secret);
    },
  }[kind];
  return (some) => inParallel<unknown>(some, call);
}

/** Puts the workers on a processor of their own, and whoever calls them on the others; without workers, on all again. */
export function pin(subjects: readonly Subject[]): void {
  const last = availableProcessors - 1;
  if (last === 0) return;
  const put = (cpus: string, pid: number): void => {
    execFileSync('taskset', ['-a', '-p', '-c', cpus, String(pid)], { stdio: 'ignore' });
  };
  put(`0-${subjects.length === 0 ? last : last - 1}`, process.pid);
  for (const { runtime } of subjects) put(String(last), runtime.pid);
}

/** Before this process is pinned to some of them. */
const availableProcessors = availableParallelism();

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
