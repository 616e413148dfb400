// What all commands share: they build first, so that none runs yesterday's build, and end with the npx or pnpm that started
// them, which would otherwise leave their servers behind.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** The repository's root folder. */
export const ROOT: string = fileURLToPath(new URL('..', import.meta.url));

/** Builds the named packages and all they depend on; a second call costs well under a second. Exits when a build fails. */
export function build(...packages: readonly string[]): void {
  runTurbo(['build', 'build:desk'], packages);
}

/** Builds the demo, and bundles it as the three Workers of its deployment. Exits when a build fails. */
export function buildDemoWorkers(): void {
  runTurbo(['build:workers'], ['@innkeep/demo']);
}

/** Whether more is installed than the demo needs; see pnpm.mjs. */
export function isFullyInstalled(): boolean {
  return existsSync(join(ROOT, 'node_modules/vitest'));
}

/**
 * Builds one package while others already serve. Where only what the demo needs is installed (see pnpm.mjs), what this package needs is
 * installed first.
 */
export function buildMeanwhile(name: string): { stop(): void } {
  const run = (command: string, args: readonly string[]): ChildProcess =>
    spawn(command, args, { cwd: ROOT, env: TURBO_ENVIRONMENT, stdio: 'ignore' });
  const build = (): ChildProcess => run('turbo', turboArguments(['build'], [name]));
  if (isFullyInstalled()) {
    const building = build();
    return { stop: () => building.kill() };
  }
  const options = ['--prod', '--frozen-lockfile', '--trust-lockfile'];
  let underWay = run('pnpm', ['install', ...options, '--filter=innkeep', `--filter=${name}...`]);
  underWay.once('exit', (code) => {
    if (code === 0) underWay = build();
  });
  return { stop: () => underWay.kill() };
}

const TURBO_ENVIRONMENT = {
  ...process.env,
  TURBO_TELEMETRY_DISABLED: '1',
  TURBO_NO_UPDATE_NOTIFIER: '1',
  WRANGLER_SEND_METRICS: 'false',
};

function turboArguments(tasks: readonly string[], packages: readonly string[]): string[] {
  const filters = packages.map((name) => `--filter=${name}`);
  return ['run', ...tasks, '--output-logs=errors-only', '--log-prefix=none', ...filters];
}

function runTurbo(tasks: readonly string[], packages: readonly string[]): void {
  // In one of turbo's own tasks: what that depends on is built, and others are reading it.
  if (process.env.TURBO_HASH !== undefined) return;
  const result = spawnSync('turbo', turboArguments(tasks, packages), {
    cwd: ROOT,
    env: TURBO_ENVIRONMENT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (result.status === 0) return;
  process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}\n`);
  if (result.error !== undefined)
    process.stderr.write(`${result.error.message}. Run this through pnpm, for instance \`npx pnpm build\`.\n`);
  process.exit(result.status ?? 1);
}

const LOOK_EVERY_MS = 500;

/** Lets the next `npx pnpm` find the pnpm that runs this script, without asking npx again; see pnpm.mjs. */
export function rememberPnpm(): void {
  const { npm_execpath: path, npm_config_user_agent: agent = '' } = process.env;
  if (path !== undefined) writeFileSync(join(ROOT, 'node_modules/.pnpm-path'), `${agent.split(' ')[0]}\n${path}`);
}

/** Sends this process SIGTERM once the npx or pnpm that started it is gone, however that ended. */
export function stopWithLauncher(): void {
  const launcher = findLauncher(process.ppid, readProcesses());
  if (launcher === undefined) return;
  const timer = setInterval(() => {
    if (isAlive(launcher)) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_EVERY_MS);
  timer.unref();
}

/** One row of the process table. */
export interface ProcessRow {
  readonly parent: number;
  readonly command: string;
}

/** The outermost of the package managers (and the shells between them) above this process. */
export function findLauncher(start: number, processes: ReadonlyMap<number, ProcessRow>): number | undefined {
  let launcher: number | undefined;
  for (let pid = start; ; ) {
    const row = processes.get(pid);
    if (row === undefined) return launcher;
    const isPackageManager = /(^|[\s/'"])(npm|npx|pnpm)(\.[cm]?js)?(['"\s]|$)/.test(row.command);
    const isItsShell = /^(\S*\/)?(ba|da|z)?sh -c /.test(row.command);
    if (!isPackageManager && !isItsShell) return launcher;
    if (isPackageManager && !isItsShell) launcher = pid;
    pid = row.parent;
  }
}

/** All processes below this one, the nearest first. */
export function descendantsOf(pid: number, processes: ReadonlyMap<number, ProcessRow>): [number, ProcessRow][] {
  const children = [...processes].filter(([, { parent }]) => parent === pid);
  return [...children, ...children.flatMap(([child]) => descendantsOf(child, processes))];
}

/** The table of all processes that run, by number. */
export function readProcesses(): Map<number, ProcessRow> {
  try {
    const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const rows = table.matchAll(/^\s*(\d+)\s+(\d+)\s+(.*)$/gm);
    return new Map(
      Array.from(rows, ([, pid, parent, command]) => [Number(pid), { parent: Number(parent), command: command ?? '' }]),
    );
  } catch {
    // No `ps` here (Windows, a bare container): nothing to watch, Ctrl-C still works.
    return new Map();
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * A port nobody listens on, outside of the range from which systems give out ports, so that nobody gets it by chance before it is
 * used. It is claimed for this process: of two that look for one at the same moment, each gets another.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (!claimPort(port)) continue;
    const isFree = await new Promise<boolean>((resolve) => {
      const probe = createServer();
      probe.once('error', () => resolve(false));
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}

const claims = new Set<string>();

/** Writes the claim down, unless a process that runs has done so. `innkeep dev` does the same, in the same files. */
function claimPort(port: number): boolean {
  const file = join(tmpdir(), `innkeep-dev-port-${port}`);
  try {
    if (existsSync(file)) {
      if (isAlive(Number(readFileSync(file, 'utf8')))) return false;
      rmSync(file);
    }
    writeFileSync(file, String(process.pid), { flag: 'wx' });
  } catch {
    // Somebody else’s file, or one that came or went meanwhile: the next port does as well.
    return false;
  }
  if (claims.size === 0) {
    process.once('exit', () => {
      for (const each of claims) rmSync(each, { force: true });
    });
  }
  claims.add(file);
  return true;
}

/** A command's options with their defaults. Asked for help, or given another option, it says which there are, and ends. */
export function readOptions<Name extends string>(defaults: Readonly<Record<Name, string>>): Record<Name, string> {
  const given = Object.entries<string>(defaults);
  const known = `Options: ${given.map((option) => `--${option.join(' ')}`).join(', ')}`;
  const strings = given.map(([name, value]) => [name, { type: 'string', default: value }] as const);
  try {
    const { help, ...values } = parseArgs({
      options: { ...Object.fromEntries(strings), help: { type: 'boolean' } },
    }).values;
    if (help !== true) return values as Record<Name, string>;
    console.log(known);
    process.exit(0);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}. ${known}`);
    process.exit(1);
  }
}

/** Says which option to use when a port of the demo is taken, instead of a stack trace from inside a server. */
export function assertPortFree(port: number, option: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', () =>
      reject(new Error(`Port ${port} is in use. Stop what listens there, or choose another one with ${option}.`)),
    );
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve()));
  });
}
