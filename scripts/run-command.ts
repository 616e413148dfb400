// Prevents: a deployment that swallows the output of the tool it runs, or that hangs forever on a stuck one.
import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from './launch.ts';

/** How a command ended. `output` holds stdout and stderr in the order they came. */
export interface CommandResult {
  readonly code: number;
  readonly output: string;
  readonly seconds: number;
}

/** Where and how long a command runs. */
export interface CommandOptions {
  /** @default the repository's root */
  readonly cwd?: string;
  /** @default 300_000 */
  readonly timeoutMs?: number;
}

/** Runs a tool of this repository (from node_modules/.bin or PATH) and collects its output. Never throws for a failing tool. */
export async function runCommand(command: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  const { cwd = ROOT, timeoutMs = 300_000 } = options;
  const [file = '', ...args] = command;
  const started = performance.now();
  const path = [join(cwd, 'node_modules/.bin'), join(ROOT, 'node_modules/.bin'), process.env.PATH ?? ''].join(
    delimiter,
  );
  const child = spawn(file, args, {
    cwd,
    env: {
      ...process.env,
      PATH: path,
      NO_COLOR: '1',
      TURBO_TELEMETRY_DISABLED: '1',
      WRANGLER_SEND_METRICS: 'false',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  return new Promise((resolve) => {
    const finish = (code: number, note: string): void =>
      resolve({
        code,
        output: stripVTControlCharacters(`${output}${note}`).trim(),
        seconds: (performance.now() - started) / 1000,
      });
    child.on('error', (error) => finish(1, `${file}: ${error.message}`));
    child.on('close', (code, signal) =>
      finish(code ?? 1, signal === null ? '' : `\n${file} was stopped by ${signal} after ${timeoutMs} ms`),
    );
  });
}
