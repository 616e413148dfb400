import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { descendantsOf, findLauncher, type ProcessRow, ROOT } from './launch.ts';

function table(...rows: ReadonlyArray<readonly [number, number, string]>): Map<number, ProcessRow> {
  return new Map(rows.map(([pid, parent, command]) => [pid, { parent, command }]));
}

describe('findLauncher', () => {
  test('finds npx above pnpm, the shells between them, and the pnpm that this project answers npx with', () => {
    const processes = table(
      [10, 1, '-bash'],
      [20, 10, 'npm exec pnpm demo'],
      [21, 20, "sh -c 'pnpm' demo"],
      [22, 21, 'node /home/guest/innkeep/node_modules/.bin/../../scripts/pnpm.mjs demo'],
      [23, 22, 'npm exec pnpm@12.21.0 demo'],
      [24, 23, "sh -c 'pnpm' demo"],
      [25, 24, 'pnpm demo'],
      [26, 25, 'sh -c trap "…" INT; node scripts/demo.ts'],
    );
    expect(findLauncher(26, processes)).toBe(20);
  });

  test('finds pnpm when it was called by its path', () => {
    const processes = table(
      [10, 1, 'bash'],
      [20, 10, 'node /opt/lib/pnpm.cjs demo'],
      [21, 20, 'sh -c node scripts/demo.ts'],
    );
    expect(findLauncher(21, processes)).toBe(20);
  });

  test('watches nobody when a person or a test started the script itself', () => {
    expect(findLauncher(10, table([10, 1, 'bash']))).toBeUndefined();
    expect(findLauncher(10, table([10, 1, 'node node_modules/.bin/vitest run']))).toBeUndefined();
    expect(findLauncher(10, table())).toBeUndefined();
  });
});

test('descendantsOf finds children and what they started, and nobody else', () => {
  const processes = table(
    [10, 1, 'node scripts/test.ts'],
    [20, 10, 'turbo run test'],
    [21, 10, 'ps'],
    [30, 20, 'pnpm run test'],
    [40, 30, 'vitest'],
    [50, 1, 'another'],
  );
  expect(descendantsOf(10, processes).map(([pid]) => pid)).toEqual([20, 21, 30, 40]);
});

const OPTIONS = 'Options: --demo-port 4000, --proxy-port 8787, --sandbox-port 8790\n';

test.each([
  ['--help', 0, OPTIONS, ''],
  ['--port=1', 1, '', `Unknown option '--port'. ${OPTIONS}`],
  ['4001', 1, '', expect.stringMatching(`^Unexpected argument '4001'.*\\. ${OPTIONS}$`)],
])('demo %s says which options there are, before it builds anything', (argument, status, stdout, stderr) => {
  const ended = spawnSync(process.execPath, [join(ROOT, 'scripts/demo.ts'), argument], { encoding: 'utf8' });
  expect(ended).toMatchObject({ status, stdout, stderr });
});
