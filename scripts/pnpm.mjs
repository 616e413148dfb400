#!/usr/bin/env node
// Prevents: a newcomer who must agree to a download, and a folder in which npx downloads whatever is typed, without asking. npx runs a
// project's own `bin` at once, so here `npx pnpm` is the pnpm of `packageManager`, and any other package is still asked about.
//
// Prevents, too: a newcomer who waits for the tools of every test before seeing the demo. Where nothing is installed, the demo installs
// what it builds with and runs on (`dependencies`), and the first other command the rest. pnpm itself would install the rest before
// it runs the demo's script, so there it is told not to.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const { packageManager } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const isWindows = process.platform === 'win32';
const command = isWindows ? 'npx.cmd' : 'npx';
const root = fileURLToPath(new URL('..', import.meta.url));
// Started here, npx would read the whole node_modules first, which takes longer than most commands.
const options = { stdio: 'inherit', shell: isWindows, cwd: tmpdir() };
const at = (path) => new URL(`../${path}`, import.meta.url);
const has = (name) => existsSync(at(`node_modules/${name}`));
const isLight = process.argv[2] === 'demo' && !has('vitest');
const isInstalled = () =>
  has('.modules.yaml') && statSync(at('node_modules/.modules.yaml')).mtimeMs > statSync(at('pnpm-lock.yaml')).mtimeMs;

if (isLight ? !isInstalled() : has('') && !has('vitest')) {
  // CI has verified the lockfile; verifying it once more would take as long as the demo's own installation.
  const lightly = ['--prod', '--filter=innkeep', '--filter=@innkeep/demo...', '--trust-lockfile'];
  const install = ['install', '--frozen-lockfile', ...(isLight ? lightly : [])];
  const { status } = spawnSync(command, ['--yes', packageManager, '-C', root, ...install], options);
  if (status !== 0) process.exit(status ?? 1);
}
const env = { ...process.env, ...(isLight && { pnpm_config_verify_deps_before_run: 'false' }) };
const pnpm = knownPnpm();
if (pnpm !== undefined) env.PATH = `${dirname(pnpm)}${delimiter}${env.PATH}`;
const [program, ...words] = pnpm === undefined ? [command, '--yes', packageManager] : [pnpm];
const given = process.argv.slice(2);
// pnpm takes one folder: that of the command, if it names one.
const folder = given[0] === '-C' ? resolve(given.splice(0, 2)[1] ?? '') : root;
const child = spawn(program, [...words, '-C', folder, ...given], { ...options, env });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.once('exit', (code) => process.exit(code ?? 1));

/** Where npx has put this very pnpm, as an earlier command found it (see launch.ts): asking npx takes longer than starting the demo. */
function knownPnpm() {
  if (isWindows || !has('.pnpm-path')) return undefined;
  const [agent, path] = readFileSync(at('node_modules/.pnpm-path'), 'utf8').split('\n');
  return agent === packageManager.replace('@', '/') && existsSync(path) ? path : undefined;
}
