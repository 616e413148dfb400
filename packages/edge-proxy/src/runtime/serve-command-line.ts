/** `innkeep-proxy`: the proxy on a machine of one's own, from the command line. */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { maxPendingPayments, openFilesLimit } from './serve-limits.ts';
import { type RunningProxy, type ServeOptions, serveProxy } from './serve-proxy.ts';
import { sendSignal } from './serve-signal.ts';
import { untilUnresponsive } from './serve-watchdog.ts';

const HELP = `Usage: innkeep-proxy --env <file> [options]

Runs the proxy on this machine, in workerd, until you stop it or the process that started it ends.

Options:
  --env <file>    file with PUBLIC_URL, SEALING_KEYS and a line PROPERTY_<ID>='{…}' for each hotel
  --host <ip>     address to listen on (default: 127.0.0.1): for a container, or a web server on another machine
  --port <port>   port to listen on (default: 8787); TLS belongs to the web server in front
  --data <folder> folder for everything it stores; only you can open it (default: .innkeep)
  --moto          also take cards that staff key in
  --help          show this help
`;

/** Within this time a signal is the same one: npm passes on what its whole group has got. */
const SAME_SIGNAL_MS = 1_000;
/** How long calls, charges and reversals under way may take to end. Money that is cut off stays unknown until a person looks it up. */
const DRAIN_LIMIT_MS = 30_000;

/** How far the clock may be set back before it is followed: until then, what the runtime already waits for comes as much too late. */
const MAX_SET_BACK_MS = 60_000;

/** The command line. Prints `ready <url>` once it serves; ends on SIGTERM, SIGINT, or when its parent or the runtime is gone. */
export async function main(argv: readonly string[]): Promise<void> {
  let aheadMs = clockAheadMs();
  let proxy: RunningProxy;
  try {
    const options = parseCommandLine(argv);
    if (options === undefined) {
      process.stdout.write(HELP);
      return;
    }
    proxy = await serveProxy(options);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
    return;
  }
  let isStopping = false;
  const stop = async (exitCode: number, { waits = false, setBackMs = 0 } = {}): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    if (waits) await Promise.race([proxy.drain(), wait(DRAIN_LIMIT_MS)]);
    await proxy.close(setBackMs);
    process.exit(exitCode);
  };
  let signaledAt: number | undefined;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      const now = Date.now();
      signaledAt ??= now;
      if (now - signaledAt > SAME_SIGNAL_MS) sendSignal(proxy.pid, 'SIGKILL');
      void stop(0, { waits: true });
    });
  }
  void proxy.exited.then((how) => {
    if (!isStopping) process.stderr.write(`The runtime stopped (${how}).\n`);
    return stop(1);
  });
  void untilUnresponsive(proxy.url).then(() => {
    if (isStopping) return;
    process.stderr.write('The runtime has not answered for a minute, so it is killed.\n');
    sendSignal(proxy.pid, 'SIGKILL');
  });
  const openFiles = openFilesLimit();
  if (openFiles !== undefined) {
    const fit = maxPendingPayments(openFiles);
    process.stderr.write(
      `${openFiles} files may be open (ulimit -Hn): enough for about ${fit} pending payments at once\n`,
    );
  }
  // A reader of this line may end this process at once.
  console.log(`ready ${proxy.url}`);
  setInterval(() => {
    const before = aheadMs;
    aheadMs = clockAheadMs();
    // At once: the two may also drift apart, by a minute in weeks.
    const setBackMs = Math.round(before - aheadMs);
    if (setBackMs <= MAX_SET_BACK_MS || isStopping) return;
    const seconds = Math.round(setBackMs / 1_000);
    console.error(`The clock was set back by ${seconds} s. Stopped: payments under way follow it at the next start.`);
    void stop(1, { waits: true, setBackMs });
  }, 1_000).unref();
  // pnpm does not pass a SIGKILL on; without this the proxy would outlive the command that started it.
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid === parent || isStopping) return;
    // Whoever reads this may be gone; that must not end this process.
    console.error('Stopped, because the process that started it has ended. Use a service manager to keep it running.');
    void stop(1);
  }, 250).unref();
}

/** How far the clock is ahead of one that nobody sets. */
function clockAheadMs(): number {
  return Date.now() - performance.now();
}

/** Undefined: the caller asks for help. */
function parseCommandLine(argv: readonly string[]): ServeOptions | undefined {
  const { values } = parseArgs({
    args: argv.filter((argument) => argument !== '--'),
    options: {
      host: { type: 'string' },
      port: { type: 'string', default: '8787' },
      env: { type: 'string' },
      data: { type: 'string', default: '.innkeep' },
      moto: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return undefined;
  if (values.env === undefined) throw new Error('--env: name the file with PUBLIC_URL and PROPERTY_<ID>');
  if (!/^\d{1,5}$/.test(values.port)) throw new Error(`--port: ${values.port} is not a port number`);
  const { host, env: envFile, data: dataDir, moto } = values;
  return { ...(host !== undefined && { host }), port: Number(values.port), envFile, dataDir, moto };
}
