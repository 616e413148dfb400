import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningProxy, serveProxy } from '@innkeep/edge-proxy/serve';
import { createSandbox } from '@innkeep/sandbox';
import { freePort } from '../../scripts/launch.ts';
import { askProxy, type Call } from './ask-proxy.ts';
import { type Fault, startFaultyUpstream } from './faulty-upstream.ts';
import { hotelAt, SANDBOX_LOGIN, storeCard } from './sandbox-hotel.ts';

export type Json = Record<string, unknown>;

/** An answer of the proxy; `lost` when there was none. */
export interface Answer {
  readonly status: number | 'lost';
  readonly headers: Headers;
  readonly body: Json;
}

/** The sandbox with faults, and a proxy that can be killed. */
export type MoneyStack = Awaited<ReturnType<typeof startMoneyStack>>;

const MERCHANT_KEY = 'sk_test_storm_storm_storm_storm';

/** Starts both on free ports. `property`: what this hotel has beyond the ordinary. */
export async function startMoneyStack(
  options: {
    readonly faultOf?: (operation: 'pay' | 'reversal', body: Readonly<Record<string, string>>) => Fault;
    readonly moto?: boolean;
    readonly property?: Json;
    /** What the hotel's key may do; without it everything but desks. */
    readonly scopes?: readonly string[];
    readonly upstreamUrl?: string;
  } = {},
) {
  const sandbox = createSandbox();
  const upstream = await startFaultyUpstream(sandbox, options.faultOf ?? (() => 'none'));
  const dataDir = await mkdtemp(join(tmpdir(), 'innkeep-money-'));
  const envFile = join(dataDir, 'proxy.env');
  const property = propertyConfiguration(options.upstreamUrl ?? upstream.url, options.property ?? {}, options.scopes);
  await writeFile(envFile, `PROPERTY_STORM='${JSON.stringify(property)}'\n`, { mode: 0o600 });
  const port = await freePort();
  const proxyUrl = `http://127.0.0.1:${port}`;
  const lines: string[] = [];
  let proxy: RunningProxy;
  /** Starts it again on the same storage, with a clock that is so far ahead if it is given one. */
  const restart = async (clock?: { readonly offsetMs: number }): Promise<void> => {
    proxy = await serveProxy({
      ...{ port, envFile, dataDir: join(dataDir, 'storage'), moto: options.moto === true },
      ...(clock && { clock }),
      onLine: (line) => lines.push(line),
    });
  };
  await restart();
  const kills: number[] = [];
  /** Ends the runtime at once, as a power cut would. */
  const kill = async (): Promise<void> => {
    kills.push(Date.now());
    process.kill(proxy.pid, 'SIGKILL');
    await proxy.close();
  };
  let restarting: Promise<void> = Promise.resolve();
  return {
    sandbox,
    upstream,
    proxyUrl,
    /** The hotel's key, with every scope. */
    merchantKey: MERCHANT_KEY,
    dataDir,
    /** Everything the proxy has printed, in all its lives. */
    output: () => lines.join('\n'),
    /** Instants of kills. */
    kills,
    /** A merchant's call, or that of whoever has another bearer. Never throws: a proxy that is down is an answer, too. */
    async call(path: string, how: Call & { readonly bearer?: string } = {}): Promise<Answer> {
      const { bearer = MERCHANT_KEY, ...call } = how;
      try {
        const response = await askProxy(`${proxyUrl}${path}`, bearer, call);
        return { status: response.status, headers: response.headers, body: (await response.json()) as Json };
      } catch {
        return { status: 'lost', headers: new Headers(), body: {} };
      }
    },
    storeCard: (cardNo?: string): Promise<string> => storeCard(sandbox, cardNo),
    kill,
    restart,
    /** Both, one after the other also when several ask for it: a runtime that is not there yet cannot be killed. */
    killAndRestart(): Promise<void> {
      restarting = restarting.then(kill).then(() => restart());
      return restarting;
    },
    async close(): Promise<void> {
      await restarting;
      await proxy.close();
      upstream.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Asks until the condition holds; fails with what was seen last. */
export async function until<Value>(
  ask: () => Promise<Value>,
  holds: (value: Value) => boolean,
  limitMs = 100_000,
): Promise<Value> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const value = await ask();
    if (holds(value)) return value;
    if (Date.now() > deadline) throw new Error(`Waited ${limitMs} ms; last seen: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Runs jobs, so many at a time; their results in the order of the jobs. */
export async function inParallel<Result>(limit: number, jobs: readonly (() => Promise<Result>)[]): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = jobs.entries();
  const work = async (): Promise<void> => {
    for (const [nth, job] of waiting) results[nth] = await job();
  };
  await Promise.all(Array.from({ length: limit }, work));
  return results;
}

const SCOPES = ['read', 'checkout', 'charges', 'reversals', 'resolutions', 'tokens', 'gateway', 'moto', 'events'];

function propertyConfiguration(baseUrl: string, more: Json, scopes: readonly string[] = SCOPES): Json {
  const sha256 = createHash('sha256').update(MERCHANT_KEY).digest('hex');
  return { ...hotelAt(baseUrl), ...SANDBOX_LOGIN, merchantKeys: [{ id: 'test', sha256, scopes }], ...more };
}
