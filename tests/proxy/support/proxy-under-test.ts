import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { type RunningProxy, serveProxy } from '@innkeep/edge-proxy/serve';
import { serveSandbox } from '../../../packages/sandbox/dist/index.js';
import { freePort } from '../../../scripts/launch.ts';
import { askProxy } from '../../support/ask-proxy.ts';
import { hotelAt, SANDBOX_LOGIN } from '../../support/sandbox-hotel.ts';
import { serveHttp } from '../../support/serve-http.ts';

/** The hotel's key in these tests. */
export const MERCHANT_KEY = `sk_test_${'blackbox'.repeat(4)}`;

/** Any JSON object. */
export type Json = Record<string, unknown>;

/** An event as a webhook brought it. */
export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly seq: number;
  readonly data: { readonly object: Json };
}

/** Sandbox, webhook receiver and the proxy between them, the proxy under `workerd serve` on storage of its own. */
export interface ProxyUnderTest {
  readonly url: string;
  readonly dataDir: string;
  readonly port: number;
  readonly received: readonly ReceivedEvent[];
  /** Called when a webhook arrives, before it is answered. */
  onWebhook: (event: ReceivedEvent) => Promise<void> | void;
  /** Ends the runtime at once, as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again on the same storage, with a clock that is so far ahead if it is given one. */
  restart(clock?: { readonly offsetMs: number }): Promise<void>;
  merchant(path: string, options?: { body?: unknown; key?: string }): Promise<Response>;
  guest(path: string, clientSecret: string, body?: unknown): Promise<Response>;
  sandbox(path: string, body?: unknown): Promise<Json>;
  close(): Promise<void>;
}

/** Starts everything on free ports. */
export async function startProxyUnderTest(): Promise<ProxyUnderTest> {
  const sandbox = await serveSandbox({ port: await freePort() });
  const received: ReceivedEvent[] = [];
  const root = await mkdtemp(join(tmpdir(), 'innkeep-proxy-'));
  const [envFile, dataDir, port] = [join(root, 'proxy.env'), join(root, 'data'), await freePort()];
  let proxy: RunningProxy;
  const receiver = await serveHttp(async (request, answer) => {
    const event = (await json(request)) as ReceivedEvent;
    received.push(event);
    await under.onWebhook(event);
    answer.writeHead(204).end();
  });
  await writeFile(envFile, environment(sandbox.url, `${receiver.url}/hooks`));

  const under: ProxyUnderTest = {
    url: `http://127.0.0.1:${port}`,
    dataDir,
    port,
    received,
    onWebhook: () => {},
    async kill() {
      process.kill(proxy.pid, 'SIGKILL');
      await proxy.close();
    },
    async restart(clock) {
      proxy = await serveProxy({ port, envFile, dataDir, ...(clock && { clock }) });
    },
    merchant: (path, call) => askProxy(`${under.url}${path}`, MERCHANT_KEY, call),
    guest: (path, clientSecret, body) => askProxy(`${under.url}${path}`, clientSecret, { body }),
    async sandbox(path, body) {
      const answer = await fetch(`${sandbox.url}/__sandbox/${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
      return (await answer.json()) as Json;
    },
    async close() {
      await proxy.close();
      await sandbox.close();
      receiver.close();
      await rm(root, { recursive: true, force: true });
    },
  };
  await under.restart();
  return under;
}

/** One usable hotel in `.dev.vars` form. */
export function environment(upstreamUrl: string, webhookUrl?: string): string {
  const property = {
    ...hotelAt(upstreamUrl),
    ...SANDBOX_LOGIN,
    merchantKeys: [
      { id: 'web', sha256: createHash('sha256').update(MERCHANT_KEY).digest('hex'), scopes: ['checkout', 'events'] },
    ],
    ...(webhookUrl === undefined
      ? {}
      : {
          webhooks: [
            { url: webhookUrl, secret: `whsec_${Buffer.from('a-webhook-secret-of-tests').toString('base64')}` },
          ],
        }),
  };
  return `PROPERTY_AURORA='${JSON.stringify(property)}'\n`;
}
