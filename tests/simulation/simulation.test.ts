import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { MUTANTS } from './mutants.ts';
import { RULES } from './rules.ts';
import { SEED, simulate } from './simulate-command.ts';

/** `simulation.outer.test.ts` plays many more. One process: to load the worker takes as long as many histories. */
const HISTORIES = 100;

test(`every rule holds in what has failed once, and in ${HISTORIES} histories from seed ${SEED}`, () => {
  const { status, output } = simulate('--histories', String(HISTORIES), '--seed', String(SEED), '--jobs', '1');
  expect(status, output).toBe(0);
});

test('every mutant still changes exactly one place', async () => {
  const places = async ({ file, from }: { file: string; from: string }): Promise<number> => {
    let count = 0;
    const pattern = `packages/edge-proxy/src/**/${file.split('/').at(-1)}`;
    for await (const path of glob(pattern, { cwd: fileURLToPath(new URL('../..', import.meta.url)) })) {
      if (!path.endsWith(file)) continue;
      count += (await readFile(new URL(`../../${path}`, import.meta.url), 'utf8')).split(from).length - 1;
    }
    return count;
  };
  for (const { name, edits } of MUTANTS) {
    expect(await Promise.all(edits.map(places)), name).toEqual(edits.map(() => 1));
  }
});

test('every rule is named where its promise is made', async () => {
  const page = await readFile(new URL('../../docs/concepts/payment-states.md', import.meta.url), 'utf8');
  expect(Object.keys(RULES).filter((rule) => !page.includes(`\`${rule}\``))).toEqual([]);
});
