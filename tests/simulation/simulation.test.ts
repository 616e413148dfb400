import { spawnSync } from 'node:child_process';
import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { MUTANTS } from './mutants.ts';
import { RULES } from './rules.ts';

const SCRIPT = fileURLToPath(new URL('simulate.ts', import.meta.url));
/** The same in every run, so that a failure is about the change; `SIMULATION_SEED` chooses another one. */
const SEED = Number(process.env.SIMULATION_SEED ?? 20_261_123);
const HISTORIES = 1_500;

function simulate(...args: readonly string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    // Vitest cannot end a call that blocks.
    timeout: 600_000,
  });
  return { status, output: stdout + stderr };
}

test(`every rule holds in ${HISTORIES} histories from seed ${SEED}`, { timeout: 600_000 }, () => {
  const { status, output } = simulate('--histories', String(HISTORIES), '--seed', String(SEED));
  expect(status, output).toBe(0);
});

test('what has failed once does not fail again', { timeout: 300_000 }, () => {
  const { status, output } = simulate('--corpus');
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

test('the same seed tells the same story, to the byte, whatever was played before', { timeout: 120_000 }, () => {
  const many = simulate('--tell', '--histories', '20', '--seed', '1');
  const last = simulate('--tell', '--histories', '1', '--seed', '20');
  expect(last.output.length).toBeGreaterThan(500);
  expect(many.output.endsWith(last.output)).toBe(true);
});
