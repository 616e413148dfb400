import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningProxy, serveProxy } from '@innkeep/edge-proxy/serve';
import { type Sandbox, type ServedSandbox, serveSandbox } from '@innkeep/sandbox';
import { expect } from 'vitest';
import { freePort } from '../../scripts/launch.ts';
import { serveInnkeep } from '../cli/innkeep-for-shells.ts';
import { type InnkeepRun, runCommandLine, runInnkeep } from '../cli/run-innkeep.ts';
import { LOGIN } from '../cli/sandbox-hotel.ts';
import { askProxy } from '../support/ask-proxy.ts';
import { hotelAt } from '../support/sandbox-hotel.ts';
import { startPrometheus } from './prometheus.ts';

/** So much later is what happens exported at once. */
export const EXPORT_MINUTES = 11 / 60;
const SCOPES = 'properties read checkout charges resolutions events audit';

interface Call {
  readonly secret: string;
  readonly body?: object;
  /** Its address. */
  readonly from?: string | undefined;
}

export type Deployment = Awaited<ReturnType<typeof deploy>>;

/** A proxy with one hotel in its directory, the payment service, Prometheus, and the shell of whoever is on call. */
export async function deploy() {
  const folder = await mkdtemp(join(tmpdir(), 'innkeep-on-call-'));
  const [port, paymentsPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const log: string[] = [];
  let offsetMs = 0;
  const prometheus = await startPrometheus(folder);
  let payments: ServedSandbox;
  let proxy: RunningProxy | undefined;
  const innkeep = await serveInnkeep(join(folder, 'innkeep'));

  /** Runs a command that is no part of a page. */
  async function prepare(words: string, env: Readonly<Record<string, string>>): Promise<{ secretKey: string }> {
    const run = await runInnkeep([...words.split(' '), '--json'], { env, cwd: folder });
    expect([run.exitCode, run.exitCode === 0 ? '' : run.stderr]).toEqual([0, '']);
    const { platformKey, merchantKey = platformKey } = JSON.parse(run.stdout);
    return merchantKey;
  }

  const deployment = {
    prometheus,
    log,
    /** The key of the hotel's server. */
    secretKey: '',
    now: (): number => Date.now() + offsetMs,
    async pass(minutes: number): Promise<void> {
      offsetMs += minutes * 60_000;
      await proxy?.moveClock(offsetMs);
    },
    /** Runs the commands of a page. */
    run(commands: string, more: Readonly<Record<string, string>> = {}): Promise<InnkeepRun> {
      const args = ['--norc', '-euo', 'pipefail', '-c', commands.replaceAll('https://pay.hotel.example', url)];
      const variables = { ...env, ...more, PATH: `${folder}:${process.env.PATH}` };
      return runCommandLine('bash', args, { env: variables, cwd: folder });
    },
    /** Calls the proxy, with a key or a guest's secret. */
    call: (path: string, { secret, body, from = '198.51.100.7' }: Call): Promise<Response> =>
      askProxy(`${url}${path}`, secret, { body, key: crypto.randomUUID(), headers: { 'x-real-ip': from } }),
    async start(): Promise<{ readonly session: string; readonly clientSecret: string; readonly response: Response }> {
      const amount = { value: 12_000, currency: 'EUR' };
      const body = { kind: 'payment', amount, reference: crypto.randomUUID() };
      const create = (): Promise<Response> =>
        deployment.call('/v1/checkout-sessions', { secret: deployment.secretKey, body });
      let created = await create();
      // As every server does: a machine that has no time may need longer than the proxy waits for its own parts.
      while (created.status === 503) created = await create();
      const { id, clientSecret, ...rest } = (await created.json()) as { id: string; clientSecret: string };
      expect(created.status, JSON.stringify(rest)).toBe(201);
      await deployment.pass(EXPORT_MINUTES);
      const options = { secret: clientSecret, body: { presentation: 'redirect', terms: 1 } };
      return { session: id, clientSecret, response: await deployment.call('/v1/checkout/start', options) };
    },
    stopPayments: (): Promise<void> => payments.close(),
    /** @param sandbox another one in its place */
    async servePayments(sandbox: Sandbox = payments.sandbox): Promise<void> {
      payments = await serveSandbox({ port: paymentsPort, sandbox });
    },
    get payments(): Sandbox {
      return payments.sandbox;
    },
    async stopProxy(): Promise<void> {
      await proxy?.close();
      proxy = undefined;
    },
    async serveProxy(): Promise<void> {
      proxy = await serveProxy({
        ...{ port, envFile: join(folder, '.dev.vars'), dataDir: join(folder, 'data'), clock: { offsetMs } },
        onLine: (line) => log.push(line),
      });
    },
    async close(): Promise<void> {
      innkeep.close();
      await proxy?.close();
      await payments?.close().catch(() => undefined);
      prometheus.close();
      await rm(folder, { recursive: true, force: true });
    },
  };

  payments = await serveSandbox({ port: paymentsPort });
  await writeFile(join(folder, 'hotel.json'), JSON.stringify(hotelAt(payments.url)));
  const { secretKey: platformKey } = await prepare(`platform add alpine --name Alpine --scope ${SCOPES}`, {});
  const settings = `OTEL_EXPORTER_OTLP_ENDPOINT=${prometheus.url}\nCLIENT_ADDRESS_HEADER=x-real-ip\n`;
  await appendFile(join(folder, '.dev.vars'), settings);
  const env = { INNKEEP_ENDPOINT: url, INNKEEP_PLATFORM_KEY: platformKey };
  await deployment.serveProxy();
  const add = 'hotel add aurora --from hotel.json --directory --scope checkout charges events';
  deployment.secretKey = (await prepare(add, { ...env, ...LOGIN })).secretKey;
  return deployment;
}
