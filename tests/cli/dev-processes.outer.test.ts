// The ways to end `innkeep dev`: each leaves nothing behind, and its folder can be served again.
import { afterEach, expect, it, vi } from 'vitest';
import {
  cleanUp,
  makeFolder,
  processesOf,
  spawnDevWithSite,
  spawnNpmWithSite,
  startDev,
  untilNoneLeft,
  WAIT_LIMIT_MS,
} from './dev-process.ts';

vi.setConfig({ testTimeout: 4 * WAIT_LIMIT_MS, hookTimeout: 2 * WAIT_LIMIT_MS });

afterEach(cleanUp);

it.each(['Ctrl-C', 'SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s ends everything, the site’s children included',
  async (signal) => {
    const folder = await makeFolder();
    const dev = await spawnDevWithSite(folder);
    expect(await (signal === 'Ctrl-C' ? dev.pressCtrlC() : dev.stop(signal))).toBe(0);
    await untilNoneLeft(folder);
  },
);

it.each(['Ctrl-C', 'SIGTERM', 'SIGKILL'] as const)('ends with the npm that began it, by %s', async (signal) => {
  const folder = await makeFolder();
  const npm = await spawnNpmWithSite(folder);
  await (signal === 'Ctrl-C' ? npm.pressCtrlC() : npm.stop(signal));
  await untilNoneLeft(folder);
});

it('starts again after a SIGKILL, which leaves nothing behind, either', async () => {
  const folder = await makeFolder();
  const dev = await spawnDevWithSite(folder);
  expect(processesOf(folder).length).toBeGreaterThanOrEqual(4);
  expect(await dev.stop('SIGKILL')).toBe('SIGKILL');
  await untilNoneLeft(folder);
  const again = await startDev(folder);
  expect(await again.stop()).toBe(0);
});
