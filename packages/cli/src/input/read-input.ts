import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { usageError } from '../failures/cli-error.ts';
import type { Io } from '../process/io.ts';

/** Bytes of a file, or of standard input for `-`. @throws `usage` naming the option */
export async function readInput(io: Io, path: string, option: string): Promise<Uint8Array> {
  if (path === '-') return io.readStdin();
  try {
    return await readFile(resolve(io.cwd, path));
  } catch (error) {
    throw usageError(`${option}: ${path} cannot be read (${errorCode(error)}).`, 'Check the path and who may read it.');
  }
}

/** A text with secrets from a file or standard input. Warns when others can read the file. @throws `usage` */
export async function readPrivateText(io: Io, path: string, option: string): Promise<string> {
  const text = new TextDecoder().decode(await readInput(io, path, option));
  await warnOfReaders(io, path);
  return text;
}

/** A secret from a file or standard input: its text without the line's end. @throws `usage` */
export async function readSecretFile(io: Io, path: string, option: string): Promise<string> {
  const text = (await readPrivateText(io, path, option)).trim();
  if (text !== '' && !/\s/.test(text)) return text;
  throw usageError(`${option}: ${path} does not hold exactly one secret.`, 'Put the secret there, and nothing else.');
}

/** A file's content as a JSON object. @throws `usage` */
export async function readJsonObject(io: Io, path: string, option: string): Promise<Record<string, unknown>> {
  const text = new TextDecoder().decode(await readInput(io, path, option));
  const value = parseJsonObject(text);
  if (value === undefined)
    throw usageError(`${option}: ${path === '-' ? 'standard input' : path} is not a JSON object.`);
  if (/"(?:password|secret|apiKey)"\s*:/.test(text)) await warnOfReaders(io, path);
  return value;
}

/** Undefined for a text that is no JSON object. */
export function parseJsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    // The parser's message quotes the text, which may hold a password.
    return undefined;
  }
}

/** Warns when anybody but the owner can read a file that holds a secret. */
async function warnOfReaders(io: Io, path: string): Promise<void> {
  if (path === '-' || process.platform === 'win32') return;
  const { mode } = await stat(resolve(io.cwd, path));
  if ((mode & 0o077) !== 0) await io.warn(`others on this machine may read ${path}. Close it: chmod 600 ${path}`);
}

/** `ENOENT` and the like; never the message, which repeats absolute paths. */
export function errorCode(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code ?? 'error');
}
