import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { run } from '../../packages/cli/dist/program/run.js';

/** The command as package managers link it. */
export const INNKEEP_BIN: string = fileURLToPath(new URL('../../packages/cli/bin/innkeep.js', import.meta.url));

export interface InnkeepRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A run that ended so, and said this among other things. */
export const ended = (exitCode: number, text: string): object => ({ exitCode, stderr: expect.stringContaining(text) });

export interface InnkeepOptions {
  /** All of the environment; that of a process has PATH, too. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Standard input; without it there is none. */
  readonly input?: string;
}

/** Variables whose values must never come out of a run. */
const SECRETS = [
  'INNKEEP_SECRET_KEY',
  'INNKEEP_PLATFORM_KEY',
  'INNKEEP_CARD_TOKEN',
  'INNKEEP_UPSTREAM_PASSWORD',
  'INNKEEP_GATEWAY_API_KEY',
];

/**
 * Runs the built command in this process, with its streams in memory, and proves that it printed none of the secrets it was given.
 * What only a process can show, such as signals and closed pipes, has {@link spawnInnkeep}.
 */
export async function runInnkeep(
  words: readonly string[],
  { env = {}, cwd = process.cwd(), input = '' }: InnkeepOptions = {},
): Promise<InnkeepRun> {
  const stdout: Uint8Array[] = [];
  let stderr = '';
  const exitCode = await runInnkeepOn(
    {
      env,
      cwd,
      readStdin: async () => Buffer.from(input),
      writeOut: async (data) => void stdout.push(Buffer.from(data)),
      writeErr: async (text) => {
        stderr += text;
      },
    },
    words,
  );
  return withoutSecrets({ exitCode, stdout: Buffer.concat(stdout).toString(), stderr }, env);
}

type Io = Parameters<typeof run>[1];

export function runInnkeepOn(
  streams: Pick<Io, 'env' | 'cwd' | 'readStdin' | 'writeOut' | 'writeErr'> & { readonly signal?: AbortSignal },
  words: readonly string[],
): Promise<number> {
  return run(words, {
    signal: new AbortController().signal,
    warn: (text) => streams.writeErr(`Warning: ${text}\n`),
    prompter: undefined,
    now: () => new Date(),
    randomBytes: (length) => randomBytes(length),
    fetch: (input, init) => fetch(input, init),
    ...streams,
  });
}

/** Runs the built command as a user's shell would. */
export function spawnInnkeep(words: readonly string[], options: ProcessOptions = {}): Promise<InnkeepRun> {
  return runCommandLine(process.execPath, [INNKEEP_BIN, ...words], options);
}

export interface ProcessOptions extends InnkeepOptions {
  /** Told of the process once it runs, for signals. */
  readonly onStart?: (child: ChildProcess) => void;
  /** Whether more input may come, for all that the program knows. */
  readonly keepsInputOpen?: true;
}

/** Runs any program, and proves the same of it. */
export async function runCommandLine(
  file: string,
  args: readonly string[],
  { env = {}, cwd, input = '', onStart, keepsInputOpen }: ProcessOptions = {},
): Promise<InnkeepRun> {
  const child = spawn(file, args, { cwd, env: { PATH: process.env.PATH, ...env }, stdio: 'pipe' });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.on('error', () => undefined);
  if (!keepsInputOpen) child.stdin.end(input);
  onStart?.(child);
  const exitCode = await new Promise<number | null>((done, fail) => {
    child.once('error', fail);
    child.once('close', done);
  });
  return withoutSecrets({ exitCode, stdout, stderr }, env);
}

function withoutSecrets(ended: InnkeepRun, env: Readonly<Record<string, string>>): InnkeepRun {
  for (const name of SECRETS) {
    const secret = env[name];
    if (secret !== undefined) expect(`${ended.stdout}${ended.stderr}`, `${name} was printed`).not.toContain(secret);
  }
  return ended;
}

/** Each line of standard error as JSON, as `--json` promises. */
export function messagesOf({ stderr }: InnkeepRun): readonly Record<string, unknown>[] {
  return stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
