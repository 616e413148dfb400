// `pnpm test`: every test, after installing what the tests need. Arguments go to vitest: `pnpm test --project core`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, buildDemoWorkers, ROOT } from './build.ts';
import { ensureChromium } from './chromium.ts';
import { installPhpIfMissing } from './php.ts';

process.env.CHROMIUM_PATH = ensureChromium();
installPhpIfMissing();
process.env.WRANGLER_SEND_METRICS = 'false';
build();
buildDemoWorkers();

const folder = mkdtempSync(join(tmpdir(), 'innkeep-test-'));
const report = join(folder, 'vitest.json');
const run = spawnSync(
  'vitest',
  ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...process.argv.slice(2)],
  { cwd: ROOT, stdio: 'inherit' },
);
const totals = readTotals(report);
rmSync(folder, { recursive: true, force: true });

const failed = run.status === 0 ? totals.failed : Math.max(totals.failed, 1);
console.log(`${totals.passed} passed, ${failed} failed`);
process.exit(failed === 0 && totals.passed > 0 ? 0 : 1);

/** What vitest counted; nothing at all when it died before it could write its report. */
function readTotals(file: string): { passed: number; failed: number } {
  try {
    const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(readFileSync(file, 'utf8'));
    return { passed: numPassedTests, failed: numFailedTests === 0 ? numFailedTestSuites : numFailedTests };
  } catch {
    return { passed: 0, failed: 1 };
  }
}
