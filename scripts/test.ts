// `pnpm test`: the inner ring of tests, after installing what it needs. `pnpm test --all`: the outer ring as well. What did not change
// since it passed is not run again. Other arguments go to vitest: `pnpm test --project core`.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ensureChromium } from './chromium.ts';
import { installEnginesIfMissing } from './engines.ts';
import { build, buildDemoWorkers, ROOT } from './launch.ts';
import { installPhpIfMissing } from './php.ts';

process.env.CHROMIUM_PATH = ensureChromium();
installEnginesIfMissing();
installPhpIfMissing();
process.env.WRANGLER_SEND_METRICS = 'false';
// Each suite loads vitest, and most start servers and commands: what Node has compiled once is there for all of them.
process.env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules/.cache/node');
process.chdir(ROOT);

const [first, ...rest] = process.argv.slice(2);
const isAll = first === '--all';
if (first !== undefined && (!isAll || rest.length > 0)) {
  build('./packages/*', '@innkeep/demo');
  if (rest.includes('outer')) buildDemoWorkers();
  process.exit(spawnSync('vitest', ['run', first, ...rest], { stdio: 'inherit' }).status ?? 1);
}

/** Several times what the suites need on two cores: a runner that hangs is a failure that somebody sees. */
const LIMIT_MS = (isAll ? 60 : 30) * 60_000;
/** Each suite's output, of this run or of the one that is not repeated. */
const LOGS = '{.,packages/*,apps/*,tests/*}/.turbo/turbo-test*.log';

for (const log of globSync(LOGS)) rmSync(log);
const tasks = ['test', 'test:scripts', ...(isAll ? ['test:outer'] : [])];
// One suite more than the gate has cores: part of their time is waiting for a browser, a server or a poll. With more of them each
// takes longer and asks more often meanwhile, which costs more than it uses. The outer ring waits for registries as well.
const concurrency = `--concurrency=${isAll ? 12 : 3}`;
const { status } = spawnSync('turbo', ['run', ...tasks, '--continue', concurrency, '--output-logs=errors-only'], {
  stdio: 'inherit',
  timeout: LIMIT_MS,
});
const count = { passed: 0, failed: 0 };
for (const log of globSync(LOGS).sort()) {
  const { text, passed, failed } = totalsOf(log);
  console.log(`${join(log, '../..')}: ${text}`);
  count.passed += passed;
  count.failed += failed;
}
// A suite that cannot even start has no tests to count.
if (status !== 0 && count.failed === 0) count.failed = 1;
console.log(`${count.passed} passed, ${count.failed} failed`);
process.exit(count.failed === 0 && count.passed > 0 ? 0 : 1);

/** What a suite's log says at its end. A file that could not be set up has no failed test, and one that failed all the same. */
function totalsOf(log: string): { readonly text: string; readonly passed: number; readonly failed: number } {
  const output = stripVTControlCharacters(readFileSync(log, 'utf8'));
  const end = output.slice(output.lastIndexOf('Test Files'));
  const [files, text] = ['Test Files', 'Tests'].map((what) => new RegExp(`^ *${what} +(.*)$`, 'm').exec(end)?.[1]);
  if (files === undefined || text === undefined) return { text: 'did not end', passed: 0, failed: 1 };
  const numberOf = (what: string, line: string): number => Number(new RegExp(`(\\d+) ${what}`).exec(line)?.[1] ?? 0);
  return {
    text,
    passed: numberOf('passed', text),
    failed: Math.max(...[files, text].map((line) => numberOf('failed', line))),
  };
}
