// The Worker entry in the real runtime, bundled as people would deploy it.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createSandbox } from '@innkeep/sandbox';
import { build } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';
import { Caller } from '../../packages/sandbox/test-support/caller.ts';
import { ownFolder } from '../support/own-folder.ts';
import { serveWorker } from '../support/workerd.ts';

const OBJECT = `bindings = [(name = "SANDBOX", durableObjectNamespace = "SandboxObject")],
  durableObjectNamespaces = [(className = "SandboxObject", uniqueKey = "sandbox")],
  durableObjectStorage = (inMemory = void),`;

const folder = ownFolder();
await build({
  entryPoints: [createRequire(import.meta.url).resolve('@innkeep/sandbox/worker')],
  bundle: true,
  format: 'esm',
  outfile: join(folder, 'worker.js'),
  logLevel: 'error',
});

it.each([
  ['in one isolate', ''],
  ['in a Durable Object', OBJECT],
])('runs as a Worker %s', async (_where, bindings) => {
  const { url, stop } = await serveWorker(folder, bindings);
  onTestFinished(stop);
  const caller = new Caller({ sandbox: createSandbox(), origin: url });
  await caller.login();
  const { json: init } = await caller.initpay();
  expect((await caller.submit(init.viewUrl)).status).toBe(303);
  expect((await caller.get(init.stateRetrivalUrl)).json.state).toBe(1);
  // The connection cannot be broken there: the answer breaks off instead.
  await expect(caller.pay({ tokenNo: await caller.token(), amount: '6612' })).rejects.toThrow(TypeError);
  expect((await caller.get<{ charges: unknown[] }>('/__sandbox/ledger')).json.charges).toHaveLength(2);
});
