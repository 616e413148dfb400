/** The `innkeep` command on Node: standard streams, the terminal, signals. */
import { randomBytes } from 'node:crypto';
import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Io } from './process/io.ts';
import { run } from './program/run.ts';
import { createClackPrompter } from './terminal/clack-prompter.ts';
import { write } from './terminal/write.ts';

/** How long a command may take to stop. Some reads of a file that is a pipe end with the process alone. */
const STOP_LIMIT_MS = 2_000;

const stopping = new AbortController();
// A terminal that closes, `timeout` and a service manager stop it as Ctrl-C does: money may be on its way.
// The same signal again kills the process. A person presses Ctrl-C again; whoever sends another signal sends it once.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    stopping.abort(new Error(`Stopped by ${signal}.`));
    if (signal !== 'SIGINT') setTimeout(() => process.kill(process.pid, signal), STOP_LIMIT_MS).unref();
  });

const io: Io = {
  env: process.env,
  cwd: process.cwd(),
  readStdin: () => buffer(addAbortSignal(stopping.signal, process.stdin)),
  writeOut: (data) => write(process.stdout, data),
  writeErr: async (text) => void (await write(process.stderr, text)),
  warn: async (text) => void (await write(process.stderr, `Warning: ${text}\n`)),
  prompter:
    process.stdin.isTTY && process.stderr.isTTY ? createClackPrompter(process.stderr, stopping.signal) : undefined,
  now: () => new Date(),
  randomBytes: (length) => randomBytes(length),
  fetch: (input, init) => fetch(input, init),
  signal: stopping.signal,
};

// `write` reports the error to its caller; without a listener Node would end here with a stack trace.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

process.exitCode = await run(process.argv.slice(2), io);
