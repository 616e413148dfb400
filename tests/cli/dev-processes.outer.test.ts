// The remaining ways to end `innkeep dev`: each leaves nothing behind, as SIGKILL does in dev-processes.test.ts.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { freePort } from '../../scripts/launch.ts';
import { cleanUp, makeFolder, spawnDev, start, untilNoneLeft, WAIT_LIMIT_MS, writeSite } from './dev-process.ts';
import { INNKEEP_BIN } from './run-innkeep.ts';

vi.setConfig({ testTimeout: 4 * WAIT_LIMIT_MS, hookTimeout: 2 * WAIT_LIMIT_MS });

afterEach(cleanUp);

it.each(['Ctrl-C', 'SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s ends everything, the site’s children included',
  async (signal) => {
    const folder = await makeFolder();
    const site = await writeSite(folder);
    const dev = await spawnDev(folder, '--port', `${await freePort()}`, '--', process.execPath, site);
    await dev.until('site is up');
    expect(await (signal === 'Ctrl-C' ? dev.pressCtrlC() : dev.stop(signal))).toBe(0);
    await untilNoneLeft(folder);
  },
);

it.each(['Ctrl-C', 'SIGTERM'] as const)('ends with the npm that began it, by %s', async (signal) => {
  const folder = await makeFolder();
  await writeSite(folder);
  const dev = `"${process.execPath}" "${INNKEEP_BIN}" dev --port ${await freePort()} -- "${process.execPath}" "${join(folder, 'site.mjs')}"`;
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, scripts: { dev } }));
  const npm = start('npm', ['run', 'dev'], { cwd: folder, env: { npm_config_update_notifier: 'false' } });
  await npm.until('site is up');
  await (signal === 'Ctrl-C' ? npm.pressCtrlC() : npm.stop(signal));
  await untilNoneLeft(folder);
});
