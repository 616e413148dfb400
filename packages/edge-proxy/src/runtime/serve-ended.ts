/** How the runtime ended, told from the supervisor to the launcher: it is the supervisor’s child. */
import { constants } from 'node:os';

/** A signal has no exit code: it gets the one that shells give it. */
export function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? (signal === null ? 1 : 128 + constants.signals[signal]);
}

/** `signal SIGKILL`, or `code 1`. */
export function howEnded(code: number | null, signal: NodeJS.Signals | null): string {
  const exitCode = exitCodeOf(code, signal);
  const name = Object.entries(constants.signals).find(([, number]) => exitCode === 128 + number)?.[0];
  return name === undefined ? `code ${exitCode}` : `signal ${name}`;
}
