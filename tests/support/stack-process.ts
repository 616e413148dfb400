import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DemoSecrets } from '../../scripts/demo-property.ts';
import { freePort } from '../../scripts/launch.ts';

/** Demo, proxy and sandbox running in a process of their own. */
export interface StackProcess {
  readonly demoUrl: string;
  readonly proxyUrl: string;
  readonly sandboxUrl: string;
  readonly merchantKey: string;
  /** The proxy's storage and configuration. */
  readonly dataDir: string;
  /** All that the three have printed so far. */
  output(): string;
  stop(): Promise<void>;
}

export interface StackProcessOptions {
  readonly secrets?: Partial<DemoSecrets>;
  /** Told the sandbox's port, answers with the address the proxy shall use instead. */
  readonly upstream?: (sandboxPort: number) => Promise<string>;
}

/** Starts the stack on free ports and waits until it serves. */
export async function startStackProcess(options: StackProcessOptions = {}): Promise<StackProcess> {
  const [demoPort, proxyPort, sandboxPort] = [await freePort(), await freePort(), await freePort()];
  const dataDir = await mkdtemp(join(tmpdir(), 'innkeep-e2e-'));
  const secrets = { merchantKey: `sk_test_${'e2e'.repeat(12)}`, ...options.secrets };
  const upstreamUrl = await options.upstream?.(sandboxPort);
  const child = spawn(process.execPath, [fileURLToPath(new URL('./run-stack.ts', import.meta.url))], {
    stdio: 'pipe',
  });
  child.stdin.end(JSON.stringify({ demoPort, proxyPort, sandboxPort, dataDir, upstreamUrl, secrets }));
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => lines.push(chunk));
  }
  const output = (): string => lines.join('');
  await untilUp(child, output);
  return {
    demoUrl: `http://127.0.0.1:${demoPort}`,
    proxyUrl: `http://127.0.0.1:${proxyPort}`,
    sandboxUrl: `http://127.0.0.1:${sandboxPort}`,
    merchantKey: secrets.merchantKey,
    dataDir,
    output,
    async stop() {
      if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function untilUp(child: ChildProcess, output: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', () => {
      if (output().includes('stack is up')) resolve();
    });
    child.once('exit', () => reject(new Error(`The stack did not start:\n${output()}`)));
  });
}
