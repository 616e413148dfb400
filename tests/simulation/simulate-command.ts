/** The command line, as tests run it. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Only what hangs takes as long, on a busy machine, too. */
const LIMIT_MS = 40 * 60_000;
const SCRIPT = fileURLToPath(new URL('simulate.ts', import.meta.url));
/** The same in every run, so that a failure is about the change; `SIMULATION_SEED` chooses another one. */
export const SEED = Number(process.env.SIMULATION_SEED ?? 20_261_123);

/** Runs `pnpm simulate` with arguments, to its end. */
export function simulate(...args: readonly string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    // Vitest cannot end a call that blocks.
    timeout: LIMIT_MS,
  });
  return { status, output: stdout + stderr };
}
