// The Worker entry in the real runtime, bundled as people would deploy it.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandbox } from '@innkeep/sandbox';
import { build } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';
import { Caller } from '../../packages/sandbox/test-support/caller.ts';

const CONFIG = (bindings: string): string => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "sandbox", worker = .sandbox)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "sandbox")],
);
const sandbox :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "2026-09-01",
  ${bindings}
);
`;
const OBJECT = `bindings = [(name = "SANDBOX", durableObjectNamespace = "SandboxObject")],
  durableObjectNamespaces = [(className = "SandboxObject", uniqueKey = "sandbox")],
  durableObjectStorage = (inMemory = void),`;

function workerdPath(): string {
  const fromProxy = createRequire(new URL('../../packages/edge-proxy/package.json', import.meta.url));
  const fromWorkerd = createRequire(fromProxy.resolve('workerd/package.json'));
  const arch = process.arch === 'x64' ? '64' : process.arch;
  return fromWorkerd.resolve(
    `@cloudflare/workerd-${process.platform === 'win32' ? 'windows' : process.platform}-${arch}/bin/workerd`,
  );
}

async function startWorker(bindings: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'innkeep-sandbox-'));
  const entry = createRequire(import.meta.url).resolve('@innkeep/sandbox/worker');
  await build({
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    outfile: join(folder, 'worker.js'),
    logLevel: 'error',
  });
  await writeFile(join(folder, 'config.capnp'), CONFIG(bindings));
  const args = ['serve', '--experimental', '--control-fd=3', join(folder, 'config.capnp')];
  const child = spawn(workerdPath(), args, { stdio: ['ignore', 'inherit', 'inherit', 'pipe'] });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true });
  });
  return `http://127.0.0.1:${await portOf(child)}`;
}

/** The runtime says on its control pipe which port it got. */
async function portOf(child: ChildProcess): Promise<number> {
  const control = child.stdio[3];
  if (control === null || control === undefined || !('on' in control)) throw new Error('no control pipe');
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`workerd stopped with ${code}`)));
    control.on('data', (chunk) => {
      const port = /"event":"listen".*"port":(\d+)/.exec(String(chunk))?.[1];
      if (port !== undefined) resolve(Number(port));
    });
  });
}

it.each([
  ['in one isolate', ''],
  ['in a Durable Object', OBJECT],
])('runs as a Worker %s', async (_where, bindings) => {
  const caller = new Caller({ sandbox: createSandbox(), origin: await startWorker(bindings) });
  await caller.login();
  const { json: init } = await caller.initpay();
  expect((await caller.submit(init.viewUrl)).status).toBe(303);
  expect((await caller.get(init.stateRetrivalUrl)).json.state).toBe(1);
  // The connection cannot be broken there: the answer breaks off instead.
  await expect(caller.pay({ tokenNo: await caller.token(), amount: '6612' })).rejects.toThrow(TypeError);
  expect((await caller.get<{ charges: unknown[] }>('/__sandbox/ledger')).json.charges).toHaveLength(2);
});
