// `innkeep dev` as a process: what it began ends with it. Who else may end it: dev-processes.outer.test.ts.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { cleanUp, makeFolder, siteVariables, spawnDevWithSite, untilNoneLeft, WAIT_LIMIT_MS } from './dev-process.ts';
import { INNKEEP_BIN, messagesOf, spawnInnkeep } from './run-innkeep.ts';

vi.setConfig({ testTimeout: 4 * WAIT_LIMIT_MS, hookTimeout: 2 * WAIT_LIMIT_MS });

afterEach(cleanUp);

it('gives the site’s command the same settings, and ends with it and its exit code', async () => {
  const folder = await makeFolder();
  const end = `console.log(JSON.stringify(process.env)); setTimeout(() => process.exit(7), 200)`;
  const dev = await spawnDevWithSite(folder, end);
  expect(await dev.ended).toBe(7);
  const printed = JSON.parse(/^\{.*\}$/m.exec(dev.output())?.[0] ?? '{}') as Record<string, string>;
  expect(printed).toMatchObject(siteVariables(folder));
  expect(printed.SITE_URL).toBe(`http://${printed.HOST}:${printed.PORT}`);
  expect(printed.HOST).toBe('127.0.0.1');
  await untilNoneLeft(folder);
});

it('ends with 1 and says why when the proxy’s runtime is killed, and leaves nothing behind', async () => {
  const folder = await makeFolder();
  const dev = await spawnDevWithSite(folder);
  process.kill(Number(await readFile(join(folder, '.innkeep/proxy/workerd.pid'), 'utf8')), 'SIGKILL');
  expect(await dev.ended).toBe(1);
  expect(dev.output()).toMatch(/^The proxy’s runtime stopped \(signal SIGKILL\)\.$/m);
  expect(dev.output()).toContain('.innkeep/proxy.log');
  await untilNoneLeft(folder);
});

it('with --json prints its addresses as JSON on standard output, and all else as JSON lines on standard error', async () => {
  const cwd = await makeFolder();
  const site = [process.execPath, INNKEEP_BIN, 'clock', '+1m', '--json'];
  const run = await spawnInnkeep(['dev', '--json', '--clock', '--', ...site], { cwd });
  expect(messagesOf(run)).toContainEqual({ note: expect.stringMatching(/^The time is now /) });
  const { SITE_URL, INNKEEP_ENDPOINT, INNKEEP_SECRET_KEY } = siteVariables(cwd);
  const [addresses = '', ...ofSite] = run.stdout.split('\n');
  expect([run.exitCode, JSON.parse(addresses), JSON.parse(ofSite.join('\n'))]).toMatchObject([
    0,
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
