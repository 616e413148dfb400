/** The stack that runs in a folder: how a second start, `innkeep trigger` and `innkeep clock` find it. */
import { timingSafeEqual } from 'node:crypto';
import { lstat, open, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { type CliError, failure, usageError } from '../failures/cli-error.ts';
import type { Closer } from './cleanup.ts';
import { DEV_FOLDER, type DevPaths, devPaths, readJson } from './dev-folder.ts';
import { type Listening, LOOPBACK, listen } from './listen.ts';

/** What the running process writes down for other processes of the same user. */
export interface RunningStack {
  readonly pid: number;
  readonly control: string;
  /** Only those who can read the file know it. */
  readonly token: string;
}

/** What it answers to a caller with the token. */
export interface StackReport {
  readonly pid: number;
  readonly proxyUrl: string;
  readonly sandboxUrl: string;
  /** The time of proxy and sandbox, RFC 3339. */
  readonly now: string;
  /** Whether it was started with `--clock`. */
  readonly hasClock: boolean;
}

/** Does what other processes ask the running one to do. */
export interface StackControl {
  report(): StackReport | undefined;
  advanceClock(ms: number): Promise<void>;
}

const ASK_TIMEOUT_MS = 5_000;

/** Claims the folder for this process, until it is closed. @throws `already_running` when another process serves it */
export async function claimFolder(
  paths: DevPaths,
  { control, token }: { readonly control: StackControl; readonly token: string },
): Promise<Closer> {
  const server = await serveControl(control, token);
  const own: RunningStack = { pid: process.pid, control: `http://${LOOPBACK}:${server.port}`, token };
  try {
    await writeClaim(paths, own);
  } catch (error) {
    await server.close();
    throw error;
  }
  return {
    async close() {
      await server.close();
      const written = await readJson<RunningStack>(paths.running);
      if (written?.token === token) await rm(paths.running, { force: true });
    },
  };
}

async function writeClaim(paths: DevPaths, own: RunningStack): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      const file = await open(paths.running, 'wx', 0o600);
      try {
        await file.writeFile(JSON.stringify(own));
      } finally {
        await file.close();
      }
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw usageError(`${paths.running} cannot be written.`, 'Name another folder with --data.');
      }
    }
    const other = await readClaim(paths);
    if (other !== undefined && (await isServing(other))) throw alreadyRunning(paths, other.pid);
    // Left behind by a process that was killed.
    await rm(paths.running, { force: true });
  }
  throw alreadyRunning(paths);
}

/** A claim that is being written is read again. */
async function readClaim(paths: DevPaths): Promise<RunningStack | undefined> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const text = await readFile(paths.running, 'utf8').catch(() => '{}');
    if (text !== '') return (await readJson<RunningStack>(paths.running)) ?? undefined;
    await delay(50);
  }
  return undefined;
}

async function isServing(other: RunningStack): Promise<boolean> {
  return askStack(other).then(
    () => true,
    // A process that accepts the connection but is too busy to answer is running: two processes on one folder would be worse.
    (error: Error) => error.name === 'TimeoutError',
  );
}

function alreadyRunning({ folder }: DevPaths, pid?: number): CliError {
  const who = pid === undefined ? '' : ` (process ${pid})`;
  return failure('already_running', `innkeep dev runs in this folder already${who}; only one can use ${folder}.`);
}

function serveControl(control: StackControl, token: string): Promise<Listening> {
  const server = createServer(async (request, response) => {
    const answer = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (!isSame(request.headers.authorization ?? '', `Bearer ${token}`)) return answer(401, {});
    try {
      if (request.method === 'POST') {
        const body: unknown = await json(request);
        const { advanceMs } = Object(body) as { advanceMs?: unknown };
        if (typeof advanceMs !== 'number' || !(advanceMs > 0)) return answer(400, {});
        await control.advanceClock(advanceMs);
      }
      // “Nothing to report yet” is an answer, too: the process runs.
      answer(200, control.report() ?? {});
    } catch (error) {
      answer(500, { message: error instanceof Error ? error.message : String(error) });
    }
  });
  return listen(server, { port: 0 });
}

function isSame(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** A stack found, with the paths of its folder. */
export interface FoundStack {
  readonly paths: DevPaths;
  readonly running: RunningStack;
  readonly report: StackReport;
}

/** This user's stack in this folder or in one above it; in a named folder, anybody's stack. */
export async function findStack(cwd: string, dataFolder?: string): Promise<FoundStack | undefined> {
  for (const folder of dataFolder === undefined ? foldersAbove(cwd) : [dataFolder]) {
    // In a folder that many share, such as /tmp, anybody could choose what is called and what is signed.
    if (dataFolder === undefined && !(await isOwn(folder))) continue;
    const paths = devPaths(folder);
    const running = await readJson<RunningStack>(paths.running);
    if (running === undefined) continue;
    const report = await askStack(running).catch(() => undefined);
    if (report?.proxyUrl !== undefined) return { paths, running, report };
  }
  return undefined;
}

/** Asks a running stack for its report, after it has done what `request` says. */
export async function askStack({ control, token }: RunningStack, request?: object): Promise<StackReport> {
  const response = await fetch(control, {
    method: request === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}` },
    ...(request === undefined ? {} : { body: JSON.stringify(request) }),
    signal: AbortSignal.timeout(request === undefined ? ASK_TIMEOUT_MS : 60_000),
  });
  const body = (await response.json()) as StackReport & { readonly message?: string };
  if (!response.ok) throw new Error(body.message ?? `The stack answered ${response.status}.`);
  return body;
}

function foldersAbove(cwd: string): string[] {
  const parent = dirname(cwd);
  return [join(cwd, DEV_FOLDER), ...(parent === cwd ? [] : foldersAbove(parent))];
}

async function isOwn(folder: string): Promise<boolean> {
  const user = process.getuid?.();
  const owner = await lstat(folder).then(
    ({ uid }) => uid,
    () => undefined,
  );
  return user === undefined || owner === user;
}
