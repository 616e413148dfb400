// The commands of the operators' guides, as they stand there, against the real proxy and the sandbox.
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveProxy } from '@innkeep/edge-proxy/serve';
import { serveSandbox } from '@innkeep/sandbox';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../scripts/launch.ts';
import { INNKEEP_BIN, runCommandLine } from './run-innkeep.ts';

const LOGIN = { INNKEEP_UPSTREAM_USERNAME: 'demo', INNKEEP_UPSTREAM_PASSWORD: 'demo-password' };
const MERCHANT_KEY = { id: 'web', sha256: 'a'.repeat(64), scopes: ['checkout'] };
const HOOKS = [{ url: 'https://hotel.example/hooks', secret: `whsec_${'A'.repeat(43)}=` }];

let sandbox: Awaited<ReturnType<typeof serveSandbox>>;
let proxy: Awaited<ReturnType<typeof serveProxy>> | undefined;
let folder: string;
let platformKey = '';

/** The commands of a guide, block by block. */
async function blocksOf(guide: string): Promise<readonly string[]> {
  const text = await readFile(new URL(`../../docs/guides/${guide}.md`, import.meta.url), 'utf8');
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block ?? '');
}

/** Runs a block the way its reader pastes it into a shell. */
async function runBlock(block: string): Promise<string> {
  const script = proxy === undefined ? block : block.replaceAll('https://pay.hotel.example', proxy.url);
  const run = await runCommandLine('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    env: {
      ...LOGIN,
      ...(proxy === undefined ? {} : { INNKEEP_ENDPOINT: proxy.url, INNKEEP_PLATFORM_KEY: platformKey }),
      PATH: `${folder}:${process.env.PATH}`,
    },
    cwd: folder,
    input: `${platformKey}\n`,
  });
  expect([run.exitCode, run.exitCode === 0 ? '' : run.stderr], block).toEqual([0, '']);
  return run.stdout;
}

beforeAll(async () => {
  sandbox = await serveSandbox({ port: 0 });
  folder = await mkdtemp(join(tmpdir(), 'innkeep-guides-'));
  const program = async (name: string, text: string): Promise<void> => {
    await writeFile(join(folder, name), `#!/bin/sh\n${text}\n`);
    await chmod(join(folder, name), 0o755);
  };
  await program('innkeep', `exec '${process.execPath}' '${INNKEEP_BIN}' "$@"`);
  // Stands in for the deployment: it must get a name, and the value on standard input.
  await program('npx', `[ "$1 $2 $3 $#" = 'wrangler secret put 4' ] && exec grep -q .`);
  const hotel = {
    ...{ displayName: 'Hotel Aurora', baseUrl: sandbox.url, customerId: '1234', hotelID: '1' },
    ...{ hotelIDType: 'SANDBOX_PMS', user: 'web', timeZone: 'Europe/Vienna', amountUnit: 'minor' },
    ...{ providerDirect: 'SANDBOX_DIRECT', providerHosted: 'SANDBOX_HOSTED', origins: ['http://127.0.0.1:4000'] },
  };
  const whole = { ...hotel, username: 'demo', password: 'demo-password', merchantKeys: [MERCHANT_KEY] };
  const file = (name: string, content: string): Promise<void> =>
    writeFile(join(folder, name), content, { mode: 0o600 });
  await mkdir(join(folder, 'hotels'));
  for (const name of ['hotel', 'hotels/alpine_2', 'hotels/alpine_3']) await file(`${name}.json`, JSON.stringify(hotel));
  await file('PROPERTY_AURORA.json', JSON.stringify(whole));
  await file('webhooks.json', JSON.stringify(HOOKS));
  await file('sealing-keys', `${'A'.repeat(43)}=\n`);
});

afterAll(async () => {
  await proxy?.close();
  await sandbox?.close();
  await rm(folder, { recursive: true, force: true });
});

it('the guides for many hotels and for keys have only commands that work, in their order', async () => {
  const [makeKey = '', ...blocks] = await blocksOf('many-hotels');
  platformKey = /^Platform key +(pk_\w+)$/m.exec(await runBlock(makeKey))?.[1] ?? '';
  expect(platformKey).toMatch(/^pk_test_alpine_/);
  proxy = await serveProxy({
    port: await freePort(),
    envFile: join(folder, 'proxy.env'),
    dataDir: join(folder, 'data'),
  });
  expect(blocks.length).toBeGreaterThan(8);
  for (const block of blocks) await runBlock(block);
  expect(JSON.parse(await runBlock('innkeep hotel list --json'))).toMatchObject({
    data: [
      { id: 'alpine_1', status: 'removed' },
      { id: 'alpine_2', status: 'active' },
      { id: 'alpine_3', status: 'active' },
      { id: 'aurora', status: 'active' },
    ],
  });

  await runBlock('innkeep hotel add borealis --from hotel.json --directory');
  const rotation = await blocksOf('rotate-keys');
  expect(rotation.length).toBeGreaterThan(4);
  for (const block of rotation) await runBlock(block);
  expect(await readFile(join(folder, 'proxy.env'), 'utf8')).toMatch(/^SEALING_KEYS='\S{44} \S{44}'$/m);
  expect(await readFile(join(folder, 'sealing-keys'), 'utf8')).toMatch(/^\S{44} A{43}=\n$/);
}, 180_000);
