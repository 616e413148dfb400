// `innkeep dev` as a process: whatever ends it, nothing stays behind, and its folder can be served again.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import {
  cleanUp,
  makeFolder,
  processesOf,
  siteVariables,
  spawnDevWithSite,
  spawnNpmWithSite,
  startDev,
  untilNoneLeft,
  WAIT_LIMIT_MS,
} from './dev-process.ts';

vi.setConfig({ testTimeout: 4 * WAIT_LIMIT_MS, hookTimeout: 2 * WAIT_LIMIT_MS });

afterEach(cleanUp);

it('starts again after a SIGKILL, which leaves nothing behind, either', async () => {
  const folder = await makeFolder();
  const dev = await spawnDevWithSite(folder);
  expect(processesOf(folder).length).toBeGreaterThanOrEqual(4);
  expect(await dev.stop('SIGKILL')).toBe('SIGKILL');
  await untilNoneLeft(folder);
  const again = await startDev(folder);
  expect(await again.stop()).toBe(0);
});

it('ends with the npm that began it, also when that is killed', async () => {
  const folder = await makeFolder();
  const npm = await spawnNpmWithSite(folder);
  await npm.stop('SIGKILL');
  await untilNoneLeft(folder);
});

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
