// `pnpm test`: every test, after installing what the tests need. What did not change since it passed is not run again. Arguments
// go to vitest: `pnpm test --project core`.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ensureChromium } from './chromium.ts';
import { installEnginesIfMissing } from './engines.ts';
import { build, buildDemoWorkers, descendantsOf, ROOT, readProcesses } from './launch.ts';
import { installPhpIfMissing } from './php.ts';

process.env.CHROMIUM_PATH = ensureChromium();
installEnginesIfMissing();
installPhpIfMissing();
process.env.WRANGLER_SEND_METRICS = 'false';
process.chdir(ROOT);

const vitestArguments = process.argv.slice(2);
if (vitestArguments.length > 0) {
  build();
  buildDemoWorkers();
  process.exit(run('vitest', ['run', ...vitestArguments]));
}

/** Four times what the longest suite needs on two cores beside another one. */
const SUITE_LIMIT_MS = 20 * 60_000;
const LOOK_EVERY_MS = 10_000;

// Each package's output, of this run or of the one that is not repeated.
const LOGS = '{.,packages/*,apps/*,tests/*}/.turbo/turbo-*test.log';
for (const log of globSync(LOGS)) rmSync(log);
let status = await runSuites();
// A runner that hangs says nothing about the tests. It gets one more chance, and the tests that failed get none.
const ended = globSync(LOGS).filter((log) => status.hung && totalsOf(log) === undefined);
if (ended.length > 0) {
  const names = ended.map(
    (log) => JSON.parse(readFileSync(join(dirname(log), '../package.json'), 'utf8')).name as string,
  );
  console.error(`Did not end within ${SUITE_LIMIT_MS / 60_000} minutes, and once more: ${names.join(', ')}`);
  status = await runSuites(...names.map((name) => `--filter=${name}`));
}
const count = { passed: 0, failed: 0 };
for (const log of globSync(LOGS)) {
  const totals = totalsOf(log);
  count.passed += Number(/(\d+) passed/.exec(totals ?? '')?.[1] ?? 0);
  count.failed += Number(/(\d+) failed/.exec(totals ?? '')?.[1] ?? 0);
}
// A suite that cannot even start has no tests to count.
if (status.code !== 0 && count.failed === 0) count.failed = 1;
console.log(`${count.passed} passed, ${count.failed} failed`);
process.exit(count.failed === 0 && count.passed > 0 ? 0 : 1);

/** The line of a suite's log that counts its tests; undefined when the suite did not get that far. */
function totalsOf(log: string): string | undefined {
  const text = stripVTControlCharacters(readFileSync(log, 'utf8'));
  return /^\s*Tests\s+(.*)$/m.exec(text.slice(text.lastIndexOf('Test Files')))?.[1];
}

/** Runs the suites, two at a time, and counts the tests of each as it ends. Lists the processes of one that hangs, and ends them. */
async function runSuites(...filters: readonly string[]): Promise<{ code: number; hung: boolean }> {
  const args = ['run', 'test', '--continue', '--concurrency=2', '--output-logs=errors-only'];
  const turbo = spawn('turbo', [...args, ...filters], { stdio: 'inherit' });
  const seenAt = new Map<number, number>();
  const told = new Set<string>();
  let hung = false;
  const tell = (): void => {
    for (const log of globSync(LOGS)) {
      const totals = totalsOf(log);
      if (totals === undefined || told.has(log)) continue;
      told.add(log);
      console.log(`${join(log, '../..')}: ${totals}`);
    }
  };
  const timer = setInterval(() => {
    tell();
    const processes = readProcesses();
    for (const [pid, { command }] of descendantsOf(process.pid, processes)) {
      if (!/pnpm(\.c?js)? run test/.test(command)) continue;
      if (!seenAt.has(pid)) seenAt.set(pid, performance.now());
      if (performance.now() - (seenAt.get(pid) ?? 0) < SUITE_LIMIT_MS) continue;
      hung = true;
      const hanging = [[pid, { command }] as const, ...descendantsOf(pid, processes)];
      console.error(`This does not end:\n${hanging.map((row) => `  ${row[0]} ${row[1].command}`).join('\n')}`);
      for (const [part] of hanging) kill(part);
    }
  }, LOOK_EVERY_MS);
  const [code] = (await once(turbo, 'close')) as [number | null];
  clearInterval(timer);
  tell();
  return { code: code ?? 1, hung };
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

function run(command: string, args: readonly string[]): number {
  return spawnSync(command, args, { stdio: 'inherit' }).status ?? 1;
}
