import { randomUUID } from 'node:crypto';
import { chmod, chown, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { usageError } from '../failures/cli-error.ts';
import { errorCode } from '../input/read-input.ts';
import { notWritable, withFileLock } from './file-lock.ts';

const NAME = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/;
// A line that Node would not read as it looks is refused: Node skips what is not an assignment, ends a value at the first
// quote of its kind, and at any #.
const LINE =
  /^(?:#.*|(?:export\s+)?[A-Za-z_]\w*\s*=\s*(?:(?:'[^']*'|"[^"]*"|`[^`]*`)(?:\s+#.*)?|(?:[^\s'"`#][^'"`#]*)?(?:(?<=\s)#.*)?|[^\s'"`#][^#]*))?$/s;

/** Names and values of a file in `.dev.vars` form; undefined when there is no such file. @throws `usage` */
export async function readEnvFile(path: string): Promise<ReadonlyMap<string, string> | undefined> {
  const text = await readIfThere(path);
  return text === undefined ? undefined : valuesOf(path, text);
}

function valuesOf(path: string, text: string): ReadonlyMap<string, string> {
  const values = parseEnvText(text);
  if (typeof values !== 'number') return values;
  throw usageError(
    `${path}: line ${values} is not NAME=value.`,
    'Put a value with quotes or # into single quotes, and write an apostrophe inside JSON as \\u0027.',
  );
}

/** Assignments of a text in `.dev.vars` form, or the number of a line that is not one. The last line of a name applies. */
export function parseEnvText(text: string): ReadonlyMap<string, string> | number {
  const values = new Map<string, string>();
  for (const [index, line] of linesOf(text).entries()) {
    if (!LINE.test(line.trim())) return index + 1;
    for (const [name, value] of Object.entries(parseEnv(line.trim()))) values.set(name, value ?? '');
  }
  return values;
}

/** A change of one name of a file in `.dev.vars` form. */
export interface EnvChange {
  readonly value: object | string;
  /** What the name had when it was read; undefined when it was not there. */
  readonly before?: string | undefined;
  /** Values of other names, for those that are not there. */
  readonly defaults?: Readonly<Record<string, string>>;
}

/**
 * Sets one value, on one line, in single quotes, an object as JSON. Other lines stay as they are; earlier lines of the same name go.
 * The file is replaced in one step and readable by its owner only.
 *
 * @returns whether the name was there before
 * @throws `usage` when it has another value than `before`
 */
export async function writeEnvValue(
  path: string,
  name: string,
  { value, before, defaults = {} }: EnvChange,
): Promise<{ readonly replaced: boolean }> {
  await changePrivateFile(path, (text = '') => {
    const values = valuesOf(path, text);
    if (values.get(name) !== before) throw changedMeanwhile(`${name} in ${path}`);
    const missing = Object.entries(defaults).filter(([each]) => !values.has(each));
    const full = missing.reduce((soFar, [each, own]) => setEnvValue(soFar, each, own).text, text);
    return setEnvValue(full, name, value).text;
  });
  return { replaced: before !== undefined };
}

/** Replaces all of a private file, if it still is as it was read. @throws `usage` */
export async function replacePrivateFile(path: string, content: string, before: string | undefined): Promise<void> {
  await changePrivateFile(path, (text) => {
    if (text !== before) throw changedMeanwhile(path);
    return content;
  });
}

function changedMeanwhile(what: string): Error {
  return usageError(
    `${what} has changed since this command read it. Nothing was changed.`,
    'Somebody else is changing it, too. Run this again.',
  );
}

async function changePrivateFile(path: string, change: (text: string | undefined) => string): Promise<void> {
  // A device or a pipe has nothing to be lost, and no place for a lock.
  if ((await stat(path).catch(() => undefined))?.isFile() === false) return writePrivateFile(path, change(undefined));
  const target = await realpath(path).catch(() => path);
  await withFileLock(target, async () => writePrivateFile(path, change(await readIfThere(path))));
}

/** The text with one value set, as {@link writeEnvValue} writes it. */
export function setEnvValue(text: string, name: string, value: object | string): { text: string; replaced: boolean } {
  const isOld = (line: string): boolean => NAME.exec(line)?.[1] === name;
  const lines = linesOf(text);
  const kept = lines.filter((line) => !isOld(line));
  while (kept.at(-1) === '') kept.pop();
  return {
    text: `${[...kept, `${name}='${typeof value === 'string' ? value : unquotableJson(value)}'`].join('\n')}\n`,
    replaced: lines.some(isOld),
  };
}

/**
 * Writes a file that only its owner can read, in one step: nobody ever sees half of it. Root leaves a file with its owner, who must
 * read it. Anything but a regular file, such as a device or a pipe, is written to. @throws `usage`
 */
export async function writePrivateFile(path: string, content: string | Uint8Array): Promise<void> {
  const present = await stat(path).catch(() => undefined);
  // Renaming over a symbolic link would replace the link, not the file behind it.
  const target = await realpath(path).catch(() => path);
  const draft = `${target}.${randomUUID()}.tmp`;
  const owner = process.getuid?.() === 0 ? present : undefined;
  try {
    if (present?.isFile() === false) return await writeFile(path, content);
    await writeFile(draft, content, { flag: 'wx', mode: 0o600, flush: true });
    await chmod(draft, 0o600);
    if (owner !== undefined) await chown(draft, owner.uid, owner.gid);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw notWritable(path, error);
  }
}

/** JSON that survives single quotes and readers that expand `$NAME`. */
function unquotableJson(value: object): string {
  return JSON.stringify(value).replace(/['`$]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|[\r\n]/);
}

/** The text of a file; undefined when there is none. @throws `usage` */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw usageError(`${path} cannot be read (${errorCode(error)}).`, 'Check the path and who may read it.');
  }
}
