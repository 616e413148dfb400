/**
 * Starts the runtime, and ends it with its parent: standard input is a pipe from the parent, and it ends with the parent even after
 * a SIGKILL.
 */
import { spawn } from 'node:child_process';
import { closeSync, existsSync } from 'node:fs';
import { exitCodeOf } from './serve-ended.ts';

const SHELL = '/bin/sh';
/**
 * A Ctrl-C, or a process manager, signals the runtime as well, which would end amid a charge: it begins with the signal ignored, and
 * Node itself cannot start anything so. Windows and the smallest images have no shell.
 */
const WITHOUT_SIGINT = existsSync(SHELL) ? [SHELL, '-c', 'trap "" INT; exec "$@"', 'sh'] : [];
const [command = '', ...args] = [...WITHOUT_SIGINT, ...process.argv.slice(2)];
/** The lock of the data, which the launcher has left here. From now on only the runtime has it. */
const LOCK_FD = 3;
const runtime = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', LOCK_FD] });
closeSync(LOCK_FD);
runtime.once('exit', (code, signal) => process.exit(exitCodeOf(code, signal)));
runtime.once('error', (error) => {
  process.stderr.write(`${command}: ${error.message}\n`);
  process.exit(1);
});
// The parent is gone, or waits for nothing.
process.stdin.once('close', () => runtime.kill('SIGKILL'));
process.stdin.resume();
// It reaches this process, too; the parent decides, and closes the pipe.
process.on('SIGINT', () => {});
// So does the end of a terminal.
process.on('SIGHUP', () => {});
// A SIGTERM of the group reaches the runtime at once, which lets requests end, and nothing else; the parent says for how long.
process.on('SIGTERM', () => runtime.kill('SIGTERM'));
if (runtime.pid !== undefined) process.send?.(runtime.pid, () => process.disconnect?.());
