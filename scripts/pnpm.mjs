#!/usr/bin/env node
// Prevents: a newcomer who must agree to a download, and a folder in which npx downloads whatever is typed, without asking. npx runs a
// project's own `bin` at once, so here `npx pnpm` is the pnpm of `packageManager`, and any other package is still asked about.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { packageManager } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const isWindows = process.platform === 'win32';
const npx = spawn(isWindows ? 'npx.cmd' : 'npx', ['--yes', packageManager, ...process.argv.slice(2)], {
  stdio: 'inherit',
  shell: isWindows,
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => npx.kill(signal));
npx.once('exit', (code) => process.exit(code ?? 1));
