// Tools that only one suite needs: a folder of its own with package.json and lockfile, installed when that suite runs.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../scripts/launch.ts';

const run = promisify(execFile);

/** Outside of the repository, so that nothing in it finds a dependency of the workspace that it does not name. */
const CACHE = join(homedir(), '.cache/innkeep-tools');
const MANIFEST = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'] as const;

/**
 * Installs what a folder's lockfile names, once for each version of that lockfile. `folder` is a path from the root, as in
 * `tests/openapi/tools`. Answers with the folder that has `node_modules`; what is to find the tools' libraries is written below it.
 */
export async function installTools(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const file of MANIFEST) hash.update(await readFile(join(ROOT, folder, file)));
  const installed = join(CACHE, `${folder.split('/').slice(1).join('-')}-${hash.digest('hex').slice(0, 16)}`);
  if (await isThere(installed)) return installed;
  await mkdir(CACHE, { recursive: true });
  const unfinished = await mkdtemp(`${installed}-`);
  try {
    for (const file of MANIFEST) await cp(join(ROOT, folder, file), join(unfinished, file));
    await run('pnpm', ['install', '--frozen-lockfile', '--prefer-offline'], { cwd: unfinished });
    await rename(unfinished, installed);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Somebody else was first.
    if (!(await isThere(installed))) throw error;
  }
  return installed;
}

async function isThere(folder: string): Promise<boolean> {
  return (await readdir(folder).catch(() => [])).length > 0;
}
