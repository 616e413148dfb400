/** The `innkeep` command on Node: standard streams, the terminal, Ctrl-C. */
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Io } from './process/io.ts';
import { run } from './program/run.ts';
import { createClackPrompter } from './terminal/clack-prompter.ts';
import { write } from './terminal/write.ts';

const stopping = new AbortController();
// The second Ctrl-C kills the process.
process.once('SIGINT', () => stopping.abort(new Error('Stopped by Ctrl-C.')));

const io: Io = {
  env: process.env,
  cwd: process.cwd(),
  readStdin: () => buffer(process.stdin),
  writeOut: (data) => write(process.stdout, data),
  writeErr: async (text) => void (await write(process.stderr, text)),
  warn: async (text) => void (await write(process.stderr, `Warning: ${text}\n`)),
  prompter: process.stdin.isTTY && process.stderr.isTTY ? createClackPrompter(process.stderr) : undefined,
  now: () => new Date(),
  randomBytes: (length) => randomBytes(length),
  fetch: (input, init) => fetch(input, init),
  signal: stopping.signal,
};

// `write` reports the error to its caller; without a listener Node would end here with a stack trace.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

process.exitCode = await run(process.argv.slice(2), io);
