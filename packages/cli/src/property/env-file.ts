import { randomUUID } from 'node:crypto';
import { chmod, open, readFile, realpath, rename, rm } from 'node:fs/promises';
import { usageError } from '../cli-error.ts';
import { errorCode } from '../input/read-input.ts';

const LINE = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*$/;

/** Names and values of a file in `.dev.vars` form; undefined when there is no such file. @throws `usage` */
export async function readEnvFile(path: string): Promise<ReadonlyMap<string, string> | undefined> {
  const text = await readIfThere(path);
  return text === undefined ? undefined : parseEnv(text);
}

/** Names and values of a text in `.dev.vars` form. Of lines with the same name the last counts. */
export function parseEnv(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, name, raw] = line.trimStart().startsWith('#') ? [] : (LINE.exec(line) ?? []);
    if (name !== undefined && raw !== undefined) values.set(name, unquoted(raw));
  }
  return values;
}

/**
 * Sets one value, on one line, as JSON in single quotes. Other lines stay as they are; earlier lines of the same name go.
 * The file is replaced in one step and readable by its owner only.
 *
 * @returns whether the name was there before
 */
export async function writeEnvValue(
  path: string,
  name: string,
  value: object,
): Promise<{ readonly replaced: boolean }> {
  const { text, replaced } = setEnvValue((await readIfThere(path)) ?? '', name, value);
  await writePrivateFile(path, text);
  return { replaced };
}

/** The text with one value set, as {@link writeEnvValue} writes it. */
export function setEnvValue(text: string, name: string, value: object): { text: string; replaced: boolean } {
  const isOld = (line: string): boolean => !line.trimStart().startsWith('#') && LINE.exec(line)?.[1] === name;
  const lines = text.split(/\r?\n/);
  const kept = lines.filter((line) => !isOld(line));
  while (kept.at(-1) === '') kept.pop();
  return {
    text: `${[...kept, `${name}=${singleQuoted(value)}`].join('\n')}\n`,
    replaced: lines.some(isOld),
  };
}

/** Writes a file that only its owner can read, in one step: nobody ever sees half of it. @throws `usage` */
export async function writePrivateFile(path: string, content: string | Uint8Array): Promise<void> {
  // Renaming over a symbolic link would replace the link, not the file behind it.
  const target = await realpath(path).catch(() => path);
  const draft = `${target}.${randomUUID()}.tmp`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await chmod(draft, 0o600);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw usageError(`${path} cannot be written (${errorCode(error)}).`, 'Check the folder and who may write there.');
  }
}

/** JSON that survives single quotes and readers that expand `$NAME`. */
function singleQuoted(value: object): string {
  const json = JSON.stringify(value).replace(/['`$]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
  return `'${json}'`;
}

function unquoted(raw: string): string {
  const quote = raw[0];
  const end = quote === "'" || quote === '"' || quote === '`' ? raw.lastIndexOf(quote) : -1;
  if (end > 0) {
    const inner = raw.slice(1, end);
    return quote === '"' ? inner.replaceAll('\\n', '\n').replaceAll('\\"', '"') : inner;
  }
  return raw.replace(/\s+#.*$/, '');
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw usageError(`${path} cannot be read (${errorCode(error)}).`, 'Check the path and who may read it.');
  }
}
