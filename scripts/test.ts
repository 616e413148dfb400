// `pnpm test`: every test, after installing what the tests need. What did not change since it passed is not run again. Arguments
// go to vitest: `pnpm test --project core`.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, rmSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { ensureChromium } from './chromium.ts';
import { build, buildDemoWorkers, ROOT } from './launch.ts';
import { installPhpIfMissing } from './php.ts';

process.env.CHROMIUM_PATH = ensureChromium();
installPhpIfMissing();
process.env.WRANGLER_SEND_METRICS = 'false';
process.chdir(ROOT);

const vitestArguments = process.argv.slice(2);
if (vitestArguments.length > 0) {
  build();
  buildDemoWorkers();
  process.exit(run('vitest', ['run', ...vitestArguments]));
}

// Each package's output, of this run or of the one that is not repeated.
const LOGS = '{.,packages/*,apps/*,tests/*}/.turbo/turbo-*test.log';
for (const log of globSync(LOGS)) rmSync(log);
const status = run('turbo', ['run', 'test', '--continue', '--concurrency=2', '--output-logs=errors-only']);
const count = { passed: 0, failed: 0 };
for (const log of globSync(LOGS)) {
  const text = stripVTControlCharacters(readFileSync(log, 'utf8'));
  const totals = /^\s*Tests\s+(.*)$/m.exec(text.slice(text.lastIndexOf('Test Files')))?.[1] ?? '';
  count.passed += Number(/(\d+) passed/.exec(totals)?.[1] ?? 0);
  count.failed += Number(/(\d+) failed/.exec(totals)?.[1] ?? 0);
}
// A suite that cannot even start has no tests to count.
if (status !== 0 && count.failed === 0) count.failed = 1;
console.log(`${count.passed} passed, ${count.failed} failed`);
process.exit(count.failed === 0 && count.passed > 0 ? 0 : 1);

function run(command: string, args: readonly string[]): number {
  return spawnSync(command, args, { stdio: 'inherit' }).status ?? 1;
}
