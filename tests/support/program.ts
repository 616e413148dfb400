import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';

export type Program = ReturnType<typeof startProgram>;

/** Starts a program that reads nothing. */
export function startProgram(
  file: string,
  args: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env' | 'detached'> = {},
) {
  const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  /** Exit code, or the signal that ended it. */
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
  return {
    child,
    output: () => text,
    ended,
    /** Sends a signal and waits for the end. */
    stop(signal?: NodeJS.Signals) {
      child.kill(signal);
      return ended;
    },
  };
}
