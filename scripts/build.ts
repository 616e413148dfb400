// Prevents: a command that runs yesterday's build, or none at all on a fresh clone.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The repository's root folder. */
export const ROOT: string = fileURLToPath(new URL('..', import.meta.url));

/** Builds the named packages and all they depend on; a second call costs well under a second. Exits when a build fails. */
export function build(...packages: readonly string[]): void {
  runTurbo('build', packages);
}

/** Builds the demo, and bundles it as the three Workers of its deployment. Exits when a build fails. */
export function buildDemoWorkers(): void {
  runTurbo('build:workers', ['@innkeep/demo']);
}

function runTurbo(task: string, packages: readonly string[]): void {
  const filters = packages.map((name) => `--filter=${name}`);
  const result = spawnSync('turbo', ['run', task, '--output-logs=errors-only', '--log-prefix=none', ...filters], {
    cwd: ROOT,
    env: {
      ...process.env,
      TURBO_TELEMETRY_DISABLED: '1',
      TURBO_NO_UPDATE_NOTIFIER: '1',
      WRANGLER_SEND_METRICS: 'false',
    },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (result.status === 0) return;
  process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}\n`);
  if (result.error !== undefined)
    process.stderr.write(`${result.error.message}. Run this through pnpm, for instance \`npx pnpm build\`.\n`);
  process.exit(result.status ?? 1);
}
