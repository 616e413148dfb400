/** Folders with the sites of the quick starts, made and run the way their reader does it. */
import { chmod, cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { ROOT } from '../../scripts/launch.ts';
import { requirePhp } from '../../scripts/php.ts';
import { makePackedProject, type PackedProject } from '../support/packed-project.ts';
import { type Program, startProgram } from '../support/program.ts';
import { binsFrom } from '../support/toolbox.ts';
import type { QuickStart } from './quick-start.ts';

/** Some are built first, on a machine that may be busy. */
const READY_TIMEOUT_MS = 480_000;

export interface Site {
  /** The booking page. */
  readonly url: string;
  /** Runs what the page leaves running, once; resolves when the site answers. */
  start(): Promise<void>;
  output(): string;
  stop(): Promise<void>;
}

/** Styles of the site itself, which the page's policy has to let in. */
const SITE_CSS = { 'src/site.css': 'body { background: #fefefe; }\n' };

/** What a site has before the quick start adds to it: an application that shows the booking page at every address. */
const SITES_YOU_HAVE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  react: {
    ...SITE_CSS,
    'index.html': indexHtml('/src/main.tsx'),
    'src/main.tsx': `
import './site.css';
import { createElement, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BookingPage } from './booking-page';

const root = createRoot(document.getElementById('app')!);
const show = () => {
  const reference = location.pathname.split('/')[2] ?? '';
  root.render(createElement(StrictMode, null, createElement(BookingPage, { reference })));
};
addEventListener('popstate', show);
show();
`,
  },
  vue: {
    ...SITE_CSS,
    'index.html': indexHtml('/src/main.ts'),
    'src/main.ts': `
import './site.css';
import { createApp } from 'vue';
import BookingPage from './BookingPage.vue';

createApp(BookingPage).mount('#app');
`,
  },
  'next-js': {
    // As create-next-app makes it; the starter has none of it.
    'next.config.ts': 'export default { cacheComponents: true, partialPrefetching: true };\n',
    'app/layout.tsx': `
import type { ReactNode } from 'react';

export const metadata = { title: 'Hotel Aurora', icons: 'data:,' };

export default function Layout({ children }: { children: ReactNode }) {
  return <html lang="en"><body>{children}</body></html>;
}
`,
  },
};

function indexHtml(script: string): string {
  return `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Hotel Aurora</title><link rel="icon" href="data:,"></head>
  <body><div id="app"></div><script type="module" src="${script}"></script></body>
</html>
`;
}

export class SiteFolder {
  readonly #project: PackedProject;
  readonly #commands: readonly string[];
  /** Of the reader. Not around or below the sites: Next.js looks for no workspace that has the reader's home in it. */
  readonly #home: string;

  private constructor(project: PackedProject, commands: readonly string[], home: string) {
    this.#project = project;
    this.#commands = commands;
    this.#home = home;
  }

  /**
   * Packs the packages and unpacks them where the sites find them. They must be built. `below` has the frameworks in its
   * `node_modules`; `commands` are folders with whatever else a quick start asks for.
   */
  static async make(names: readonly string[], below?: string, commands: readonly string[] = []): Promise<SiteFolder> {
    const project = await makePackedProject(names, below);
    // What npx would look for is on the path.
    const innkeep = `exec '${process.execPath}' '${join(ROOT, 'packages/cli/bin/innkeep.js')}' "$@"`;
    await project.write({ 'bin/npx': `#!/bin/sh\nif [ "$1" = innkeep ]; then shift; ${innkeep}; fi\nexec "$@"\n` });
    await chmod(join(project.folder, 'bin/npx'), 0o755);
    return new SiteFolder(project, commands, await mkdtemp(join(tmpdir(), 'innkeep-home-')));
  }

  /** Saves the page's files, beside those that a site has already. */
  async setUp(quickStart: QuickStart): Promise<Site> {
    const { name, files } = quickStart;
    const { folder, write } = this.#project;
    const all = { ...SITES_YOU_HAVE[name], ...files, 'package.json': '{ "type": "module" }\n' };
    await write(Object.fromEntries(Object.entries(all).map(([path, text]) => [join(name, path), text])));
    // A folder of its own, where a development server keeps what it has bundled.
    await mkdir(join(folder, name, 'node_modules'));
    await symlink(join(folder, 'node_modules/@innkeep'), join(folder, name, 'node_modules/@innkeep'));
    if (name === 'server-page-php') {
      const cdn = join(folder, 'node_modules/@innkeep/widgets/dist/cdn');
      await cp(cdn, join(folder, name, 'public/innkeep'), { recursive: true });
    }
    return this.#siteOf(quickStart);
  }

  async remove(): Promise<void> {
    await this.#project.remove();
    await rm(this.#home, { recursive: true, force: true });
  }

  #siteOf({ name, start: script, port, url }: QuickStart): Site {
    let program: Program | undefined;
    let started: Promise<void> | undefined;
    const start = async (): Promise<void> => {
      // A port of its own: another test may have the usual one. In place of the shell, so that the end of one is that of the other.
      const command = script.replace('npx innkeep dev ', `exec npx innkeep dev --port ${port} `);
      program = startProgram('bash', ['--norc', '-euo', 'pipefail', '-c', command], {
        cwd: join(this.#project.folder, name),
        env: this.#environmentOf(script),
        // A group of its own: what it starts ends with it.
        detached: true,
      });
      const deadline = Date.now() + READY_TIMEOUT_MS;
      // The page, and the server that receives webhooks: an empty one is refused.
      while ((await statusOf(url, 'GET')) !== 200 || (await statusOf(new URL('/hooks', url).href, 'POST')) !== 400) {
        if (program.child.exitCode !== null || Date.now() > deadline)
          throw new Error(`${name} does not serve ${url}:\n${program.output()}`);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    };
    return {
      url,
      start() {
        started ??= start();
        return started;
      },
      output: () => program?.output() ?? '',
      async stop() {
        if (program) await stopGroup(program);
      },
    };
  }

  #environmentOf(script: string): Record<string, string> {
    const php = / php /.test(script) ? [dirname(requirePhp())] : [];
    const { folder } = this.#project;
    // This Node before any other that the commands bring.
    const path = [join(folder, 'bin'), dirname(process.execPath), ...binsFrom(folder), ...this.#commands, ...php];
    return {
      PATH: [...path, process.env.PATH].join(delimiter),
      HOME: this.#home,
      WRANGLER_SEND_METRICS: 'false',
      NEXT_TELEMETRY_DISABLED: '1',
      DENO_NO_UPDATE_CHECK: '1',
    };
  }
}

async function statusOf(url: string, method: string): Promise<number> {
  try {
    return (await fetch(url, { method, signal: AbortSignal.timeout(60_000) })).status;
  } catch {
    return 0;
  }
}

async function stopGroup({ child, ended }: Program): Promise<void> {
  try {
    process.kill(-(child.pid ?? Number.NaN), 'SIGTERM');
  } catch {
    // Nobody of the group is left.
  }
  await ended;
}
