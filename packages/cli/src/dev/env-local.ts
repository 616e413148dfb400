/** `.env.local`: the settings of the site’s server, as `innkeep dev` writes them beside the existing lines. */
import { execFile } from 'node:child_process';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual, parseEnv, promisify } from 'node:util';
import { usageError } from '../failures/cli-error.ts';
import { readIfThere, writePrivateFile } from '../property/env-file.ts';

/** Name of the file, below the folder of the site. */
export const ENV_LOCAL = '.env.local';

/** Names that the quick starts read. */
export interface SiteVariables {
  readonly SITE_URL: string;
  readonly INNKEEP_ENDPOINT: string;
  readonly INNKEEP_SECRET_KEY: string;
  readonly INNKEEP_WEBHOOK_SECRET: string;
}

/** Writes the variables, readable only by the owner. A live key in the file is never replaced. @throws `usage` */
export async function writeEnvLocal(folder: string, variables: SiteVariables): Promise<void> {
  const path = join(folder, ENV_LOCAL);
  const before = (await readIfThere(path)) ?? '';
  if (before.match(linesOf('INNKEEP_SECRET_KEY'))?.some((line) => /=\s*["'`]?sk_live_/.test(line)) === true) {
    throw usageError(
      `${ENV_LOCAL} holds a live merchant key, which innkeep dev would replace.`,
      'Move it to where your deployment reads it, and remove the line INNKEEP_SECRET_KEY.',
    );
  }
  const known = read(before);
  let text = before === '' ? '# Written by innkeep dev: keys of the local stack alone. Your own lines stay.\n' : before;
  for (const [name, value] of Object.entries(variables)) {
    const replaced = known[name];
    if (replaced === value) continue;
    text = text.replace(linesOf(name), '');
    // A key from elsewhere was shown only once: it is kept in a comment, which nothing reads.
    if (/^(sk|whsec)_/.test(replaced ?? '')) text = withLine(text, `# Before innkeep dev: ${name}='${replaced}'`);
    text = withLine(text, `${name}='${value}'`);
  }
  if (!isDeepStrictEqual(read(text), { ...known, ...variables })) {
    throw usageError(
      `${ENV_LOCAL} has a value that the lines of innkeep dev would change, or be part of.`,
      `Close each quote that begins a value, and remove ${Object.keys(variables).join(', ')} from other values.`,
    );
  }
  await writePrivateFile(path, text);
  await ignoreEnvLocal(folder);
}

/** What Node reads in it. Its lines belong to the site, so they are not checked. */
function read(text: string): Record<string, string | undefined> {
  return { ...parseEnv(text.replace(/^\uFEFF/, '')) };
}

/** The lines that set a name. */
function linesOf(name: string): RegExp {
  return new RegExp(`^[^\\S\\r\\n]*(?:export[^\\S\\r\\n]+)?${name}[^\\S\\r\\n]*=.*(?:\\r?\\n|$)`, 'gm');
}

function withLine(text: string, line: string): string {
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`;
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
