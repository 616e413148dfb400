/** npm as a newcomer has it, on the project's own Node, with one cache for the whole rehearsal. */
import { execFile } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../../scripts/launch.ts';
import { findPhp } from '../../../scripts/php.ts';

export type NpmEnvironment = Readonly<Record<string, string | undefined>>;

/** What npm fetched once, it has for the next template, and for the next run of this test. */
const CACHE = join(ROOT, 'node_modules/.cache/innkeep-release');

const LIMIT_MS = 300_000;

/** This process's environment without what pnpm and turbo put there. The proxy's registry is npm's when it is named. */
export function npmEnvironment(registry?: string): NpmEnvironment {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(npm_(?!config_)|PNPM_|TURBO_|VITEST|NODE_ENV$|INIT_CWD$)/.test(name),
  );
  const php = findPhp();
  const ownFolders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.startsWith(ROOT));
  return {
    ...Object.fromEntries(inherited),
    // The project's Node comes first: the machine's may be older than what the packages ask for.
    PATH: [dirname(process.execPath), ...ownFolders, ...(php === undefined ? [] : [dirname(php)])].join(delimiter),
    npm_config_cache: CACHE,
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    npm_config_yes: 'true',
    ...(registry === undefined ? {} : { npm_config_registry: registry }),
    NEXT_TELEMETRY_DISABLED: '1',
    ASTRO_TELEMETRY_DISABLED: '1',
    WRANGLER_SEND_METRICS: 'false',
    DENO_NO_UPDATE_CHECK: '1',
  };
}

/** Runs npm to its end. Fails with all that it printed. */
export async function runNpm(
  args: readonly string[],
  { cwd, environment }: { readonly cwd: string; readonly environment: NpmEnvironment },
): Promise<{ stdout: string; stderr: string }> {
  try {
    return await promisify(execFile)('npm', args, { cwd, env: environment, timeout: LIMIT_MS, maxBuffer: 64 << 20 });
  } catch (error) {
    // What execFile rejects with.
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`npm ${args.join(' ')} failed:\n${stdout}\n${stderr}`);
  }
}
