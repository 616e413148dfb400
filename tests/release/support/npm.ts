/** npm as a newcomer has it, on the project's own Node, with one cache for the whole rehearsal. */
import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../../scripts/launch.ts';
import { findPhp } from '../../../scripts/php.ts';
import { CACHE } from '../../support/toolbox.ts';

export type NpmEnvironment = Readonly<Record<string, string | undefined>>;

/** What npm fetched once, it has for the next template, and for the next run of this test. */
const FETCHED = join(CACHE, 'npm');

const LIMIT_MS = 300_000;

/**
 * A cache for one rehearsal, in a folder that is not there yet. It has what npm fetched in others, and not what npm ran there: a command
 * of another release has the same version.
 */
export async function makeCache(folder: string): Promise<string> {
  await mkdir(FETCHED, { recursive: true });
  await mkdir(folder);
  await symlink(FETCHED, join(folder, '_cacache'));
  return folder;
}

/** This process's environment without what pnpm and turbo put there. */
export function npmEnvironment(cache: string, settings: Readonly<Record<string, string>> = {}): NpmEnvironment {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(npm_(?!config_)|PNPM_|TURBO_|VITEST|NODE_ENV$|INIT_CWD$)/.test(name),
  );
  const php = findPhp();
  const ownFolders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.startsWith(ROOT));
  return {
    ...Object.fromEntries(inherited),
    // The project's Node comes first: the machine's may be older than what the packages ask for.
    PATH: [dirname(process.execPath), ...ownFolders, ...(php === undefined ? [] : [dirname(php)])].join(delimiter),
    npm_config_cache: cache,
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    npm_config_yes: 'true',
    ...settings,
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
