import { fileURLToPath } from 'node:url';
import { expect, vi } from 'vitest';
import { PATIENT } from '../../../scripts/test-limits.ts';
import { type Program, startProgram } from '../../support/program.ts';

/** The command line, as packages install it. */
export const SERVE: string = fileURLToPath(
  new URL('../../../packages/edge-proxy/bin/innkeep-proxy.js', import.meta.url),
);

const running = new Set<Program>();

export async function endLaunched(signal: NodeJS.Signals): Promise<void> {
  for (const program of running) await program.stop(signal);
  running.clear();
}

/** Starts `innkeep-proxy`, or another command that starts it. */
export function launch(
  args: readonly string[],
  [file = '', ...first]: readonly string[] = [process.execPath, SERVE],
): Program & { ready(): Promise<void> } {
  const program = startProgram(file, [...first, ...args]);
  running.add(program);
  const ready = (): Promise<void> =>
    vi.waitFor(() => expect(program.output()).toMatch(/^ready http:\/\/127\.0\.0\.1:\d+/m), PATIENT);
  return { ...program, ready };
}
