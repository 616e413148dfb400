/** Payment service, proxy and one hotel on this machine. Only `innkeep dev` loads it: other commands need none of it. */

import { createWriteStream } from 'node:fs';
import { type PropertyInput, SCOPES, type Scope } from '@innkeep/core/contract';
import { createMerchantClient } from '@innkeep/core/merchant';
import { serveProxy } from '@innkeep/edge-proxy/serve';
import { createSandbox, type MagicRow, serveSandbox } from '@innkeep/sandbox';
import { setEnvValue, writePrivateFile } from '../property/env-file.ts';
import { sha256Of } from '../property/secrets.ts';
import type { Cleanup } from './cleanup.ts';
import type { DevKeys, DevPaths } from './dev-folder.ts';
import { restoreSandbox } from './saved-sandbox.ts';
import { serveRelay } from './webhook-relay.ts';

export interface LocalStackOptions {
  readonly paths: DevPaths;
  readonly keys: DevKeys;
  /** What the site's key may do. */
  readonly scopes: readonly Scope[];
  readonly ports: { readonly proxy: number; readonly sandbox: number; readonly relay: number };
  /** How far the time is ahead; undefined: the stack keeps the real time. */
  readonly clockOffsetMs: number | undefined;
  readonly forwardTo: string | undefined;
  /** Where the site is, which may have a desk for its staff. */
  readonly siteUrl: string;
  /** @default Hotel Aurora */
  readonly hotelName: string | undefined;
  readonly fetch: typeof fetch;
  readonly randomBytes: (length: number) => Uint8Array;
  readonly print: (line: string) => void;
  /** Called with each line that the proxy writes into its log. */
  readonly onProxyLine: (line: string) => void;
  /** Gets each part as soon as it runs. */
  readonly cleanup: Cleanup;
}

export interface LocalStack {
  readonly proxyUrl: string;
  readonly sandboxUrl: string;
  readonly magic: readonly MagicRow[];
  /** Resolves once the proxy’s runtime has ended, with how: `signal SIGKILL`. */
  readonly proxyExited: Promise<string>;
  /** The time of sandbox and proxy. */
  now(): Date;
  /** Sets how far it is ahead of the real time, in milliseconds. */
  moveClock(offsetMs: number): Promise<void>;
}

/** Starts the three. The one that the others need comes first. */
export async function startLocalStack(options: LocalStackOptions): Promise<LocalStack> {
  const { paths, keys, ports, print, cleanup } = options;
  const { username, password, apiKey } = keys;
  let offsetMs = options.clockOffsetMs ?? 0;
  const now = (): Date => new Date(Date.now() + offsetMs);
  const seed = Buffer.from(options.randomBytes(12)).toString('hex');
  const saved = await restoreSandbox(
    createSandbox,
    { username, password, apiKey, seed, now },
    {
      file: paths.sandboxState,
      onError: () =>
        print(`The sandbox could not be saved in ${paths.folder}; payments made now may be unknown after a restart.`),
    },
  );
  cleanup.add(saved);
  const sandbox = await serveSandbox({ port: ports.sandbox, sandbox: saved.sandbox });
  cleanup.add(sandbox);

  const proxyUrl = `http://127.0.0.1:${ports.proxy}`;
  const staff = createMerchantClient({ endpoint: proxyUrl, secretKey: keys.staffKey, fetch: options.fetch });
  const relay = await serveRelay({
    port: ports.relay,
    path: `/${keys.hookPath}`,
    forwardTo: options.forwardTo,
    signAgainWith: options.clockOffsetMs === undefined ? undefined : keys.webhookSecret,
    redeliver: (event) => staff.events.redeliver(event),
    fetch: options.fetch,
    print,
  });
  cleanup.add(relay);

  const property = devProperty(options, { sandboxUrl: sandbox.url, hookUrl: relay.url });
  const values = { PUBLIC_URL: proxyUrl, SEALING_KEYS: keys.sealingKey, PROPERTY_DEV: property };
  let environment = '';
  for (const [name, value] of Object.entries(values)) ({ text: environment } = setEnvValue(environment, name, value));
  await writePrivateFile(paths.proxyEnv, environment);
  await writePrivateFile(paths.staffKey, `${keys.staffKey}\n`);
  const log = createWriteStream(paths.proxyLog, { mode: 0o600 });
  // Without a listener, a full disk or a missing folder would end everything.
  log.on('error', () => undefined);
  cleanup.add({ close: () => new Promise((done) => void log.end(done)) });
  const proxy = await serveProxy({
    port: ports.proxy,
    envFile: paths.proxyEnv,
    dataDir: paths.proxyData,
    ...(options.clockOffsetMs !== undefined && { clock: { offsetMs } }),
    onLine: (line) => {
      log.write(`${line}\n`);
      options.onProxyLine(line);
    },
  });
  cleanup.add(proxy);
  return {
    proxyUrl,
    sandboxUrl: sandbox.url,
    magic: sandbox.sandbox.control.magic().rows,
    proxyExited: proxy.exited,
    now,
    async moveClock(wanted) {
      // The sandbox moves first: whatever the proxy then asks about has happened by then.
      offsetMs = wanted;
      await proxy.moveClock(wanted);
    },
  };
}

/** The hotel: it accepts pages of this machine and its network, on any port. */
function devProperty(
  { keys, scopes, siteUrl, hotelName = 'Hotel Aurora' }: LocalStackOptions,
  { sandboxUrl, hookUrl }: { readonly sandboxUrl: string; readonly hookUrl: string },
): PropertyInput {
  const { merchantKey, staffKey, webhookSecret, username, password, apiKey } = keys;
  return {
    displayName: hotelName,
    livemode: false,
    baseUrl: sandboxUrl,
    customerId: '1234',
    username,
    password,
    hotelID: '1',
    hotelIDType: 'SANDBOX_PMS',
    user: 'web',
    timeZone: 'Europe/Vienna',
    amountUnit: 'minor',
    providerDirect: 'SANDBOX_DIRECT',
    providerHosted: 'SANDBOX_HOSTED',
    origins: [],
    localOrigins: true,
    deskOrigins: [siteUrl],
    merchantKeys: [
      { id: 'dev', sha256: sha256Of(merchantKey), scopes: [...scopes] },
      { id: 'staff', sha256: sha256Of(staffKey), scopes: SCOPES.filter((scope) => scope !== 'moto') },
    ],
    webhooks: [{ url: hookUrl, secret: webhookSecret }],
    gateway: { apiKey, allow: ['RMS/keepalivereq', 'RMS/roomreq'] },
    surcharge: true,
  };
}
