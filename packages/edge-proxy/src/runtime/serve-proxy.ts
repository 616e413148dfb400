/**
 * The proxy in the local Workers runtime: the built bundle under `workerd serve` with storage on disk.
 *
 * Three processes: this one, workerd, and a supervisor between them. The supervisor reads a pipe from this process; when
 * the pipe ends, however this process ended, it ends workerd.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, type Stats, statSync, writeFileSync } from 'node:fs';
import { createServer, isIP } from 'node:net';
import { join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { type DataLock, lockData } from './serve-data-lock.ts';
import { keepFolderVersion, refuseNewerFolder } from './serve-data-version.ts';
import { howEnded } from './serve-ended.ts';
import { checkConfiguration, errorCode, isLive, readEnvironment, withSealingKey } from './serve-environment.ts';
import { refuseLostIdKey } from './serve-id-key.ts';
import { maxPendingPayments, openFilesLimit } from './serve-limits.ts';
import { describeServedLive, keepServedLive, wasServedLive } from './serve-live-folder.ts';
import { sendSignal } from './serve-signal.ts';
import { modulesOf, toAuthority, toWorkerdConfig } from './serve-workerd-config.ts';
import { workerdPath } from './serve-workerd-path.ts';

/** Where and how the proxy runs. */
export interface ServeOptions {
  /** IP address to listen on, such as `0.0.0.0` in a container. Whoever reaches it reaches the proxy without TLS. @default 127.0.0.1 */
  readonly host?: string;
  readonly port: number;
  /** File in `.dev.vars` form. */
  readonly envFile: string;
  /** Folder of the storage; made when it is not there. */
  readonly dataDir: string;
  /** Run the second worker entry, which takes card numbers. @default false */
  readonly moto?: boolean;
  /**
   * Run with a clock that {@link RunningProxy.moveClock} can move, for tests and development. Refused where a hotel is live.
   */
  readonly clock?: { readonly offsetMs: number };
  /** Told each line that the proxy prints, which waits while this process is busy. @default to the standard streams of this process */
  readonly onLine?: (line: string) => void;
}

/** A proxy that serves. */
export interface RunningProxy {
  readonly url: string;
  /** Process id of the runtime itself. */
  readonly pid: number;
  /** Resolves once the runtime has ended, asked to or not, with how: `signal SIGKILL`, or `code 1`. */
  readonly exited: Promise<string>;
  /** Sets how far the proxy’s time stands ahead of the real one, in milliseconds. Time never goes back. */
  moveClock(offsetMs: number): Promise<void>;
  /**
   * Lets the runtime take no more calls, and end with the calls, charges and reversals under way; resolves once it is gone. There
   * is no time limit: call {@link close} after a while.
   */
  drain(): Promise<void>;
  /**
   * Ends the runtime at once; resolves once it is gone.
   * @param setBackMs how far the clock was set back while it ran: what it waits for at the next start follows
   */
  close(setBackMs?: number): Promise<void>;
}

const PACKAGE = join(import.meta.dirname, '../..');
const CLOCK_MODULE = join(import.meta.dirname, '../worker-clock.js');
const LAUNCHED_MODULE = join(import.meta.dirname, '../worker-launched.js');
const READY_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 5_000;
const PID_FILE = 'workerd.pid';
const LOOPBACK = '127.0.0.1';
/** The runtime says at every start that our V8 flags make it compile its own scripts. That takes a few milliseconds and is not a fault. */
const OWN_CACHE_UNUSED = 'NOSENTRY per-isolate bootstrap compile cache';
const OWN_STREAMS = ['inherit', 'inherit'] as const;
const PIPES = ['pipe', 'pipe'] as const;

/**
 * Starts the proxy and resolves once it answers. Fails with the name of the option that is wrong. It ends with this process: at a
 * signal, wait for {@link RunningProxy.drain} first, or charges and reversals under way stay `unknown`.
 */
export async function serveProxy(options: ServeOptions): Promise<RunningProxy> {
  const { host, port, envFile } = options;
  if (host !== undefined && isIP(host) === 0) throw new Error(`--host: ${host} is not an IP address`);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`--port: ${port} is not a port number`);
  if (options.dataDir === '') throw new Error('--data: name a folder');
  const given = readEnvironment(envFile);
  const { hasLiveHotel, platforms } = checkConfiguration(given, envFile);
  refuseNewerFolder(options.dataDir);
  // The operator of a live hotel makes and keeps its keys.
  const environment = hasLiveHotel ? given : withSealingKey(given, envFile);
  if (options.clock !== undefined && hasLiveHotel)
    throw new Error(`${envFile}: a live hotel keeps the real time: start it without a clock`);
  const dataDir = prepareDataDir(options.dataDir);
  const url = `http://${toAuthority(reachableAt(host), port)}`;
  let lock: DataLock | undefined;
  try {
    lock = await lockData(dataDir, { url, waitMs: STOP_TIMEOUT_MS });
    keepFolderVersion(dataDir);
    refuseLostIdKey(join(dataDir, 'objects'));
    if (platforms.all.some(isLive)) keepServedLive(dataDir);
    const wasLive = wasServedLive(dataDir);
    if (wasLive && !hasLiveHotel) process.stderr.write(`${describeServedLive(dataDir)}\n`);
    // Where money is real, an address that resolves into this network is refused.
    const allowsPrivateNetwork = !hasLiveHotel && !wasLive && platforms.invalid.length === 0;
    return await serveLocked(options, { dataDir, url, environment, allowsPrivateNetwork, lock });
  } catch (error) {
    throw explainUnusable(error, dataDir);
  } finally {
    lock?.release();
  }
}

/** Runs the proxy on data that nobody else uses. The lock is the runtime's once this is over. */
async function serveLocked(
  options: ServeOptions,
  {
    dataDir,
    url,
    environment,
    allowsPrivateNetwork,
    lock,
  }: {
    readonly dataDir: string;
    readonly url: string;
    readonly environment: Readonly<Record<string, string>>;
    readonly allowsPrivateNetwork: boolean;
    readonly lock: DataLock;
  },
): Promise<RunningProxy> {
  const { host = LOOPBACK, port, onLine } = options;
  await assertPortFree({ host, port }, lock.wasHeld ? STOP_TIMEOUT_MS : 0);

  const { bundle, assetsDir } = builtFiles(options.moto === true);
  const [clockToken, stopKey] = [newKey(), newKey()];
  const openFiles = openFilesLimit();
  const variables = {
    ...environment,
    STARTED_AT: String(Date.now()),
    ...(openFiles !== undefined && { MAX_PENDING_PAYMENTS: String(maxPendingPayments(openFiles)) }),
    STOP_KEY: stopKey,
    ...(options.clock && { CLOCK_OFFSET_MS: String(options.clock.offsetMs), CLOCK_TOKEN: clockToken }),
  };
  const configFile = join(dataDir, 'workerd.capnp');
  writeFileSync(
    configFile,
    toWorkerdConfig({
      host,
      port,
      modules: modulesOf(bundle, dataDir),
      storageDir: join(dataDir, 'objects'),
      assetsDir,
      names: Object.keys(variables),
      front: relative(dataDir, options.clock === undefined ? LAUNCHED_MODULE : CLOCK_MODULE),
      allowsPrivateNetwork,
    }),
  );

  moveAlarms(join(dataDir, 'objects'), 0);
  const runtime = spawn(
    process.execPath,
    [join(import.meta.dirname, 'serve-supervisor.js'), workerdPath(), 'serve', configFile],
    {
      // The runtime sees the configured names and nothing else of this process's environment.
      env: variables,
      stdio: ['pipe', ...(onLine === undefined ? OWN_STREAMS : PIPES), lock.fd, 'ipc'],
    },
  );
  for (const stream of [runtime.stdout, runtime.stderr]) {
    if (stream === null || onLine === undefined) continue;
    createInterface({ input: stream }).on('line', (line) => line.includes(OWN_CACHE_UNUSED) || onLine(line));
  }
  const exited = new Promise<string>((done) => runtime.once('exit', (code, signal) => done(howEnded(code, signal))));
  const pid = await runtimePid(runtime);
  // A supervisor that was killed leaves it behind, with the data and the port.
  runtime.once('exit', (_, signal) => signal !== null && sendSignal(pid, 'SIGKILL'));

  const close = async (setBackMs = 0): Promise<void> => {
    runtime.stdin?.end();
    await exited;
    rmSync(join(dataDir, PID_FILE), { force: true });
    if (setBackMs > 0) moveAlarms(join(dataDir, 'objects'), setBackMs);
  };
  try {
    lock.name(pid);
    writeFileSync(join(dataDir, PID_FILE), String(pid));
    await untilReady(url, exited);
  } catch (error) {
    await close();
    throw error;
  }
  const drain = async (): Promise<void> => {
    const headers = { authorization: `Bearer ${stopKey}` };
    // Once it has begun, this answer is one of those that the runtime lets end; it ends with the last charge or reversal under way.
    const answer = await fetch(`${url}/__stop`, { method: 'POST', headers }).catch(() => undefined);
    sendSignal(pid, 'SIGTERM');
    await answer?.text().catch(() => undefined);
    await exited;
  };
  const moveClock = async (offsetMs: number): Promise<void> => {
    if (options.clock === undefined) throw new Error('This proxy was started without a clock');
    const answer = await fetch(`${url}/__clock`, {
      method: 'POST',
      headers: { authorization: `Bearer ${clockToken}` },
      body: JSON.stringify({ offsetMs }),
    });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`The proxy’s clock cannot be set to this time (${answer.status})`);
  };
  return { url, pid, exited, moveClock, drain, close };
}

function newKey(): string {
  return randomBytes(24).toString('base64url');
}

/** In a process of its own: SQLite is experimental in Node, which says so in every process that uses it. */
function moveAlarms(storageDir: string, setBackMs: number): void {
  if (readdirSync(storageDir).length === 0) return;
  const options = ['--experimental-sqlite', '--disable-warning=ExperimentalWarning'];
  const script = join(import.meta.dirname, 'serve-overdue-alarms.js');
  const { status, stderr } = spawnSync(process.execPath, [...options, script, storageDir, `${setBackMs}`], {
    encoding: 'utf8',
  });
  if (status !== 0)
    process.stderr.write(
      `Overdue tasks were not spread out. If the file is damaged, restore it: without its tasks, payments are polled only when somebody reads them. ${stderr.trim()}\n`,
    );
}

/** What is wrong with a folder in which a file cannot be used, where the code of the system does not say it. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: ': everything in the folder must belong to the user who runs the proxy (chown -R)',
  ENOSPC: ': its disk is full',
  EROFS: ': its disk is read-only',
};

/** Names what the system refuses in the folder; any other failure is left as it is. */
function explainUnusable(error: unknown, dataDir: string): unknown {
  const { code = '', path = dataDir, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined || !path.startsWith(dataDir)) return error;
  return new Error(`--data: ${path} cannot be used (${code})${REASONS[code] ?? ''}`);
}

/** Makes the folder, open only to its owner. One that others can open, or that is somebody else's, is refused. */
function prepareDataDir(dataDir: string): string {
  const path = resolve(dataDir);
  let folder: Stats;
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    folder = statSync(path);
  } catch (error) {
    throw new Error(`--data: ${dataDir} cannot be used (${errorCode(error)})`);
  }
  const user = process.getuid?.() ?? folder.uid;
  if (folder.uid !== user) {
    throw new Error(
      `--data: ${dataDir} belongs to another user: run the proxy as that one, or give the folder to the user who runs the proxy (chown -R)`,
    );
  }
  if (process.platform !== 'win32' && (folder.mode & 0o077) !== 0) {
    throw new Error(`--data: other users can open ${dataDir}: close it with chmod 700 ${dataDir}`);
  }
  try {
    // Asked for recursively, Node says ENOENT of a disk that is read-only.
    if (!existsSync(join(path, 'objects'))) mkdirSync(join(path, 'objects'), { mode: 0o700 });
    if (!existsSync(join(path, '.gitignore'))) writeFileSync(join(path, '.gitignore'), '*\n');
  } catch (error) {
    throw explainUnusable(error, path);
  }
  return path;
}

interface Address {
  readonly host: string;
  readonly port: number;
}

/** Where this machine reaches what listens there: everywhere includes loopback. */
function reachableAt(host: string = LOOPBACK): string {
  return host === '0.0.0.0' ? LOOPBACK : host === '::' ? '::1' : host;
}

/** Reports it before the runtime does, which would only name an address. */
async function assertPortFree({ host, port }: Address, waitLimitMs: number): Promise<void> {
  const deadline = Date.now() + waitLimitMs;
  for (;;) {
    const code = await listenOnce({ host, port });
    if (code === undefined) return;
    if (code === 'EADDRNOTAVAIL') throw new Error(`--host: ${host} is not an address of this machine`);
    if (code !== 'EADDRINUSE') throw new Error(`--port: nothing can listen on port ${port} (${code})`);
    if (Date.now() >= deadline) {
      throw new Error(`Port ${port} is in use. Stop what listens there, or choose another one with --port.`);
    }
    await delay(25);
  }
}

/** Why nothing can listen on a port; undefined when it is free. */
function listenOnce({ host, port }: Address): Promise<string | undefined> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once('error', (error) => done(errorCode(error)));
    probe.listen(port, host, () => probe.close(() => done(undefined)));
  });
}

function builtFiles(moto: boolean): { readonly bundle: string; readonly assetsDir: string } {
  const bundle = join(PACKAGE, 'dist', moto ? 'bundle-moto/worker-moto.js' : 'bundle/worker.js');
  if (!existsSync(bundle)) throw new Error(`${bundle} is missing: build @innkeep/edge-proxy first`);
  return { bundle, assetsDir: join(PACKAGE, 'dist', moto ? 'assets-moto' : 'assets') };
}

function runtimePid(supervisor: ChildProcess): Promise<number> {
  return new Promise((done, fail) => {
    supervisor.once('message', (pid) => done(Number(pid)));
    supervisor.once('error', fail);
    supervisor.once('exit', () => fail(new Error('The runtime did not start')));
  });
}

/** Resolves once a runtime answers; rejects when it has ended, or takes too long. */
export async function untilReady(url: string, exited: Promise<unknown>, everyMs = 25): Promise<void> {
  let isOver = false;
  void exited.then(() => {
    isOver = true;
  });
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!isOver && Date.now() < deadline) {
    const isReady = await fetch(`${url}/healthz`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (isReady && !isOver) return;
    await delay(everyMs);
  }
  throw new Error(isOver ? 'The runtime stopped. Its output is above.' : `No answer from ${url}`);
}
