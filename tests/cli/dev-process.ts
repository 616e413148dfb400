import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { vi } from 'vitest';
import { INNKEEP_BIN } from './run-innkeep.ts';

/** How long anything may take on a busy machine. */
export const PATIENCE_MS = 60_000;

/** A command that runs until it is told to stop. */
export interface Running {
  readonly child: ChildProcess;
  /** All that it has printed. */
  output(): string;
  /** Resolves once this was printed; fails with the output when it ends before. */
  until(text: string | RegExp): Promise<void>;
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  /** What Ctrl-C does: SIGINT to all that stand in the foreground. */
  pressCtrlC(): Promise<number | NodeJS.Signals>;
  /** Sends a signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

const running = new Set<ChildProcess>();
const folders = new Set<string>();

/** A folder of its own for each site. */
export async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'innkeep-dev-')));
  folders.add(folder);
  return folder;
}

/** Ends what tests have left, and removes their folders. */
export async function cleanUp(): Promise<void> {
  for (const child of running) {
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  }
  running.clear();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
  folders.clear();
}

/** Starts `innkeep` in a folder. */
export function startInnkeep(words: readonly string[], cwd: string, env: Record<string, string> = {}): Running {
  return start(process.execPath, [INNKEEP_BIN, ...words], { cwd, env });
}

/** Starts any program. */
export function start(
  file: string,
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Record<string, string> },
): Running {
  const { PATH, HOME } = process.env;
  const child = spawn(file, args, {
    cwd,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, as a shell gives it.
    detached: true,
  });
  running.add(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const ended = once(child, 'close').then(([code, signal]) => {
    running.delete(child);
    return (code ?? signal) as number | NodeJS.Signals;
  });
  return {
    child,
    output: () => text,
    until: (wanted) =>
      vi.waitFor(
        () => {
          if (typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text)) return;
          throw new Error(`“${wanted}” was not printed:\n${text}`);
        },
        { timeout: PATIENCE_MS, interval: 50 },
      ),
    ended,
    pressCtrlC: () => {
      process.kill(-(child.pid ?? Number.NaN), 'SIGINT');
      return ended;
    },
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}

/** Starts `innkeep dev` and waits until it serves. */
export async function startDev(folder: string, ...words: readonly string[]): Promise<Running> {
  const dev = startInnkeep(['dev', ...words], folder);
  await dev.until(/^ready http/m);
  return dev;
}

/** What the site’s server reads. */
export function siteVariables(folder: string): Record<string, string> {
  return parseEnv(readFileSync(join(folder, '.env.local'), 'utf8')) as Record<string, string>;
}

/** Processes whose command line names a folder: each program of a stack is told where its files are. */
export function processesOf(folder: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return command.includes(folder) ? [`${pid} ${command}`] : [];
      } catch {
        return [];
      }
    });
}

/** Waits until no process of a folder is left. */
export function untilNoneLeft(folder: string): Promise<void> {
  return vi.waitFor(
    () => {
      const left = processesOf(folder);
      if (left.length > 0) throw new Error(`Still there:\n${left.join('\n')}`);
    },
    { timeout: PATIENCE_MS, interval: 100 },
  );
}
