/** A newcomer's project: made, installed and started with the three commands that the documentation names. */
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startProgram } from '../../support/program.ts';
import { type NpmEnvironment, runNpm } from './npm.ts';

/** A site that `npm run dev` has started: where it says it is, and all that was printed so far. */
export type RunningProject = Awaited<ReturnType<typeof startProject>>;

const READY_TIMEOUT_MS = 240_000;
const STOP_TIMEOUT_MS = 60_000;

/** What to create, in a folder of its own. */
interface NewProject {
  readonly name: string;
  readonly options: readonly string[];
  readonly environment: NpmEnvironment;
}

export async function createProject(parent: string, { name, options, environment }: NewProject): Promise<void> {
  await runNpm(['create', 'innkeep', name, '--', ...options], { cwd: parent, environment });
}

/** The same once more, with the command that npm has fetched and run. */
export async function createAnother(parent: string, { name, options, environment }: NewProject): Promise<void> {
  const [command = ''] = globSync(
    join(environment.npm_config_cache ?? '', '_npx/*/node_modules/create-innkeep/bin/create-innkeep.js'),
  );
  await promisify(execFile)(process.execPath, [command, name, ...options], { cwd: parent, env: environment });
}

export async function install(folder: string, environment: NpmEnvironment): Promise<void> {
  await runNpm(['install', '--prefer-offline'], { cwd: folder, environment });
}

/** `npm run dev`; resolves once the site's pages are served. */
export async function startProject(folder: string, environment: NpmEnvironment) {
  // A group of its own: what Ctrl-C reaches on a terminal.
  const { child, output, ended } = startProgram('npm', ['run', 'dev'], {
    cwd: folder,
    env: environment,
    detached: true,
  });
  const stop = async (): Promise<void> => {
    const timer = setTimeout(() => signal('SIGKILL'), STOP_TIMEOUT_MS);
    signal('SIGINT');
    await ended;
    clearTimeout(timer);
  };
  const signal = (name: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch {
      // Nobody of the group is left.
    }
  };
  const deadline = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    const siteUrl = /Your site\s+(http:\/\/127\.0\.0\.1:\d+)/.exec(output())?.[1];
    if (siteUrl !== undefined && (await isServed(`${siteUrl}/bookings/RES-1234/paid`))) {
      return { siteUrl, output, stop };
    }
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`npm run dev serves no site:\n${output()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function isServed(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(120_000), headers: { accept: 'text/html' } }).then(
    (answer) => answer.ok,
    () => false,
  );
}
