/**
 * Runs the site’s command, and lives exactly as long as its parent: the channel to the parent closes with it, even after a
 * SIGKILL, and then everything that the command has started ends, too.
 */
import { spawn } from 'node:child_process';
import { descendantsOf, endProcesses, processesWith, readProcesses } from './processes.ts';

/** In the environment of all that the command starts, so that it is found when its own parent is gone. */
const MARK = 'INNKEEP_DEV_SITE';

const [command = '', ...args] = process.argv.slice(2);
const mark = `${process.pid}`;
// On Windows, the programs of a package are shell scripts.
const shell = process.platform === 'win32';
const site = spawn(command, args, { stdio: 'inherit', shell, env: { ...process.env, [MARK]: mark } });

const started = (): readonly number[] => [
  ...new Set([
    ...(site.pid === undefined ? [] : [site.pid, ...descendantsOf(site.pid, readProcesses())]),
    ...processesWith(`${MARK}=${mark}`),
  ]),
];

site.once('error', (error) => {
  process.send?.({ failed: (error as NodeJS.ErrnoException).code ?? error.message }, () => process.exit(127));
});
site.once('exit', async (code, signal) => {
  // Processes that it left behind end with it.
  await endProcesses(started().filter((pid) => pid !== site.pid));
  process.exit(code ?? (signal === null ? 1 : 128 + (signal === 'SIGINT' ? 2 : 15)));
});
process.once('disconnect', async () => {
  await endProcesses(started());
  process.exit();
});
// Ctrl-C reaches the site itself; the parent decides when to stop.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
