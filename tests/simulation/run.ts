/** One history from its seed to its verification; and what fast-check makes of one that fails. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { type History, needsDirectory } from './commands.ts';
import { Play } from './history.ts';
import { historyArbitrary } from './history-arbitrary.ts';
import { check } from './invariants.ts';
import type { Rule } from './rules.ts';
import { prepare, World } from './world.ts';

/** A history, and the faults that are kept from happening in it. */
export type FoundHistory = History & { readonly suppress?: readonly string[] };

/** What has failed once: added by whoever mended a defect, in the form in which a failure is printed. */
export const CORPUS = JSON.parse(readFileSync(new URL('corpus.json', import.meta.url), 'utf8')) as readonly {
  readonly name: string;
  readonly history: FoundHistory;
}[];

export async function playHistory(
  history: History,
  options: { readonly suppress?: readonly string[]; readonly isTold?: boolean } = {},
) {
  const { seed, faults, commands } = history;
  const hasDirectory = commands.some(needsDirectory);
  const world = new World(await prepare(), { seed, faults, hasDirectory, ...options });
  const play = new Play(world);
  try {
    await play.run(commands);
    const violations = await check(play);
    const { injected, timeline, scheduler } = world;
    return { violations, injected, timeline, events: scheduler.count };
  } finally {
    world.close();
  }
}

/** A history that breaks a rule, made as short as it can be, and the faults that it does not need. */
export type Failure = Awaited<ReturnType<typeof shrink>>;

export function historyOf(seed: number): History {
  const [history] = fc.sample(historyArbitrary, { seed, numRuns: 1, unbiased: true });
  if (history === undefined) throw new Error('fast-check drew nothing');
  return history;
}

/** Plays the history of a seed; when it breaks a rule, finds a short one that breaks the same. */
export async function tryAndShrink(seed: number): Promise<Failure | undefined> {
  const history = historyOf(seed);
  const broken = (await playHistory(history)).violations;
  return broken.length === 0 ? undefined : shrink(seed, history, new Set(broken.map(({ rule }) => rule)));
}

/** Tries until it gives up. */
const SHRINK_LIMIT = 400;

async function shrink(seed: number, found: History, rules: ReadonlySet<Rule>) {
  let tries = 0;
  const breaks = async (history: History, suppress: readonly string[] = []): Promise<boolean> => {
    tries += 1;
    const { violations } = await playHistory(history, { suppress });
    return violations.some(({ rule }) => rules.has(rule));
  };
  const details = await fc.check(
    fc.asyncProperty(historyArbitrary, async (history) => tries > SHRINK_LIMIT || !(await breaks(history))),
    { examples: [[found]], numRuns: 1, seed },
  );
  let history: History = details.counterexample?.[0] ?? found;
  for (let isShorter = true; isShorter && tries < 2 * SHRINK_LIMIT; ) {
    isShorter = false;
    for (let at = history.commands.length - 1; at >= 0; at--) {
      const shorter = { ...history, commands: history.commands.filter((_, nth) => nth !== at) };
      if (shorter.commands.length === 0 || !(await breaks(shorter))) continue;
      history = shorter;
      isShorter = true;
    }
  }
  let suppress: string[] = [];
  for (const fault of (await playHistory(history)).injected) {
    if (tries < 3 * SHRINK_LIMIT && (await breaks(history, [...suppress, fault]))) suppress = [...suppress, fault];
  }
  return { seed, history, suppress, outcome: await playHistory(history, { suppress, isTold: true }) };
}

/** A failure as people read it. */
export function describeFailure({ seed, history, suppress, outcome }: Failure): string {
  return [
    `Seed ${seed} breaks:`,
    ...outcome.violations.map(({ rule, what }) => `  ${rule}: ${what}`),
    '',
    'The shortest history found:',
    JSON.stringify({ ...history, ...(suppress.length === 0 ? {} : { suppress }) }),
    '',
    'What happened (seconds; "!" is a fault, "·" an event between objects):',
    ...outcome.timeline,
  ].join('\n');
}
