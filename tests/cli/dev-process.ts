import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { vi } from 'vitest';
import { freePort } from '../../scripts/launch.ts';
import { type Program, startProgram } from '../support/program.ts';
import { INNKEEP_BIN, runInnkeepOn } from './run-innkeep.ts';

/** How long anything may take on a busy machine. */
export const WAIT_LIMIT_MS = 120_000;

/** A command that runs until it is told to stop. */
export interface Running {
  /** All that it has printed. */
  output(): string;
  /** Resolves once this was printed; fails with the output when it is not. */
  until(text: string | RegExp): Promise<void>;
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  /** Ends it, and waits for that. */
  stop(): Promise<number | NodeJS.Signals>;
}

/** A command that is a process of its own. */
export interface RunningProcess extends Program, Pick<Running, 'until'> {
  /** What Ctrl-C does: SIGINT to all that stand in the foreground. */
  pressCtrlC(): Promise<number | NodeJS.Signals>;
}

const running = new Set<Running>();
const folders = new Set<string>();

/** A folder of its own for each site. */
export async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'innkeep-dev-')));
  folders.add(folder);
  return folder;
}

/** Ends what tests have left, and removes their folders. */
export async function cleanUp(): Promise<void> {
  for (const each of running) await each.stop();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
  folders.clear();
}

/** Starts `innkeep` in a folder, in this process. */
export function startInnkeep(words: readonly string[], cwd: string): Running {
  const stopping = new AbortController();
  let text = '';
  const write = async (data: string | Uint8Array): Promise<void> => {
    text += Buffer.from(data);
  };
  const { PATH, HOME } = process.env;
  const ended = runInnkeepOn(
    {
      ...{ cwd, env: { PATH, HOME }, signal: stopping.signal },
      ...{ readStdin: async () => new Uint8Array(), writeOut: write, writeErr: write },
    },
    words,
  );
  return remembered({
    output: () => text,
    ended,
    stop() {
      stopping.abort();
      return ended;
    },
  });
}

/** Starts a program in a folder, and waits until it serves the site there. */
async function spawnSite(cwd: string, file: string, args: readonly string[], more = {}): Promise<RunningProcess> {
  const { PATH, HOME } = process.env;
  // A group of its own, as a shell gives it.
  const program = startProgram(file, args, { cwd, env: { PATH, HOME, ...more }, detached: true });
  const spawned = remembered({
    ...program,
    pressCtrlC() {
      process.kill(-(program.child.pid ?? Number.NaN), 'SIGINT');
      return program.ended;
    },
  });
  await spawned.until('site is up');
  return spawned;
}

function remembered<Command extends Omit<Running, 'until'>>(command: Command): Command & Pick<Running, 'until'> {
  const until = (wanted: string | RegExp): Promise<void> =>
    vi.waitFor(
      () => {
        const text = command.output();
        if (typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text)) return;
        throw new Error(`“${wanted}” was not printed:\n${text}`);
      },
      { timeout: WAIT_LIMIT_MS, interval: 50 },
    );
  const whole = { ...command, until };
  running.add(whole);
  void command.ended.then(() => running.delete(whole));
  return whole;
}

/** Starts `innkeep dev` in this process and waits until it serves. */
export async function startDev(folder: string, ...words: readonly string[]): Promise<Running> {
  const dev = startInnkeep(['dev', ...words], folder);
  await dev.until(/^ready http/m);
  return dev;
}

/** Starts it as a process, on a port of its own, with a site, and waits until that is up. */
export async function spawnDevWithSite(folder: string): Promise<RunningProcess> {
  const words = [INNKEEP_BIN, 'dev', '--port', `${await freePort()}`, '--', process.execPath, await writeSite(folder)];
  const dev = await spawnSite(folder, process.execPath, words);
  await dev.until(/^ready http/m);
  return dev;
}

/** The same, by `npm run dev`. */
export async function spawnNpmWithSite(folder: string): Promise<RunningProcess> {
  const site = await writeSite(folder);
  const dev = `"${process.execPath}" "${INNKEEP_BIN}" dev --port ${await freePort()} -- "${process.execPath}" "${site}"`;
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, scripts: { dev } }));
  return spawnSite(folder, 'npm', ['run', 'dev'], { npm_config_update_notifier: 'false' });
}

/** A site’s server as a file: it has a child of its own, and says when it is up. */
async function writeSite(folder: string): Promise<string> {
  const file = join(folder, 'site.mjs');
  await writeFile(
    file,
    `import { spawn } from 'node:child_process';
     import { createServer } from 'node:http';
     const { PORT, SITE_URL } = process.env;
     spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', ${JSON.stringify(folder)}], { stdio: 'ignore' });
     createServer().listen(Number(PORT), '127.0.0.1', () => { console.log('site is up at ' + SITE_URL); });`,
  );
  return file;
}

/** What the site’s server reads. */
export function siteVariables(folder: string): Record<string, string> {
  return parseEnv(readFileSync(join(folder, '.env.local'), 'utf8')) as Record<string, string>;
}

/** Processes whose command line names a folder: each program of a stack is told where its files are. */
export function processesOf(folder: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return command.includes(folder) ? [`${pid} ${command}`] : [];
      } catch {
        return [];
      }
    });
}

/** Waits until no process of a folder is left. */
export function untilNoneLeft(folder: string): Promise<void> {
  return vi.waitFor(
    () => {
      const left = processesOf(folder);
      if (left.length > 0) throw new Error(`Still there:\n${left.join('\n')}`);
    },
    { timeout: WAIT_LIMIT_MS, interval: 100 },
  );
}
