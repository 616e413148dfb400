#!/usr/bin/env node
// Prevents: a newcomer who must agree to a download, and a folder in which npx downloads whatever is typed, without asking. npx runs a
// project's own `bin` at once, so here `npx pnpm` is the pnpm of `packageManager`, and any other package is still asked about.
//
// Prevents, too: a newcomer who waits for the tools of every test before seeing the demo. Where nothing is installed, the demo installs
// what it builds with and runs on (`dependencies`), and the first other command the rest.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';

const { packageManager } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const isWindows = process.platform === 'win32';
const command = isWindows ? 'npx.cmd' : 'npx';
const root = fileURLToPath(new URL('..', import.meta.url));
// Started here, npx would read the whole node_modules first, which takes longer than most commands.
const options = { stdio: 'inherit', shell: isWindows, cwd: tmpdir() };
const pnpm = ['--yes', packageManager, '-C', root];
const has = (name) => existsSync(new URL(`../node_modules/${name}`, import.meta.url));
const isDemo = process.argv[2] === 'demo';

if (isDemo ? !has('') : has('') && !has('vitest')) {
  // CI has verified the lockfile; verifying it once more would take as long as the demo's own installation.
  const lightly = ['--prod', '--filter=innkeep', '--filter=@innkeep/demo...', '--trust-lockfile'];
  const install = [...pnpm, 'install', '--frozen-lockfile', ...(isDemo ? lightly : [])];
  const { status } = spawnSync(command, install, options);
  if (status !== 0) process.exit(status ?? 1);
}
const npx = spawn(command, [...pnpm, ...process.argv.slice(2)], options);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => npx.kill(signal));
npx.once('exit', (code) => process.exit(code ?? 1));
