import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeIo } from '../../test-support/fake-io.ts';
import { createCommandContext } from '../context/command-context.ts';
import { type DevPaths, prepareDevFolder } from './dev-folder.ts';
import { localHotel } from './local-hotel.ts';
import { claimFolder, findStack } from './running-stack.ts';

const CONTROL = { report: () => undefined, advanceClock: async () => undefined };

let paths: DevPaths;
beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'innkeep-claim-'));
  paths = await prepareDevFolder(join(folder, '.innkeep'));
  return () => rm(folder, { recursive: true, force: true });
});
afterEach(() => void vi.restoreAllMocks());

it('leaves a folder to whoever serves it, also when that is too busy to answer', async () => {
  const claim = await claimFolder(paths, { control: CONTROL, token: 'first' });
  const second = () => claimFolder(paths, { control: CONTROL, token: 'second' });
  await expect(second()).rejects.toMatchObject({ code: 'already_running' });
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort(new DOMException('Too late.', 'TimeoutError')));
  await expect(second()).rejects.toMatchObject({ code: 'already_running' });
  await claim.close();
});

it('takes a folder over from a process that was killed', async () => {
  // Nobody listens on the first port.
  await writeFile(paths.running, JSON.stringify({ pid: 1, control: 'http://127.0.0.1:1', token: 'killed' }));
  const claim = await claimFolder(paths, { control: CONTROL, token: 'next' });
  await claim.close();
});

it('finds a stack of somebody else only in the folder that is named', async () => {
  const report = { pid: 1, proxyUrl: 'http://127.0.0.1:1', sandboxUrl: 'http://127.0.0.1:2', now: '', hasClock: false };
  const claim = await claimFolder(paths, { control: { ...CONTROL, report: () => report }, token: 'theirs' });
  const below = join(dirname(paths.folder), 'project');
  expect(await findStack(below)).toMatchObject({ report });
  vi.spyOn(process, 'getuid').mockReturnValue(4_711);
  expect(await findStack(below)).toBeUndefined();
  await expect(localHotel(createCommandContext(fakeIo({ cwd: below }), {}, []))).rejects.toMatchObject({
    next: expect.arrayContaining([expect.stringContaining('another user')]),
  });
  expect(await findStack(below, paths.folder)).toMatchObject({ report });
  await claim.close();
});
