/** A registry of its own on loopback: it has what is released here, and asks npm's registry for everything else. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../../scripts/launch.ts';
import { type NpmEnvironment, runNpm } from './npm.ts';

export interface Registry {
  readonly url: string;
  stop(): Promise<void>;
}

const READY_TIMEOUT_MS = 120_000;

/** Starts it on a free port, with its storage in the folder. `tools` is where it is installed. */
export async function startRegistry(
  folder: string,
  { tools, environment }: { readonly tools: string; readonly environment: NpmEnvironment },
): Promise<Registry> {
  await mkdir(folder, { recursive: true });
  const uplink = (await runNpm(['config', 'get', 'registry'], { cwd: folder, environment })).stdout.trim();
  const url = `http://127.0.0.1:${await freePort()}/`;
  const config = join(folder, 'config.yaml');
  await writeFile(config, configuration(folder, uplink));
  const verdaccio = join(tools, 'node_modules/verdaccio/bin/verdaccio');
  const child = spawn(process.execPath, [verdaccio, '--config', config, '--listen', url], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const exited = once(child, 'exit');
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!(await answers(`${url}-/ping`))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`The registry does not start:\n${output}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    url,
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

function configuration(folder: string, uplink: string): string {
  return JSON.stringify({
    storage: join(folder, 'storage'),
    // Whoever reaches it may publish: it listens on loopback, and ends with the test.
    auth: { htpasswd: { file: join(folder, 'htpasswd') } },
    uplinks: {
      // One busy moment is no reason to call it gone.
      npm: { url: uplink, cache: false, maxage: '60m', timeout: '120s', max_fails: 1_000, fail_timeout: '1s' },
    },
    packages: {
      '@innkeep/*': { access: '$all', publish: '$all' },
      'create-innkeep': { access: '$all', publish: '$all' },
      '**': { access: '$all', proxy: 'npm' },
    },
    max_body_size: '200mb',
    web: { enable: false },
    log: { type: 'stdout', format: 'pretty', level: 'warn' },
  });
}

async function answers(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
    (answer) => answer.ok,
    () => false,
  );
}
