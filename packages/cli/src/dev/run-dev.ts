/** `innkeep dev` from its first line to its last. */
import { once } from 'node:events';
import { relative, resolve } from 'node:path';
import type { Scope } from '@innkeep/core/contract';
import type { CommandContext } from '../context/command-context.ts';
import { CliError, failure, usageError } from '../failures/cli-error.ts';
import { EXIT } from '../failures/exit-code.ts';
import { createCleanup } from './cleanup.ts';
import { type DevFacts, devBanner, devJson } from './dev-banner.ts';
import { DEV_FOLDER, keysOf, prepareDevFolder, saveSettings, settingsOf } from './dev-folder.ts';
import { ENV_LOCAL, writeEnvLocal } from './env-local.ts';
import { LOOPBACK } from './listen.ts';
import type { LocalStack } from './local-stack.ts';
import { freePort, freePortFrom, GIVEN_PORTS, isPortFree } from './ports.ts';
import { whenLauncherEnds } from './processes.ts';
import { proxyLogLine } from './proxy-log.ts';
import { claimFolder, type StackReport } from './running-stack.ts';
import { startSite } from './site-process.ts';

export interface DevFlags {
  readonly forwardTo?: string;
  readonly clock?: true;
  /** The hotel's name. */
  readonly name?: string;
  readonly port?: number;
  readonly data?: string;
  /** What the site's key may do. */
  readonly scope: readonly Scope[];
}

/** The port of the quick starts' site. */
const DEFAULT_SITE_PORT = 3000;
const CLOSE_LIMIT_MS = 10_000;

/** Runs until it is stopped, or until the site’s command ends. @returns that command’s exit code */
export async function runDev(context: CommandContext, command: readonly string[], flags: DevFlags): Promise<number> {
  const { io } = context;
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  io.signal.addEventListener('abort', stop);
  if (io.signal.aborted) stop();
  // The first stops `io`, too. Without a listener a second one, which npm passes on, would kill this before it has cleaned up.
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  const forgetLauncher = whenLauncherEnds(stop);

  const print = (line: string): void => void (context.isJson ? context.note(line) : io.writeOut(`${line}\n`));
  const cleanup = createCleanup({
    limitMs: CLOSE_LIMIT_MS,
    onError: (error) => print(`Something did not stop cleanly: ${error instanceof Error ? error.message : error}`),
  });
  try {
    return await serve();
  } finally {
    await cleanup.close();
    forgetLauncher();
    io.signal.removeEventListener('abort', stop);
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.off(signal, stop);
  }

  async function serve(): Promise<number> {
    const paths = await prepareDevFolder(resolve(io.cwd, flags.data ?? DEV_FOLDER));
    let report: StackReport | undefined;
    let stack: LocalStack | undefined;
    let offsetMs = 0;
    const advanceClock = async (ms: number): Promise<void> => {
      if (stack === undefined || !hasClock) throw new Error('This stack keeps the real time. Start it with --clock.');
      offsetMs += ms;
      await saveSettings(paths, { ...remembered, clockOffsetMs: offsetMs });
      await stack.moveClock(offsetMs);
      print(`The time is now ${stack.now().toISOString()}.`);
    };
    const token = Buffer.from(io.randomBytes(24)).toString('base64url');
    const claim = await claimFolder(paths, {
      token,
      control: {
        report: () => report && { ...report, now: (stack?.now() ?? new Date()).toISOString() },
        advanceClock,
      },
    });
    cleanup.add(claim);

    const keys = await keysOf(paths, io.randomBytes);
    const settings = await settingsOf(paths);
    cleanup.add(GIVEN_PORTS);
    const ports = {
      proxy: await freePort(settings.proxyPort),
      sandbox: await freePort(settings.sandboxPort),
      relay: await freePort(settings.relayPort),
    };
    const remembered = { ...settings, proxyPort: ports.proxy, sandboxPort: ports.sandbox, relayPort: ports.relay };
    await saveSettings(paths, remembered);
    // Once moved, the time of this folder stays moved: it never goes back.
    offsetMs = settings.clockOffsetMs ?? 0;
    const hasClock = flags.clock === true || offsetMs > 0;
    const sitePort = await choosePort(flags.port, command.length > 0);
    const siteUrl = `http://${LOOPBACK}:${sitePort}`;
    const forwardTo = toForwardAddress(flags.forwardTo, siteUrl);

    // Before anything starts: a live key in the file ends the command.
    const variables = {
      SITE_URL: siteUrl,
      INNKEEP_ENDPOINT: `http://${LOOPBACK}:${ports.proxy}`,
      INNKEEP_SECRET_KEY: keys.merchantKey,
      INNKEEP_WEBHOOK_SECRET: keys.webhookSecret,
    };
    await writeEnvLocal(io.cwd, variables);
    // Imported here, so that no other command waits for it to load.
    const { startLocalStack } = await import('./local-stack.ts');
    if (stopping.signal.aborted) return EXIT.ok;
    stack = await startLocalStack({
      clockOffsetMs: hasClock ? offsetMs : undefined,
      hotelName: flags.name,
      ...{ paths, keys, ports, forwardTo, siteUrl, print, cleanup, scopes: flags.scope },
      fetch: io.fetch,
      randomBytes: io.randomBytes,
      onProxyLine: (line) => {
        const text = proxyLogLine(line);
        if (text !== undefined) print(text);
      },
    });
    const { proxyUrl, sandboxUrl } = stack;
    report = { pid: process.pid, proxyUrl, sandboxUrl, now: '', hasClock };
    const logFile = relative(io.cwd, paths.proxyLog);
    const start: DevFacts = {
      ...{ siteUrl, stack, forwardTo, logFile },
      envFile: ENV_LOCAL,
      hasCommand: command.length > 0,
      clock: hasClock ? stack.now() : undefined,
    };
    void io.writeOut(`${(context.isJson ? devJson : devBanner)(start)}\n`);
    if (stopping.signal.aborted) return EXIT.ok;
    const stopped = once(stopping.signal, 'abort').then(() => EXIT.ok);
    const proxyLost = stack.proxyExited.then((how): number => {
      if (stopping.signal.aborted) return EXIT.ok;
      throw failure('proxy_stopped', `The proxy’s runtime stopped (${how}).`, `Look in its log: ${logFile}`);
    });
    const ends = [stopped, proxyLost];
    if (command.length > 0) {
      // Some shells have a HOST of their own, where nobody would look for the site.
      const env = { ...io.env, ...variables, HOST: LOOPBACK, PORT: String(sitePort) };
      const site = startSite(command, { cwd: io.cwd, env });
      cleanup.add(site);
      ends.push(site.ended);
    }
    const code = await Promise.race(ends);
    // Ctrl-C reaches the site and the runtime at the same time; it does not matter which ends first.
    return stopping.signal.aborted ? EXIT.ok : code;
  }
}

/** The site’s port: the requested one, else the usual one. A command gets the next free one. @throws `usage` */
async function choosePort(wanted: number | undefined, hasCommand: boolean): Promise<number> {
  if (!hasCommand) return wanted ?? DEFAULT_SITE_PORT;
  if (wanted === undefined) return freePortFrom(DEFAULT_SITE_PORT);
  if (await isPortFree(wanted)) return wanted;
  throw new CliError(
    'port_in_use',
    `Port ${wanted} is in use. Stop what listens there, or choose another one with --port.`,
    {
      exitCode: EXIT.usage,
    },
  );
}

/** The address of the site’s webhook route; a path is below the site. @throws `usage` */
function toForwardAddress(text: string | undefined, siteUrl: string): string | undefined {
  if (text === undefined) return undefined;
  const address = /^\d{1,5}(\/|$)/.test(text) ? `http://127.0.0.1:${text}` : text;
  const url = URL.canParse(address, siteUrl) ? new URL(address, siteUrl) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url.href;
  throw usageError(
    `--forward-to ${text} is not an address.`,
    'Write http://127.0.0.1:3000/hooks, or a path of your site: /hooks',
  );
}
