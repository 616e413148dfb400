// What ends a command while it asks: it says so, and leaves the terminal as it was.
import { expect, it } from 'vitest';
import { INNKEEP_BIN, type ProcessOptions, runCommandLine } from './run-innkeep.ts';

/** Has the command take its pipes for a terminal. */
const AS_TERMINAL = `data:text/javascript,for (const stream of [process.stdin, process.stderr])
  Object.assign(stream, { isTTY: true, setRawMode: () => stream })`;
const [HIDE_CURSOR, SHOW_CURSOR] = ['\u001b[?25l', '\u001b[?25h'];

const killedAtQuestion: ProcessOptions = {
  keepsInputOpen: true,
  onStart: (child) => child.stderr?.on('data', (text) => String(text).includes('Short name') && child.kill('SIGTERM')),
};

it.each<[string, ProcessOptions]>([
  ['Ctrl-C', { input: '\u0003' }],
  ['Ctrl-D', { input: '\u0004' }],
  ['the end of the input', { input: '' }],
  ['SIGTERM', killedAtQuestion],
])('%s stops a command that asks', async (_what, options) => {
  const words = ['--import', AS_TERMINAL, INNKEEP_BIN, 'hotel', 'add'];
  const { exitCode, stderr } = await runCommandLine(process.execPath, words, options);
  expect([exitCode, stderr]).toEqual([130, expect.stringMatching(/Stopped\.\n$/)]);
  expect(stderr.lastIndexOf(SHOW_CURSOR)).toBeGreaterThan(stderr.lastIndexOf(HIDE_CURSOR));
});
