// One smoke suite, the packed package: here where it is deployed to and where servers run. Every other runtime: runtimes.outer.test.ts.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, test } from 'vitest';
import { allOk, type SmokeProject, startSmokeProject } from './smoke-project.ts';
import type { SmokeResults } from './smoke-suite.ts';

let project: SmokeProject;

beforeAll(async () => {
  project = await startSmokeProject();
});
afterAll(() => project?.close());

/** The runtime itself; the command of the package is a wrapper that passes no descriptors on. */
function workerdBinary(): string {
  const fromCore = createRequire(new URL('../../packages/core/package.json', import.meta.url));
  return (fromCore('workerd') as { default: string }).default;
}

test.concurrent('the packed package works on Node 24', async ({ expect }) => {
  expect(process.versions.node).toMatch(/^24\./);
  const results = await project.run('node24', process.execPath);
  expect(results).toEqual(allOk(results));
  expect(Object.keys(results).length).toBeGreaterThan(10);
});

test.concurrent('the packed package works on workerd', async ({ expect }) => {
  const config = [
    'using Workerd = import "/workerd/workerd.capnp";',
    'const config :Workerd.Config = (',
    '  services = [(name = "main", worker = .smoke), (name = "internet", network = (allow = ["private"]))],',
    '  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]);',
    'const smoke :Workerd.Worker = (',
    '  modules = [(name = "worker.js", esModule = embed "worker.js")],',
    '  compatibilityDate = "2026-09-01");',
  ].join('\n');
  await project.write({ 'workerd.capnp': config });
  const workerd = spawn(workerdBinary(), ['serve', 'workerd.capnp', '--control-fd=3'], {
    cwd: project.folder,
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  try {
    const port = await new Promise<number>((resolve, reject) => {
      workerd.once('exit', (code) => reject(new Error(`workerd ended with ${code}`)));
      workerd.stdio[3]?.on('data', (line: Buffer) => {
        const event = JSON.parse(line.toString().split('\n')[0] ?? '') as { event: string; port?: number };
        if (event.event === 'listen' && event.port !== undefined) resolve(event.port);
      });
    });
    const response = await fetch(
      `http://127.0.0.1:${port}/?upstream=${encodeURIComponent(`${project.origin}/workerd`)}`,
    );
    const results = (await response.json()) as SmokeResults;
    expect(results).toEqual(allOk(results));
  } finally {
    workerd.kill('SIGKILL');
  }
});
