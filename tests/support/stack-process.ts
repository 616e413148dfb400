import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DemoSecrets } from '../../scripts/demo-property.ts';
import { freePort } from '../../scripts/launch.ts';
import type { StackOptions } from '../../scripts/stack.ts';
import { startProgram } from './program.ts';

/** Demo, proxy and sandbox running in a process of their own. */
export type StackProcess = Awaited<ReturnType<typeof startStackProcess>>;

interface StackProcessOptions {
  readonly secrets?: Partial<DemoSecrets>;
  /** Told the sandbox's port, answers with the address the proxy shall use instead. */
  readonly upstream?: (sandboxPort: number) => Promise<string>;
}

/** Starts the stack on free ports and waits until it serves. */
export async function startStackProcess(options: StackProcessOptions = {}) {
  const [demoPort, proxyPort, sandboxPort] = [await freePort(), await freePort(), await freePort()];
  const dataDir = await mkdtemp(join(tmpdir(), 'innkeep-e2e-'));
  const secrets = { merchantKey: `sk_test_${'e2e'.repeat(12)}`, ...options.secrets };
  const upstreamUrl = await options.upstream?.(sandboxPort);
  const stack: StackOptions = {
    ...{ demoPort, proxyPort, sandboxPort, dataDir, secrets },
    ...(upstreamUrl !== undefined && { upstreamUrl }),
  };
  const script = fileURLToPath(new URL('./run-stack.ts', import.meta.url));
  const { child, output, stop } = startProgram(process.execPath, [script, JSON.stringify(stack)]);
  while (!output().includes('stack is up')) {
    if (child.exitCode !== null) throw new Error(`The stack did not start:\n${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    demoUrl: `http://127.0.0.1:${demoPort}`,
    proxyUrl: `http://127.0.0.1:${proxyPort}`,
    sandboxUrl: `http://127.0.0.1:${sandboxPort}`,
    merchantKey: secrets.merchantKey,
    /** The proxy's storage and configuration. */
    dataDir,
    output,
    async stop(): Promise<void> {
      await stop('SIGTERM');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
