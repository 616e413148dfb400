// `innkeep dev` as a process: whatever ends it, nothing stays behind, and its folder can be served again.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { freePort } from '../../scripts/launch.ts';
import {
  cleanUp,
  makeFolder,
  processesOf,
  siteVariables,
  spawnDev,
  start,
  startDev,
  untilNoneLeft,
  WAIT_LIMIT_MS,
  writeSite,
} from './dev-process.ts';
import { INNKEEP_BIN } from './run-innkeep.ts';

vi.setConfig({ testTimeout: 4 * WAIT_LIMIT_MS, hookTimeout: 2 * WAIT_LIMIT_MS });

afterEach(cleanUp);

it('starts again after a SIGKILL, which leaves nothing behind, either', async () => {
  const folder = await makeFolder();
  const site = await writeSite(folder);
  const dev = await spawnDev(folder, '--port', `${await freePort()}`, '--', process.execPath, site);
  await dev.until('site is up');
  expect(processesOf(folder).length).toBeGreaterThanOrEqual(4);
  expect(await dev.stop('SIGKILL')).toBe('SIGKILL');
  await untilNoneLeft(folder);
  const again = await startDev(folder);
  expect(await again.stop()).toBe(0);
});

it('ends with the npm that began it, also when that is killed', async () => {
  const folder = await makeFolder();
  await writeSite(folder);
  const dev = `"${process.execPath}" "${INNKEEP_BIN}" dev --port ${await freePort()} -- "${process.execPath}" "${join(folder, 'site.mjs')}"`;
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, scripts: { dev } }));
  const npm = start('npm', ['run', 'dev'], { cwd: folder, env: { npm_config_update_notifier: 'false' } });
  await npm.until('site is up');
  await npm.stop('SIGKILL');
  await untilNoneLeft(folder);
});

it('gives the site’s command the same settings, and ends with it and its exit code', async () => {
  const folder = await makeFolder();
  const end = `console.log(JSON.stringify(process.env)); setTimeout(() => process.exit(7), 200)`;
  const site = await writeSite(folder, end);
  const dev = await spawnDev(folder, '--port', `${await freePort()}`, '--', process.execPath, site);
  expect(await dev.ended).toBe(7);
  const printed = JSON.parse(/^\{.*\}$/m.exec(dev.output())?.[0] ?? '{}') as Record<string, string>;
  expect(printed).toMatchObject(siteVariables(folder));
  expect(printed.SITE_URL).toBe(`http://127.0.0.1:${printed.PORT}`);
  await untilNoneLeft(folder);
});

it('ends with 1 and says why when the proxy’s runtime is killed, and leaves nothing behind', async () => {
  const folder = await makeFolder();
  const site = await writeSite(folder);
  const dev = await spawnDev(folder, '--port', `${await freePort()}`, '--', process.execPath, site);
  await dev.until('site is up');
  process.kill(Number(await readFile(join(folder, '.innkeep/proxy/workerd.pid'), 'utf8')), 'SIGKILL');
  expect(await dev.ended).toBe(1);
  expect(dev.output()).toMatch(/^The proxy’s runtime stopped \(signal SIGKILL\)\.$/m);
  expect(dev.output()).toContain('.innkeep/proxy.log');
  await untilNoneLeft(folder);
});
