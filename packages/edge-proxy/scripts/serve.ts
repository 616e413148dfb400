/**
 * The proxy alone, in the local Workers runtime: the built bundle under `workerd serve` with storage on disk.
 *
 *     node packages/edge-proxy/scripts/serve.ts --port 8787 --env FILE --data DIR
 *
 * Three processes: this one, workerd, and a guardian between them. The guardian reads a pipe from this process; when
 * the pipe ends, however this process ended, it ends workerd.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, type Stats, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parseEnvFile } from './env-file.ts';
import { toWorkerdConfig } from './workerd-config.ts';
import { workerdPath } from './workerd-path.ts';

/** Where and how the proxy runs. */
export interface ServeOptions {
  readonly port: number;
  /** File in `.dev.vars` form. */
  readonly envFile: string;
  /** Folder of the storage; made when it is not there. */
  readonly dataDir: string;
  /** Run the second worker entry, which takes card numbers. @default false */
  readonly moto?: boolean;
}

/** A proxy that serves. */
export interface RunningProxy {
  readonly url: string;
  /** Process id of the runtime itself. */
  readonly pid: number;
  close(): Promise<void>;
}

const PACKAGE = join(import.meta.dirname, '..');
const READY_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 5_000;
const PID_FILE = 'workerd.pid';

/** Starts the proxy and resolves once it answers. Fails with the name of the option that is wrong. */
export async function serveProxy(options: ServeOptions): Promise<RunningProxy> {
  const { port, envFile } = options;
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`--port: ${port} is not a port number`);
  const environment = readEnvironment(envFile);
  await checkConfiguration(environment, envFile);
  const dataDir = prepareDataDir(options.dataDir);
  await stopStale(dataDir);

  const { bundle, assetsDir } = builtFiles(options.moto === true);
  const configFile = join(dataDir, 'workerd.capnp');
  writeFileSync(
    configFile,
    toWorkerdConfig({
      port,
      bundle: relative(dataDir, bundle),
      storageDir: join(dataDir, 'objects'),
      assetsDir,
      names: Object.keys(environment),
    }),
  );

  const runtime = spawn(process.execPath, [join(PACKAGE, 'scripts/guardian.ts'), workerdPath(), 'serve', configFile], {
    // The runtime sees the configured names and nothing else of this process's environment.
    env: { ...environment },
    stdio: ['pipe', 'inherit', 'inherit', 'ipc'],
  });
  const exited = new Promise<void>((done) => runtime.once('exit', () => done()));
  const pid = await runtimePid(runtime);
  writeFileSync(join(dataDir, PID_FILE), String(pid));

  const url = `http://127.0.0.1:${port}`;
  const close = async (): Promise<void> => {
    runtime.disconnect?.();
    runtime.stdin?.end();
    const timer = setTimeout(() => runtime.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await exited;
    clearTimeout(timer);
    rmSync(join(dataDir, PID_FILE), { force: true });
  };
  try {
    await untilReady(url, exited);
  } catch (error) {
    await close();
    throw error;
  }
  return { url, pid, close };
}

/** The command line. Prints `ready <url>` once it serves; ends on SIGTERM, SIGINT, or when its parent is gone. */
export async function main(argv: readonly string[]): Promise<void> {
  let proxy: RunningProxy;
  try {
    proxy = await serveProxy(parseCommandLine(argv));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
    return;
  }
  console.log(`ready ${proxy.url}`);
  let isStopping = false;
  const stop = async (): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    await proxy.close();
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // pnpm does not pass a SIGKILL on; without this the proxy would outlive the command that started it.
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) void stop();
  }, 250).unref();
}

function parseCommandLine(argv: readonly string[]): ServeOptions {
  const { values } = parseArgs({
    args: argv.filter((argument) => argument !== '--'),
    options: {
      port: { type: 'string', default: '8787' },
      env: { type: 'string' },
      data: { type: 'string', default: '.innkeep' },
      moto: { type: 'boolean', default: false },
    },
  });
  if (values.env === undefined) throw new Error('--env: name the file with PUBLIC_URL and PROPERTY_<ID>');
  if (!/^\d{1,5}$/.test(values.port)) throw new Error(`--port: ${values.port} is not a port number`);
  return { port: Number(values.port), envFile: values.env, dataDir: values.data, moto: values.moto };
}

function readEnvironment(envFile: string): Record<string, string> {
  let text: string;
  try {
    text = readFileSync(envFile, 'utf8');
  } catch (error) {
    throw new Error(`--env: ${envFile} cannot be read (${errorCode(error)})`);
  }
  try {
    return parseEnvFile(text);
  } catch (error) {
    throw new Error(`${envFile}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Says at once what the worker would say to every caller. Without a single usable hotel there is nothing to start. */
async function checkConfiguration(environment: Readonly<Record<string, string>>, envFile: string): Promise<void> {
  const { describeBroken, parseProperties } = await import('../dist/config/properties.js');
  const { publicUrlOf } = await import('../dist/config/settings.js');
  if (environment.PUBLIC_URL !== undefined && publicUrlOf(environment, 'http://127.0.0.1/') === undefined) {
    throw new Error(`${envFile}: PUBLIC_URL must be an https origin (http only for this machine)`);
  }
  const { CLIENT_ADDRESS_HEADER = '' } = environment;
  if (!/^[\w-]*$/.test(CLIENT_ADDRESS_HEADER)) {
    throw new Error(`${envFile}: CLIENT_ADDRESS_HEADER must be the name of a header, such as x-real-ip`);
  }
  const { all } = parseProperties(environment);
  for (const property of all) if (property.broken) process.stderr.write(`${envFile}: ${describeBroken(property)}\n`);
  if (all.every((property) => property.broken)) {
    throw new Error(`${envFile}: no usable hotel; add one line PROPERTY_<ID>='{…}' with its JSON in single quotes`);
  }
}

/** Makes the folder for its owner alone. One that others can open, or that is somebody else's, is not used. */
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
  if (folder.uid !== user) throw new Error(`--data: ${dataDir} belongs to another user: name a folder of your own`);
  if (process.platform !== 'win32' && (folder.mode & 0o077) !== 0) {
    throw new Error(`--data: other users can open ${dataDir}: close it with chmod 700 ${dataDir}`);
  }
  try {
    mkdirSync(join(path, 'objects'), { recursive: true, mode: 0o700 });
    writeFileSync(join(path, '.gitignore'), '*\n');
  } catch (error) {
    throw new Error(`--data: ${dataDir} cannot be used (${errorCode(error)})`);
  }
  return path;
}

/** Ends a runtime that an earlier start left on the same data; one data folder can have one process. */
async function stopStale(dataDir: string): Promise<void> {
  const pidFile = join(dataDir, PID_FILE);
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8'));
  // A recycled process id belongs to somebody else: only a runtime on this very data is ended.
  if (Number.isInteger(pid) && pid > 1 && commandLine(pid).includes(join(dataDir, 'workerd.capnp'))) {
    process.kill(pid, 'SIGKILL');
    for (let i = 0; i < 100 && commandLine(pid) !== ''; i++) await delay(50);
  }
  rmSync(pidFile, { force: true });
}

/** Command line of a process; empty when there is none, or where the system does not tell. */
function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

function builtFiles(moto: boolean): { readonly bundle: string; readonly assetsDir: string } {
  const bundle = join(PACKAGE, 'dist', moto ? 'bundle-moto/worker-moto.js' : 'bundle/worker.js');
  if (!existsSync(bundle)) throw new Error(`${bundle} is missing: build @innkeep/edge-proxy first`);
  return { bundle, assetsDir: join(PACKAGE, 'dist', moto ? 'assets-moto' : 'assets') };
}

function runtimePid(guardian: ChildProcess): Promise<number> {
  return new Promise((done, fail) => {
    guardian.once('message', (pid) => done(Number(pid)));
    guardian.once('error', fail);
    guardian.once('exit', () => fail(new Error('The runtime did not start')));
  });
}

/** Resolves once a runtime answers; rejects when it has ended, or takes too long. */
export async function untilReady(url: string, exited: Promise<unknown>): Promise<void> {
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
    await delay(25);
  }
  throw new Error(isOver ? `The runtime stopped. Is ${url} in use? Choose another --port.` : `No answer from ${url}`);
}

function errorCode(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code ?? error);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));
