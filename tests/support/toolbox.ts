// Tools that only one suite needs: a folder of its own with package.json and lockfile, installed when that suite runs.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { ROOT } from '../../scripts/launch.ts';

const run = promisify(execFile);

/** Outside of the repository, so that nothing in it finds a dependency of the workspace that it does not name. */
export const CACHE = join(homedir(), '.cache/innkeep-tools');

/**
 * Installs what a folder's lockfile names, once for each version of that folder, given as a path from the root: `tests/openapi/tools`.
 * Answers with the folder that has `node_modules`; what is to find the tools' libraries is written into a folder below it.
 */
export async function installTools(folder: string): Promise<string> {
  const files = (await readdir(join(ROOT, folder), { recursive: true })).sort().filter(isManifest);
  const hash = createHash('sha256');
  for (const file of files) hash.update(await readFile(join(ROOT, folder, file)));
  const installed = join(CACHE, `${folder.split('/').slice(1).join('-')}-${hash.digest('hex').slice(0, 16)}`);
  if (await isThere(installed)) return installed;
  await mkdir(CACHE, { recursive: true });
  const unfinished = await mkdtemp(`${installed}-`);
  try {
    for (const file of files) await cp(join(ROOT, folder, file), join(unfinished, file));
    await run('pnpm', ['install', '--frozen-lockfile', '--prefer-offline'], { cwd: unfinished });
    await rename(unfinished, installed);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Somebody else was first.
    if (!(await isThere(installed))) throw error;
  }
  return installed;
}

/** A package of a folder's tools. Its types are not in this workspace: whoever asks says what is used of it. */
export async function importTool(folder: string, name: string): Promise<unknown> {
  const { resolve } = createRequire(join(await installTools(folder), 'package.json'));
  return import(pathToFileURL(resolve(name)).href);
}

const QUIET = { CI: '1', NEXT_TELEMETRY_DISABLED: '1', ASTRO_TELEMETRY_DISABLED: '1' };

/** Runs a tool of a folder, or of one above it, as a script there would. Fails with all that it printed. */
export async function runTool(folder: string, command: readonly string[], env: object = {}): Promise<string> {
  const [tool = '', ...options] = command;
  const path = process.env.PATH ?? '';
  try {
    const { stdout } = await run(tool, options, {
      cwd: folder,
      env: { ...process.env, ...QUIET, NODE_ENV: undefined, PATH: [...binsFrom(folder), path].join(delimiter), ...env },
    });
    return stdout;
  } catch (error) {
    // What execFile rejects with.
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${command.join(' ')} failed:\n${stdout}\n${stderr}`);
  }
}

/** Where commands lie, from a folder upwards. */
export function binsFrom(folder: string): string[] {
  const above = dirname(folder);
  return [join(folder, 'node_modules/.bin'), ...(above === folder ? [] : binsFrom(above))];
}

function isManifest(file: string): boolean {
  return /(^|\/)(package\.json|pnpm-(lock|workspace)\.yaml)$/.test(file) && !file.includes('node_modules');
}

async function isThere(folder: string): Promise<boolean> {
  return (await readdir(folder).catch(() => [])).length > 0;
}
