/**
 * Runs the site’s command, and lives exactly as long as its parent: the channel to the parent closes with it, even after a
 * SIGKILL, and then whatever the command has started ends, too.
 */
import { spawn } from 'node:child_process';
import { descendantsOf, endProcesses, readProcesses } from './processes.ts';

const [command = '', ...args] = process.argv.slice(2);
// On Windows programs of a package are scripts of the shell.
const site = spawn(command, args, { stdio: 'inherit', shell: process.platform === 'win32' });
let started: readonly number[] = [];

site.once('error', (error) => {
  process.send?.({ failed: (error as NodeJS.ErrnoException).code ?? error.message }, () => process.exit(127));
});
site.once('exit', async (code, signal) => {
  // What it started and left behind ends with it.
  await endProcesses(started.filter((pid) => pid !== site.pid));
  process.exit(code ?? (signal === null ? 1 : 128 + (signal === 'SIGINT' ? 2 : 15)));
});

// Seen from time to time, because nobody knows the children of a process that is gone.
const look = (): void => {
  const table = readProcesses();
  const seen = new Set([...(site.pid === undefined ? [] : descendantsOf(site.pid, table)), ...started]);
  started = [...seen].filter((pid) => table.has(pid));
};
setInterval(look, 1_000).unref();

process.once('disconnect', async () => {
  look();
  await endProcesses([...(site.pid === undefined ? [] : [site.pid]), ...started]);
  process.exit();
});
// Ctrl-C reaches the site itself; when to stop is the parent’s decision.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
