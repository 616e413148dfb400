import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

/** The command as package managers link it. */
export const INNKEEP_BIN: string = fileURLToPath(new URL('../../packages/cli/bin/innkeep.js', import.meta.url));

/** How a run of `innkeep` ended. */
export interface InnkeepRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface InnkeepOptions {
  /** All of the environment but PATH. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Standard input; without it there is none. */
  readonly input?: string;
  /** Told of the process once it runs, for signals and for reading along. */
  readonly onStart?: (child: ChildProcess, stderr: () => string) => void;
}

/** Variables whose values must never come out of a run. */
const SECRETS = [
  'INNKEEP_SECRET_KEY',
  'INNKEEP_PLATFORM_KEY',
  'INNKEEP_CARD_TOKEN',
  'INNKEEP_UPSTREAM_PASSWORD',
  'INNKEEP_GATEWAY_API_KEY',
];

/** Runs the built command as a user's shell would, and proves that it printed none of the secrets it was given. */
export async function runInnkeep(words: readonly string[], options: InnkeepOptions = {}): Promise<InnkeepRun> {
  return runCommandLine(process.execPath, [INNKEEP_BIN, ...words], options);
}

/** Runs any program the same way. */
export async function runCommandLine(
  file: string,
  args: readonly string[],
  { env = {}, cwd, input = '', onStart }: InnkeepOptions = {},
): Promise<InnkeepRun> {
  const child = spawn(file, args, {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: 'pipe',
    timeout: 50_000,
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.on('error', () => undefined).end(input);
  onStart?.(child, () => stderr);
  const exitCode = await new Promise<number | null>((done, fail) => {
    child.once('error', fail);
    child.once('close', done);
  });
  for (const name of SECRETS) {
    const secret = env[name];
    if (secret !== undefined) expect(`${stdout}${stderr}`, `${name} was printed`).not.toContain(secret);
  }
  return { exitCode, stdout, stderr };
}

/** Each line of standard error as JSON, as `--json` promises. */
export function messagesOf({ stderr }: InnkeepRun): readonly Record<string, unknown>[] {
  return stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
