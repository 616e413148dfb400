/** Folders with the sites of the quick starts, made and run the way their reader does it. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../scripts/launch.ts';
import { requirePhp } from '../../scripts/php.ts';
import { INNKEEP_BIN, runCommandLine } from '../cli/run-innkeep.ts';
import type { QuickStart } from './quick-start.ts';

const run = promisify(execFile);

/** Here the packages' dependencies and the frameworks are found further up, in the `node_modules` of this folder. */
const FOLDER = join(import.meta.dirname, '.innkeep');
const MODULES = join(import.meta.dirname, 'node_modules');

const READY_TIMEOUT_MS = 150_000;

/** One quick start's site. */
export interface Site {
  /** The booking page. */
  readonly url: string;
  /** Runs what the page leaves running, once; resolves when the site answers. */
  start(): Promise<void>;
  /** All that was printed so far. */
  output(): string;
  stop(): Promise<void>;
}

/** Every site, and the clone in which their hotels are set up. */
export class SiteFolder {
  readonly #clone: string;

  private constructor(clone: string) {
    this.#clone = clone;
  }

  /** Packs the packages and unpacks them where the sites find them. They must be built. */
  static async make(clone: string): Promise<SiteFolder> {
    await rm(FOLDER, { recursive: true, force: true });
    const folder = new SiteFolder(clone);
    await Promise.all([folder.#writeNpx(), ...['core', 'widgets', 'react'].map((name) => folder.#install(name))]);
    return folder;
  }

  /** Runs the page's command that sets a hotel up, and saves the page's files with the secrets that the command prints. */
  async setUp(quickStart: QuickStart): Promise<Site> {
    const { name, files } = quickStart;
    const { secretKey, webhookSecret } = await this.#setUpHotel(quickStart);
    const folder = join(FOLDER, name);
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text.replaceAll('sk_test_…', secretKey).replaceAll('whsec_…', webhookSecret));
    }
    if (name === 'server-page-php') {
      await cp(join(FOLDER, 'node_modules/@innkeep/widgets/dist/cdn'), join(folder, 'public/innkeep'), {
        recursive: true,
      });
    } else {
      await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n');
      await mkdir(join(folder, 'node_modules'));
      await symlink(join(FOLDER, 'node_modules/@innkeep'), join(folder, 'node_modules/@innkeep'));
    }
    return this.#siteOf(quickStart);
  }

  async remove(): Promise<void> {
    await rm(FOLDER, { recursive: true, force: true });
  }

  async #setUpHotel({ name, setUp }: QuickStart): Promise<{ secretKey: string; webhookSecret: string }> {
    const script = setUp.replace('hotel add aurora', `hotel add ${name}`);
    const { exitCode, stdout, stderr } = await runCommandLine('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
      env: { PATH: join(this.#clone, 'bin') + delimiter + process.env.PATH },
      cwd: this.#clone,
    });
    if (exitCode !== 0) throw new Error(`${name}: hotel add ended with ${exitCode}\n${stderr}`);
    const [secretKey = ''] = /sk_test_[\w-]+/.exec(stdout) ?? [];
    const [webhookSecret = ''] = /whsec_[\w+/=]+/.exec(stdout) ?? [];
    return { secretKey, webhookSecret };
  }

  #siteOf({ name, terminals, url }: QuickStart): Site {
    const children: ChildProcess[] = [];
    let output = '';
    let started: Promise<void> | undefined;
    const open = (script: string): void => {
      const child = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
        cwd: join(FOLDER, name),
        env: this.#environmentOf(script),
        stdio: ['ignore', 'pipe', 'pipe'],
        // A group of its own: what it starts ends with it.
        detached: true,
      });
      children.push(child);
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    };
    const start = async (): Promise<void> => {
      terminals.forEach(open);
      const deadline = Date.now() + READY_TIMEOUT_MS;
      // The page, and the server that receives webhooks: an empty one is refused.
      while ((await statusOf(url, 'GET')) !== 200 || (await statusOf(new URL('/hooks', url).href, 'POST')) !== 400) {
        const ended = children.find(({ exitCode }) => exitCode !== null);
        if (ended !== undefined || Date.now() > deadline) throw new Error(`${name} does not serve ${url}:\n${output}`);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    };
    return {
      url,
      start() {
        started ??= start();
        return started;
      },
      output: () => output,
      async stop() {
        await Promise.all(children.map(stopGroup));
      },
    };
  }

  #environmentOf(script: string): Record<string, string> {
    const php = /^php\b/m.test(script) ? [dirname(requirePhp())] : [];
    const path = [join(this.#clone, 'bin'), join(MODULES, '.bin'), dirname(process.execPath), ...php];
    return {
      PATH: [...path, process.env.PATH].join(delimiter),
      HOME: this.#clone,
      WRANGLER_SEND_METRICS: 'false',
      NEXT_TELEMETRY_DISABLED: '1',
      DENO_NO_UPDATE_CHECK: '1',
    };
  }

  /** Installs a package from its tarball, as the reader does. */
  async #install(name: string): Promise<void> {
    const target = join(FOLDER, 'node_modules/@innkeep', name);
    const tarballs = join(this.#clone, 'tarballs', name);
    await Promise.all([target, tarballs].map((folder) => mkdir(folder, { recursive: true })));
    await run('pnpm', ['pack', '--pack-destination', tarballs], { cwd: join(ROOT, 'packages', name) });
    const [tarball = ''] = await readdir(tarballs);
    await run('tar', ['-xzf', join(tarballs, tarball), '--strip-components=1', '-C', target]);
  }

  /** In this clone everything is built, and what npx would look for is on the path. */
  async #writeNpx(): Promise<void> {
    const file = join(this.#clone, 'bin/npx');
    const innkeep = `exec '${process.execPath}' '${INNKEEP_BIN}' "$@"`;
    await mkdir(dirname(file));
    await writeFile(file, `#!/bin/sh\nif [ "$1 $2" = 'pnpm innkeep' ]; then shift 2; ${innkeep}; fi\nexec "$@"\n`);
    await chmod(file, 0o755);
  }
}

async function statusOf(url: string, method: string): Promise<number> {
  try {
    return (await fetch(url, { method, signal: AbortSignal.timeout(60_000) })).status;
  } catch {
    return 0;
  }
}

async function stopGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  const isOver = child.exitCode !== null || child.signalCode !== null;
  const ended = isOver ? undefined : once(child, 'exit');
  try {
    process.kill(-child.pid, 'SIGTERM');
  } catch {
    // Nobody of the group is left.
  }
  await ended;
}
