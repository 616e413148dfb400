// `innkeep dev` as a process: what it began ends with it. Who else may end it: dev-processes.outer.test.ts.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { cleanUp, makeFolder, siteVariables, spawnDevWithSite, untilNoneLeft, WAIT_LIMIT_MS } from './dev-process.ts';
import { INNKEEP_BIN, messagesOf, spawnInnkeep } from './run-innkeep.ts';

vi.setConfig({ testTimeout: 4 * WAIT_LIMIT_MS, hookTimeout: 2 * WAIT_LIMIT_MS });

afterEach(cleanUp);

it('ends with 1 and says why when the proxy’s runtime is killed, and leaves nothing behind', async () => {
  const folder = await makeFolder();
  const dev = await spawnDevWithSite(folder);
  process.kill(Number(await readFile(join(folder, '.innkeep/proxy/workerd.pid'), 'utf8')), 'SIGKILL');
  expect(await dev.ended).toBe(1);
  expect(dev.output()).toMatch(/^The proxy’s runtime stopped \(signal SIGKILL\)\.$/m);
  expect(dev.output()).toContain('.innkeep/proxy.log');
  await untilNoneLeft(folder);
});

it('gives the site’s command the same settings, ends with it and its exit code, and with --json says all as JSON', async () => {
  const cwd = await makeFolder();
  const clock = JSON.stringify([INNKEEP_BIN, 'clock', '+1m', '--json']);
  const site = `fs.writeFileSync('settings.json', JSON.stringify(process.env));
    child_process.execFileSync(process.execPath, ${clock}, { stdio: 'inherit' });
    child_process.spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', ${JSON.stringify(cwd)}], { stdio: 'ignore' });
    process.exit(7);`;
  const run = await spawnInnkeep(['dev', '--json', '--clock', '--', process.execPath, '-e', site], { cwd });
  const variables = siteVariables(cwd);
  const settings = JSON.parse(await readFile(join(cwd, 'settings.json'), 'utf8'));
  expect(settings).toMatchObject({ ...variables, HOST: '127.0.0.1' });
  expect(settings.SITE_URL).toBe(`http://127.0.0.1:${settings.PORT}`);

  expect(messagesOf(run)).toContainEqual({ note: expect.stringMatching(/^The time is now /) });
  const { SITE_URL, INNKEEP_ENDPOINT, INNKEEP_SECRET_KEY } = variables;
  const [addresses = '', ...ofSite] = run.stdout.split('\n');
  expect([run.exitCode, JSON.parse(addresses), JSON.parse(ofSite.join('\n'))]).toMatchObject([
    7,
    {
      ...{ siteUrl: SITE_URL, proxyUrl: INNKEEP_ENDPOINT, openApiUrl: `${INNKEEP_ENDPOINT}/openapi.json` },
      ledgerUrl: expect.stringMatching(/^http:.*\/__sandbox\/ledger$/),
      ...{ forwardTo: null, envFile: '.env.local', logFile: '.innkeep/proxy.log' },
      cards: expect.arrayContaining([{ number: '4242424242424242', effect: expect.any(String) }]),
    },
    { now: expect.any(String) },
  ]);
  expect(run.stdout + run.stderr).not.toContain(INNKEEP_SECRET_KEY);
  await untilNoneLeft(cwd);
});
