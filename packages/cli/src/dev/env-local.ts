/** `.env.local`: the settings of the site’s server, as `innkeep dev` writes them beside the lines that are there. */
import { execFile } from 'node:child_process';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { usageError } from '../failures/cli-error.ts';
import { readEnvFile, setEnvValue, writePrivateFile } from '../property/env-file.ts';

/** Name of the file, below the folder of the site. */
export const ENV_LOCAL = '.env.local';

/** Names that the quick starts read. */
export interface SiteVariables {
  readonly SITE_URL: string;
  readonly INNKEEP_ENDPOINT: string;
  readonly INNKEEP_SECRET_KEY: string;
  readonly INNKEEP_WEBHOOK_SECRET: string;
}

/** Writes the variables, readable by its owner alone. A live key that stands there is never replaced. @throws `usage` */
export async function writeEnvLocal(folder: string, variables: SiteVariables): Promise<void> {
  const path = join(folder, ENV_LOCAL);
  const known = (await readEnvFile(path)) ?? new Map<string, string>();
  if (known.get('INNKEEP_SECRET_KEY')?.startsWith('sk_live_') === true) {
    throw usageError(
      `${ENV_LOCAL} holds a live merchant key, which innkeep dev would replace.`,
      'Move it to where your deployment reads it, and remove the line INNKEEP_SECRET_KEY.',
    );
  }
  let text = await readFile(path, 'utf8').catch(() => '');
  if (text === '') text = '# Written by innkeep dev: keys of the local stack alone. Your own lines stay.\n';
  for (const [name, value] of Object.entries(variables)) {
    const replaced = known.get(name);
    // A key of somewhere else was shown only once: it is kept, where nothing reads it.
    const isForeignSecret = /^(sk|whsec)_/.test(replaced ?? '') && replaced !== value;
    if (isForeignSecret) text = `${text.trimEnd()}\n# Before innkeep dev: ${name}='${replaced}'\n`;
    if (replaced !== value) ({ text } = setEnvValue(text, name, value));
  }
  await writePrivateFile(path, text);
  await ignoreEnvLocal(folder);
}

/** Adds the file to `.gitignore`, unless git ignores it already. */
async function ignoreEnvLocal(folder: string): Promise<void> {
  const gitignore = join(folder, '.gitignore');
  if (await isIgnoredByGit(folder)) return;
  const text = await readFile(gitignore, 'utf8').catch(() => '');
  if (text.split(/\r?\n/).some((line) => /^\/?\.env(\.local|\.?\*)\s*$/.test(line))) return;
  await appendFile(gitignore, `${text === '' || text.endsWith('\n') ? '' : '\n'}${ENV_LOCAL}\n`);
}

/** Git's own answer. False also where there is no git, or no repository yet. */
async function isIgnoredByGit(folder: string): Promise<boolean> {
  return promisify(execFile)('git', ['check-ignore', '--quiet', ENV_LOCAL], { cwd: folder }).then(
    () => true,
    () => false,
  );
}
