import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { usageError } from '../failures/cli-error.ts';
import type { Closer } from './cleanup.ts';

/** The site’s own server while it runs. */
export interface SiteProcess extends Closer {
  /** Its exit code, once it has ended. @throws `usage` when it could not be started */
  readonly ended: Promise<number>;
}

const SUPERVISOR = fileURLToPath(new URL('./supervisor.js', import.meta.url));

/** Starts the site’s command, on this terminal. */
export function startSite(
  [command = '', ...args]: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): SiteProcess {
  const supervisor: ChildProcess = spawn(process.execPath, [SUPERVISOR, command, ...args], {
    cwd,
    env: { ...env },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  let failure: string | undefined;
  supervisor.on('message', (message) => {
    failure = String((message as { readonly failed?: unknown }).failed);
  });
  const exited = once(supervisor, 'exit').then(([code]) => Number(code ?? 1));
  return {
    ended: exited.then((code) => {
      if (failure === undefined) return code;
      throw usageError(`${command} cannot be started (${failure}).`, 'Check the command after --.');
    }),
    async close() {
      if (supervisor.connected) supervisor.disconnect();
      await exited;
    },
  };
}
