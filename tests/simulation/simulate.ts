/**
 * `pnpm simulate`: plays histories, many of them. `--histories 100000`, `--seed 1` (the first one's; the others follow),
 * `--jobs 2`, `--mutant <name>` with a defect put in, `--mutants` with each of them in turn, `--tell` prints what happens
 * in every history, `--as-found` leaves a history that fails as long as it is. What has failed once, the corpus, is
 * played first.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { MUTANTS } from './mutants.ts';
import { hookLoading } from './runtime/load.ts';

const { values } = parseArgs({
  options: {
    histories: { type: 'string', default: '1500' },
    seed: { type: 'string' },
    jobs: { type: 'string' },
    mutant: { type: 'string' },
    mutants: { type: 'boolean', default: false },
    tell: { type: 'boolean', default: false },
    worker: { type: 'string' },
    'as-found': { type: 'boolean', default: false },
  },
});

const histories = Number(values.histories);
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000_000));
const jobs = Number(values.jobs ?? Math.min(2, availableParallelism()));
if (![histories, seed, jobs].every((number) => Number.isSafeInteger(number) && number >= 0)) {
  throw new Error('--histories, --seed and --jobs are whole numbers');
}

interface Found {
  readonly played: number;
  readonly events: number;
  readonly cpuMs: number;
  /** Seed of the first history that failed, and what to say about it. */
  readonly failure?: { readonly seed: number; readonly nth: number; readonly text: string; readonly name?: string };
}

const NOTHING_FOUND: Found = { played: 0, events: 0, cpuMs: 0 };

if (values.worker !== undefined) process.send?.(await work(Number(values.worker)));
else if (values.tell) await tell();
else if (values.mutants) await huntAll();
else await simulate();

async function simulate(): Promise<void> {
  console.log(`${histories} histories from seed ${seed}, ${jobs} at a time`);
  const startedAt = performance.now();
  const results = await run(values.mutant);
  const seconds = (performance.now() - startedAt) / 1_000;
  const played = results.reduce((sum, result) => sum + result.played, 0);
  const cpuMs = results.reduce((sum, result) => sum + result.cpuMs, 0);
  const events = results.reduce((sum, result) => sum + result.events, 0);
  const failures = results.flatMap(({ failure }) => (failure === undefined ? [] : [failure]));
  for (const { text } of failures) console.log(`\n${text}\n`);
  console.log(
    `${played} histories, ${events} events, ${seconds.toFixed(1)} s, ${(cpuMs / Math.max(1, played)).toFixed(1)} ms of CPU each; ` +
      (failures.length === 0
        ? 'every rule holds'
        : `failed: seed ${failures.map((failure) => failure.seed).join(', ')}`),
  );
  process.exitCode = failures.length === 0 ? 0 : 1;
}

async function tell(): Promise<void> {
  const { historyOf, playHistory } = await loadHistories();
  for (let nth = 0; nth < histories; nth++) {
    const history = historyOf(seed + nth);
    const { timeline, violations } = await playHistory(history, { isTold: true });
    const broken = violations.map(({ rule, what }) => `breaks ${rule}: ${what}`);
    console.log([`history of seed ${seed + nth}`, JSON.stringify(history), ...timeline, ...broken].join('\n'));
  }
}

/** Every mutant must be found. */
async function huntAll(): Promise<void> {
  for (const { name, means } of MUTANTS) {
    const failures = (await run(name, true)).flatMap(({ failure }) => (failure === undefined ? [] : [failure]));
    const [first] = failures.sort((left, right) => left.nth - right.nth);
    if (first === undefined) process.exitCode = 1;
    const rule = /^ {2}([a-z-]+):/m.exec(first?.text ?? '')?.[1] ?? '';
    const where =
      first?.name === undefined ? `seed ${first?.seed} (history ${(first?.nth ?? 0) + 1}` : `the corpus (${first.name}`;
    const result = first === undefined ? `NOT FOUND in ${histories}` : `${where}, ${rule})`;
    console.log(`${name}: ${result} – ${means}`);
  }
}

/** Plays all histories, each in one of the worker processes. A hunt is over for all of them once one has found something. */
async function run(mutant: string | undefined, isHunt = false): Promise<Found[]> {
  const isAsFound = isHunt || values['as-found'];
  const children: ChildProcess[] = [];
  return Promise.all(
    Array.from({ length: jobs }, (_, nth) => {
      const more = [...(mutant === undefined ? [] : ['--mutant', mutant]), ...(isAsFound ? ['--as-found'] : [])];
      const args = Object.entries({ worker: nth, histories, seed, jobs }).flatMap(([name, value]) => [
        `--${name}`,
        `${value}`,
      ]);
      const child = fork(fileURLToPath(import.meta.url), [...args, ...more], {
        execArgv: ['--disable-warning=ExperimentalWarning'],
      });
      children.push(child);
      return new Promise<Found>((resolve, reject) => {
        let found: Found | undefined;
        child.on('message', (message: Found) => {
          found = message;
          if (isHunt && found.failure !== undefined) for (const other of children) other.kill();
        });
        child.on('exit', (code, signal) => {
          if (isHunt && signal !== null) resolve(found ?? NOTHING_FOUND);
          else if (found === undefined) reject(new Error(`A worker ended with ${code}`));
          else resolve(found);
        });
      });
    }),
  );
}

/** The modules that import the worker, after the hooks that change how it is loaded. */
function loadHistories(): Promise<typeof import('./run.ts')> {
  hookLoading(values.mutant);
  // Code of an instance that was cut off may end in nobody's hands.
  process.on('unhandledRejection', (error) => {
    if ((error as { durableObjectReset?: unknown } | null)?.durableObjectReset !== true) throw error;
  });
  return import('./run.ts');
}

/** Plays every history whose number, divided by the number of workers, leaves this worker's. */
async function work(mine: number): Promise<Found> {
  // Most errors here are thrown on purpose, and nobody reads where.
  Error.stackTraceLimit = 0;
  const { CORPUS, describeFailure, historyOf, playHistory, tryAndShrink } = await loadHistories();
  let played = 0;
  let events = 0;
  // What has failed once comes first: a defect of a kind that was met before is found at once.
  for (const { name, history } of mine === 0 ? CORPUS : []) {
    const { violations } = await playHistory(history, { suppress: history.suppress ?? [] });
    if (violations.length === 0) continue;
    const text = [`The corpus (${name}) breaks:`, ...violations.map(({ rule, what }) => `  ${rule}: ${what}`)].join(
      '\n',
    );
    return { played, events, cpuMs: cpuMs(), failure: { seed: history.seed, nth: -1, text, name } };
  }
  for (let nth = mine; nth < histories; nth += jobs) {
    const outcome = await playHistory(historyOf(seed + nth)).catch((cause: unknown) => {
      throw new Error(`The history of seed ${seed + nth} does not play to its end`, { cause });
    });
    played += 1;
    events += outcome.events;
    if (outcome.violations.length === 0) continue;
    if (values['as-found']) {
      const text = outcome.violations.map(({ rule, what }) => `  ${rule}: ${what}`).join('\n');
      return { played, events, cpuMs: cpuMs(), failure: { seed: seed + nth, nth, text } };
    }
    const failure = await tryAndShrink(seed + nth);
    const text = failure === undefined ? `Seed ${seed + nth} fails, but not again` : describeFailure(failure);
    return { played, events, cpuMs: cpuMs(), failure: { seed: seed + nth, nth, text } };
  }
  return { played, events, cpuMs: cpuMs() };
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
