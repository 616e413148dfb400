/** The smoke suite in a project with the packed package, and the upstream that it talks to. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { makePackedProject } from '../support/packed-project.ts';
import type { SmokeResults } from './smoke-suite.ts';
import { startSmokeUpstream } from './smoke-upstream.ts';

export type SmokeProject = Awaited<ReturnType<typeof startSmokeProject>>;

const FILES = {
  'cli.mjs':
    "import process from 'node:process';\nimport { runSmoke } from './smoke-suite.mjs';\n" +
    'console.log(JSON.stringify(await runSmoke({ upstream: process.argv[2], runtime: process.argv[3] })));\nprocess.exit(0);\n',
  'worker.mjs':
    "import { runSmoke } from './smoke-suite.mjs';\n" +
    "export default { fetch: async (request) => Response.json(await runSmoke({ upstream: new URL(request.url).searchParams.get('upstream'), runtime: 'workerd' })) };\n",
  'page.mjs':
    "import { runSmoke } from './smoke-suite.mjs';\nglobalThis.runSmoke = runSmoke;\nglobalThis.isReady = true;\n",
  'page.html': '<!doctype html><title>smoke</title><script type="module" src="page.js"></script>',
};

/** The package must be built. */
export async function startSmokeProject() {
  const { folder, write, remove } = await makePackedProject(['core']);
  const inProject = (name: string): string => join(folder, name);
  const common = { format: 'esm', platform: 'neutral', target: 'es2022', logLevel: 'warning' } as const;
  // Runtimes with a module loader resolve the package themselves; the others get a bundle made inside the project.
  const suite = join(import.meta.dirname, 'smoke-suite.ts');
  await build({ ...common, entryPoints: [suite], outfile: inProject('smoke-suite.mjs') });
  await write(FILES);
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
  const upstream = await startSmokeUpstream({ 'page.html': inProject('page.html'), 'page.js': inProject('page.js') });
  return {
    folder,
    /** Address of the upstream, where `/files/page.html` runs the suite in a browser. */
    origin: upstream.url,
    /** Runs the suite as a command; `name` tells runs apart and begins with the runtime's. */
    async run(name: string, command: string, args: readonly string[] = []): Promise<SmokeResults> {
      const runtime = name.replace(/\d+/, '');
      const { stdout } = await promisify(execFile)(command, [...args, 'cli.mjs', `${upstream.url}/${name}`, runtime], {
        cwd: folder,
        env: { ...process.env, DENO_NO_UPDATE_CHECK: '1' },
      });
      return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as SmokeResults;
    },
    async close(): Promise<void> {
      upstream.close();
      await remove();
    },
  };
}

/** What the results are when everything works. */
export function allOk(results: SmokeResults): SmokeResults {
  return Object.fromEntries(Object.keys(results).map((name) => [name, 'ok']));
}
