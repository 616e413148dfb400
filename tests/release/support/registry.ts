/** A registry of its own on loopback: it has what is released here, and asks npm's registry for everything else. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../../scripts/launch.ts';
import { startProgram } from '../../support/program.ts';
import { type NpmEnvironment, runNpm } from './npm.ts';

export type Registry = Awaited<ReturnType<typeof startRegistry>>;

const READY_TIMEOUT_MS = 120_000;

/** Starts it on a free port, with its storage in the folder. `tools` is where it is installed. */
export async function startRegistry(
  folder: string,
  { tools, environment }: { readonly tools: string; readonly environment: NpmEnvironment },
) {
  await mkdir(folder, { recursive: true });
  const uplink = (await runNpm(['config', 'get', 'registry'], { cwd: folder, environment })).stdout.trim();
  const url = `http://127.0.0.1:${await freePort()}/`;
  const config = join(folder, 'config.yaml');
  await writeFile(config, configuration(folder, uplink));
  const verdaccio = join(tools, 'node_modules/verdaccio/bin/verdaccio');
  const { child, output, stop } = startProgram(process.execPath, [verdaccio, '--config', config, '--listen', url], {
    cwd: folder,
    env: environment,
  });
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!(await answers(`${url}-/ping`))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`The registry does not start:\n${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { url, stop: () => stop('SIGKILL') };
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
