// `innkeep dev` as a process: what it began ends with it. Who else may end it: dev-processes.outer.test.ts.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { cleanUp, makeFolder, siteVariables, spawnDevWithSite, untilNoneLeft, WAIT_LIMIT_MS } from './dev-process.ts';

vi.setConfig({ testTimeout: 4 * WAIT_LIMIT_MS, hookTimeout: 2 * WAIT_LIMIT_MS });

afterEach(cleanUp);

it('gives the site’s command the same settings, and ends with it and its exit code', async () => {
  const folder = await makeFolder();
  const end = `console.log(JSON.stringify(process.env)); setTimeout(() => process.exit(7), 200)`;
  const dev = await spawnDevWithSite(folder, end);
  expect(await dev.ended).toBe(7);
  const printed = JSON.parse(/^\{.*\}$/m.exec(dev.output())?.[0] ?? '{}') as Record<string, string>;
  expect(printed).toMatchObject(siteVariables(folder));
  expect(printed.SITE_URL).toBe(`http://127.0.0.1:${printed.PORT}`);
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
