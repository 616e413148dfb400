// One smoke suite, every runtime, the packed package.
import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { chromium } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM_ARGS, findChromium } from '../../scripts/chromium.ts';
import { installPackedCore, type PackedProject } from '../support/packed-core.ts';
import { installTools } from '../support/toolbox.ts';
import type { SmokeResults } from './smoke-suite.ts';
import { type SmokeUpstream, startSmokeUpstream } from './smoke-upstream.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const run = promisify(execFile);

let project: PackedProject;
let upstream: SmokeUpstream;
/** Commands of the other runtimes. */
let bin: string;

beforeAll(async () => {
  bin = join(await installTools('tests/runtimes/tools'), 'node_modules/.bin');
  project = installPackedCore();
  const suite = join(HERE, 'smoke-suite.ts');
  const inProject = (name: string): string => join(project.folder, name);
  const common = { format: 'esm', platform: 'neutral', target: 'es2022', logLevel: 'warning' } as const;
  // Runtimes with a module loader resolve the package themselves; the others get a bundle made inside the project.
  await build({ ...common, entryPoints: [suite], outfile: inProject('smoke-suite.mjs') });
  writeFileSync(
    inProject('cli.mjs'),
    "import process from 'node:process';\nimport { runSmoke } from './smoke-suite.mjs';\n" +
      'console.log(JSON.stringify(await runSmoke({ upstream: process.argv[2], runtime: process.argv[3] })));\nprocess.exit(0);\n',
  );
  writeFileSync(
    inProject('worker.mjs'),
    "import { runSmoke } from './smoke-suite.mjs';\n" +
      "export default { fetch: async (request) => Response.json(await runSmoke({ upstream: new URL(request.url).searchParams.get('upstream'), runtime: 'workerd' })) };\n",
  );
  writeFileSync(
    inProject('page.mjs'),
    "import { runSmoke } from './smoke-suite.mjs';\nglobalThis.runSmoke = runSmoke;\nglobalThis.isReady = true;\n",
  );
  writeFileSync(
    inProject('page.html'),
    '<!doctype html><title>smoke</title><script type="module" src="page.js"></script>',
  );
  for (const name of ['worker', 'page']) {
    // Entry fields as the bundlers of pages and Workers read them.
    await build({
      ...common,
      mainFields: ['browser', 'module', 'main'],
      bundle: true,
      entryPoints: [inProject(`${name}.mjs`)],
      outfile: inProject(`${name}.js`),
    });
  }
  upstream = await startSmokeUpstream({ 'page.html': inProject('page.html'), 'page.js': inProject('page.js') });
});

afterAll(async () => {
  await upstream?.close();
  project?.remove();
});

/** Runs the suite as a command and reads its results from the last line. */
async function runCommand(name: string, command: string, args: readonly string[]): Promise<SmokeResults> {
  const env = { ...process.env, DENO_NO_UPDATE_CHECK: '1' };
  const { stdout } = await run(command, [...args, 'cli.mjs', `${upstream.origin}/${name}`, name.replace(/\d+/, '')], {
    cwd: project.folder,
    env,
    timeout: 50_000,
  });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as SmokeResults;
}

/** What the results are when everything works. */
function allOk(results: SmokeResults): SmokeResults {
  return Object.fromEntries(Object.keys(results).map((name) => [name, 'ok']));
}

/** The runtime itself; the command of the package is a wrapper that passes no descriptors on. */
function workerdBinary(): string {
  const fromCore = createRequire(new URL('../../packages/core/package.json', import.meta.url));
  return (fromCore('workerd') as { default: string }).default;
}

describe('the packed package', () => {
  it('works on Node 24', async () => {
    expect(process.versions.node).toMatch(/^24\./);
    const results = await runCommand('node24', process.execPath, []);
    expect(results).toEqual(allOk(results));
    expect(Object.keys(results).length).toBeGreaterThan(10);
  });

  it('works on the oldest Node that its engines allow', async ({ skip }) => {
    const oldestNode = join(bin, 'node');
    if (!existsSync(oldestNode)) skip('It is not published for this machine.');
    const { engines } = JSON.parse(
      readFileSync(join(project.folder, 'node_modules/@innkeep/core/package.json'), 'utf8'),
    );
    const { stdout: version } = await run(oldestNode, ['--version']);
    expect(version.trim()).toBe(`${engines.node.replace('>=', 'v')}.0`);
    const results = await runCommand('node22', oldestNode, []);
    expect(results).toEqual(allOk(results));
  });

  it('works on Bun', async () => {
    const results = await runCommand('bun', join(bin, 'bun'), []);
    expect(results).toEqual(allOk(results));
  });

  it('works on Deno', async () => {
    const results = await runCommand('deno', join(bin, 'deno'), ['run', '-A', '--no-lock']);
    expect(results).toEqual(allOk(results));
  });

  it('works on workerd', async () => {
    const config = [
      'using Workerd = import "/workerd/workerd.capnp";',
      'const config :Workerd.Config = (',
      '  services = [(name = "main", worker = .smoke), (name = "internet", network = (allow = ["private"]))],',
      '  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]);',
      'const smoke :Workerd.Worker = (',
      '  modules = [(name = "worker.js", esModule = embed "worker.js")],',
      '  compatibilityDate = "2026-09-01");',
    ].join('\n');
    writeFileSync(join(project.folder, 'workerd.capnp'), config);
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
        `http://127.0.0.1:${port}/?upstream=${encodeURIComponent(`${upstream.origin}/workerd`)}`,
      );
      const results = (await response.json()) as SmokeResults;
      expect(results).toEqual(allOk(results));
    } finally {
      workerd.kill('SIGKILL');
    }
  });

  it('works in Chromium', async () => {
    const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: [...CHROMIUM_ARGS] });
    try {
      const page = await browser.newPage();
      await page.goto(`${upstream.origin}/files/page.html`);
      await page.waitForFunction('globalThis.isReady === true');
      const results = (await page.evaluate(
        `runSmoke({ upstream: ${JSON.stringify(`${upstream.origin}/chromium`)}, runtime: 'chromium' })`,
      )) as SmokeResults;
      expect(results).toEqual(allOk(results));
    } finally {
      await browser.close();
    }
  });
});
