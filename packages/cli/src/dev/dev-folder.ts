/** The folder `.innkeep`: what `innkeep dev` keeps from one start to the next, so that keys, addresses and sessions stay. */
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError, usageError } from '../failures/cli-error.ts';
import { errorCode } from '../input/read-input.ts';
import { writePrivateFile } from '../property/env-file.ts';
import { makeKey, makeSealingKey, makeWebhookSecret } from '../property/secrets.ts';

/** Its name, below the folder of the site. */
export const DEV_FOLDER = '.innkeep';

/** Secrets of the local stack. None is worth anything elsewhere. */
export interface DevKeys {
  /** The key of the site's server. */
  readonly merchantKey: string;
  /** The key of the people at the terminal: for `innkeep trigger`, and for `--secret-key-file`. */
  readonly staffKey: string;
  readonly webhookSecret: string;
  /** The key with which the proxy seals what it stores. */
  readonly sealingKey: string;
  /** Login and gateway key of the simulated payment service. */
  readonly username: string;
  readonly password: string;
  readonly apiKey: string;
  /** The last part of the address of webhooks: other programs of this machine do not know it. */
  readonly hookPath: string;
}

/** What a start remembers for the next one, besides secrets. */
export interface DevSettings {
  readonly proxyPort?: number;
  readonly sandboxPort?: number;
  readonly relayPort?: number;
  /** How far `innkeep clock` has moved the time, in milliseconds. */
  readonly clockOffsetMs?: number;
}

export interface DevPaths {
  readonly folder: string;
  readonly keys: string;
  readonly staffKey: string;
  readonly settings: string;
  readonly running: string;
  readonly proxyEnv: string;
  readonly proxyData: string;
  readonly proxyLog: string;
  readonly sandboxState: string;
}

export function devPaths(folder: string): DevPaths {
  const at = (name: string): string => join(folder, name);
  return {
    folder,
    keys: at('keys.json'),
    staffKey: at('staff.key'),
    settings: at('settings.json'),
    running: at('running.json'),
    proxyEnv: at('proxy.env'),
    proxyData: at('proxy'),
    proxyLog: at('proxy.log'),
    sandboxState: at('sandbox.state'),
  };
}

/** Makes the folder, readable only by its owner and outside version control. @throws `usage` */
export async function prepareDevFolder(folder: string): Promise<DevPaths> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (!(await stat(folder)).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
    await requireOwn(folder);
    await chmod(folder, 0o700);
    await writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx' }).catch(ignoreExisting);
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw usageError(`${folder} cannot be used (${errorCode(error)}).`, 'Name another folder with --data.');
  }
  return devPaths(folder);
}

function ignoreExisting(error: unknown): void {
  if (errorCode(error) !== 'EEXIST') throw error;
}

/** Our files have names that others use, too, such as `proxy.env`. @throws `usage` where they may be somebody else's */
async function requireOwn(folder: string): Promise<void> {
  const names = await readdir(folder);
  if (names.includes('keys.json') || names.includes('staff.key')) return;
  if (names.every((name) => ['.gitignore', 'running.json', 'lost+found', '.DS_Store'].includes(name))) return;
  throw usageError(`${folder} has other files in it. Nothing was written.`, 'Name an empty folder with --data.');
}

/** The keys of this folder, made when there are none. @throws `usage` */
export async function keysOf(paths: DevPaths, randomBytes: (length: number) => Uint8Array): Promise<DevKeys> {
  const known = await readJson<DevKeys>(paths.keys);
  const made: DevKeys = {
    merchantKey: makeKey('sk', randomBytes, { id: 'dev', isLive: false }).secretKey,
    staffKey: makeKey('sk', randomBytes, { id: 'dev', isLive: false }).secretKey,
    webhookSecret: makeWebhookSecret(randomBytes),
    sealingKey: makeSealingKey(randomBytes),
    username: `dev-${Buffer.from(randomBytes(6)).toString('hex')}`,
    password: Buffer.from(randomBytes(24)).toString('base64url'),
    apiKey: Buffer.from(randomBytes(20)).toString('hex'),
    hookPath: randomUUID(),
  };
  const keys = { ...made, ...known };
  if (known === undefined || Object.keys(made).some((name) => !(name in known))) {
    await writePrivateFile(paths.keys, `${JSON.stringify(keys, undefined, 2)}\n`);
  }
  return keys;
}

/** What the last start remembered; nothing when there was none. */
export async function settingsOf(paths: DevPaths): Promise<DevSettings> {
  return (await readJson<DevSettings>(paths.settings)) ?? {};
}

/** Remembers for the next start. */
export async function saveSettings(paths: DevPaths, settings: DevSettings): Promise<void> {
  await writePrivateFile(paths.settings, `${JSON.stringify(settings)}\n`);
}

/** An own file. Undefined when it is missing or damaged: then it is made again. */
export async function readJson<Value extends object>(path: string): Promise<(Partial<Value> & Value) | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    // Only this program writes it.
    return typeof value === 'object' && value !== null ? (value as Value) : undefined;
  } catch {
    return undefined;
  }
}
