/** Where the settings of a new hotel go: into a file of settings, into one for the deployed proxy, or into the directory. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { MAX_SECRET_BYTES, type PropertyInput } from '@innkeep/core/contract';
import { Option } from 'commander';
import type { CommandContext } from '../context/command-context.ts';
import { CliError, usageError } from '../failures/cli-error.ts';
import { EXIT } from '../failures/exit-code.ts';
import { readEnvFile, readIfThere, replacePrivateFile, writeEnvValue } from '../property/env-file.ts';
import { secretNameOf } from '../property/property.ts';
import { makeSealingKey } from '../property/secrets.ts';
import { shellWords } from '../terminal/shell-words.ts';

/** File that `wrangler dev` and `pnpm proxy` read. */
export const DEFAULT_ENV_FILE = '.dev.vars';

/** Said of a secret of the deployment, which nobody can read back. */
export const KEEP_A_COPY = 'Keep a copy in your password manager: every change starts from it.';

/** Flags that say where. */
export interface TargetFlags {
  readonly env: string;
  readonly deploy?: true;
  readonly out?: string;
  readonly directory?: true;
}

/** What became of the settings. */
export interface WrittenSettings {
  /** The file that was written. */
  readonly file: string | null;
  readonly replaced: boolean;
  /** The command that uploads the file. */
  readonly deploy: string | null;
  /** Version in the directory. */
  readonly version: number | null;
}

/** Options of what is written into a file of settings, or for the deployed proxy; `name` is that of the secret. */
export function fileOptions(name: string): readonly Option[] {
  return [
    // Not --env-file: Node takes an option of that name for itself, anywhere on the command line.
    new Option('--env <file>', 'file to write the settings into').default(DEFAULT_ENV_FILE),
    new Option('--deploy', 'write one file for the deployed proxy instead, and print the command that uploads it'),
    new Option('--out <file>', `name of that file (default: ${name}.json)`).implies({ deploy: true }),
  ];
}

/** Values of the file that is written into; undefined when there is none, or none is meant. */
export async function targetValues(
  { io }: CommandContext,
  { env, deploy, directory }: TargetFlags,
): Promise<ReadonlyMap<string, string> | undefined> {
  return deploy === true || directory === true ? undefined : readEnvFile(resolve(io.cwd, env));
}

/** What is already there where settings will be written: the value of their line, or the text of their file. */
export async function presentSecret(
  context: CommandContext,
  name: string,
  { env = DEFAULT_ENV_FILE, ...flags }: Partial<TargetFlags>,
): Promise<string | undefined> {
  if (flags.deploy !== true) return (await targetValues(context, { ...flags, env }))?.get(name);
  const path = resolve(context.io.cwd, flags.out ?? `${name}.json`);
  return (await isFile(path)) ? readIfThere(path) : undefined;
}

/** A secret of the deployment, and what {@link presentSecret} was when its change began. */
interface Secret {
  readonly name: string;
  readonly value: object;
  readonly before: string | undefined;
}

/**
 * Writes a secret of the deployment where the flags say.
 *
 * @throws `usage` when it is too large for Cloudflare, or somebody else has changed it meanwhile
 */
export async function writeSecret(
  { io }: CommandContext,
  { name, value, before }: Secret,
  { env = DEFAULT_ENV_FILE, deploy, out }: Partial<Omit<TargetFlags, 'directory'>>,
): Promise<WrittenSettings> {
  if (deploy === true) {
    const file = out ?? `${name}.json`;
    const text = JSON.stringify(value);
    if (Buffer.byteLength(text) > MAX_SECRET_BYTES) {
      throw usageError(
        `${name} has ${Buffer.byteLength(text)} bytes; a secret of Cloudflare has at most ${MAX_SECRET_BYTES}. Nothing was written.`,
        name.startsWith('PROPERTY_')
          ? 'A hotel can be in the directory instead, with up to 16 KiB: innkeep hotel put'
          : 'Remove keys and webhooks that nobody needs, or move some of them to a second platform',
      );
    }
    await replacePrivateFile(resolve(io.cwd, file), text, before);
    const command = `npx wrangler secret put ${name} < ${shellWords([file])} && rm ${shellWords([file])}`;
    return { file, replaced: before !== undefined, deploy: command, version: null };
  }
  const defaults = { SEALING_KEYS: makeSealingKey(io.randomBytes) };
  const { replaced } = await writeEnvValue(resolve(io.cwd, env), name, { value, before, defaults });
  return { file: env, replaced, deploy: null, version: null };
}

/** When a change applies, in a sentence. */
export function whenItCounts({ file, deploy }: WrittenSettings): string {
  if (file === null) return 'The change applies everywhere within five seconds.';
  if (deploy !== null) return `The change applies once ${file} is uploaded: ${deploy}\n${KEEP_A_COPY}`;
  return `The change applies once the proxy is restarted with ${file}.`;
}

/** What to say of a hotel of the directory that is a secret of the deployment, too: the secret applies. */
export async function secretCounts(context: CommandContext, id: string): Promise<string | undefined> {
  const { properties } = await context.platform();
  // The change has been made, even if this cannot be read.
  const hotel = await properties.retrieve(id, { signal: context.io.signal }).catch(() => undefined);
  if (hotel?.source !== 'secret') return undefined;
  return `${secretNameOf(id)} applies until it is removed from the deployment: change it there, too.`;
}

/** Keys and endpoints are written as a whole list, and the list read for such a hotel is the secret's. */
export function countsAsSecret(id: string): CliError {
  const name = secretNameOf(id);
  return new CliError(
    'configured_by_secret',
    `${name} applies until it is removed from the deployment. Nothing was changed.`,
    { exitCode: EXIT.failed, next: [`Change it there: --deploy --from ${name}.json, or --env with the proxy’s file`] },
  );
}

/** Writes a hotel where the flags say. */
export async function writeHotel(
  context: CommandContext,
  {
    id,
    property,
    before,
  }: { readonly id: string; readonly property: PropertyInput; readonly before: string | undefined },
  flags: TargetFlags,
): Promise<WrittenSettings> {
  if (flags.directory !== true) {
    return writeSecret(context, { name: secretNameOf(id), value: property, before }, flags);
  }
  const { properties } = await context.platform();
  const { version } = await properties.put(id, property, { signal: context.io.signal });
  return { file: null, replaced: false, deploy: null, version };
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
