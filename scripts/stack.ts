// Prevents: a demo and a test that start the three servers in two different ways, so that one works and the other does not.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serveProxy } from '@innkeep/edge-proxy/serve';
import { serveDemo } from '../apps/demo/dist/serve.js';
import { createLocalWirePanel } from '../apps/demo/dist/wire-panel/local-wire-panel.js';
import { createSandbox, type MagicRow, serveSandbox } from '../packages/sandbox/dist/index.js';
import { type DemoSecrets, demoProperty, makeDemoSecrets } from './demo-property.ts';
import { freePort } from './launch.ts';

/** What the demo hotel and its services run with. Every secret is made up anew unless a test brings marker values. */
export interface StackOptions {
  readonly demoPort: number;
  readonly proxyPort: number;
  readonly sandboxPort: number;
  /** Where the proxy keeps its storage and its configuration file. Made when it is not there. */
  readonly dataDir: string;
  /** Where the proxy finds its upstream. A test may put a recorder in between. @default the sandbox itself */
  readonly upstreamUrl?: string;
  readonly secrets?: Partial<DemoSecrets>;
  /** Hears of every request for a page of the documentation. */
  readonly onDocs?: () => void;
}

export interface Stack {
  readonly demoUrl: string;
  readonly proxyUrl: string;
  readonly sandboxUrl: string;
  readonly merchantKey: string;
  /** Every input that makes the sandbox misbehave, and what it then does. */
  readonly magicInputs: readonly MagicRow[];
  /** How the proxy's runtime ended, once it has. */
  readonly proxyExited: Promise<string>;
  /** Stops all three, the last started first. */
  close(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';

/** Starts sandbox, proxy and demo hotel, in this order, on loopback. What was started is stopped again when a later one fails. */
export async function startStack(options: StackOptions): Promise<Stack> {
  // Made up for each run: that they are nowhere in what a browser received can then be no accident.
  const secrets: DemoSecrets = { ...makeDemoSecrets(), ...options.secrets };
  const demoUrl = `http://${LOOPBACK}:${options.demoPort}`;
  const proxyUrl = `http://${LOOPBACK}:${options.proxyPort}`;
  const running: Array<() => Promise<void>> = [];
  const close = async (): Promise<void> => {
    for (const stop of running.splice(0).reverse()) await stop();
  };

  try {
    const { username, password, apiKey, merchantKey } = secrets;
    const simulator = createSandbox({ username, password, apiKey });
    const { control, fetch } = simulator;
    const { wirePanel, recordSandbox, serveRecordedProxy } = createLocalWirePanel({
      sandboxUrl: `http://${LOOPBACK}:${options.sandboxPort}`,
      secrets: Object.values(secrets),
    });
    const sandbox = await serveSandbox({
      port: options.sandboxPort,
      sandbox: { ...simulator, fetch: recordSandbox(fetch) },
    });
    running.push(() => sandbox.close());

    await mkdir(options.dataDir, { recursive: true });
    const envFile = join(options.dataDir, 'proxy.env');
    const property = demoProperty({ secrets, demoUrl, upstreamUrl: options.upstreamUrl ?? sandbox.url });
    await writeFile(envFile, `PUBLIC_URL=${proxyUrl}\nPROPERTY_AURORA='${JSON.stringify(property)}'\n`, {
      mode: 0o600,
    });
    // Nothing of ours can run inside the proxy's runtime, so what records for the panel listens on the proxy's port in its place.
    const targetPort = await freePort();
    const proxy = await serveProxy({
      port: targetPort,
      envFile,
      dataDir: join(options.dataDir, 'storage'),
      // The desk keys in the cards of telephone bookings.
      moto: true,
      onLine: (line) => console.log(line),
    });
    running.push(() => proxy.close());
    const recordedProxy = await serveRecordedProxy({ port: options.proxyPort, targetPort });
    running.push(() => recordedProxy.close());

    const demo = await serveDemo({
      port: options.demoPort,
      publicUrl: demoUrl,
      proxyUrl,
      merchantKey,
      motoKey: secrets.motoKey,
      webhookSecret: secrets.webhookSecret,
      portalUrl: `${sandbox.url}/__sandbox/ledger`,
      wirePanel,
      onDocs: options.onDocs,
    });
    running.push(() => demo.close());

    const magicInputs = control.magic().rows;
    return { demoUrl, proxyUrl, sandboxUrl: sandbox.url, merchantKey, magicInputs, proxyExited: proxy.exited, close };
  } catch (error) {
    await close();
    throw error;
  }
}
