import { chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writePrivateFile } from './env-file.ts';

// Nobody else can give files away.
it.skipIf(process.getuid?.() !== 0)('root leaves a file with its owner, and to its owner alone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'innkeep-owner-'));
  const file = join(folder, 'proxy.env');
  await writeFile(file, 'before', { mode: 0o644 });
  await chown(file, 1000, 1001);
  await writePrivateFile(file, 'after');
  const { uid, gid, mode } = await stat(file);
  expect([uid, gid, mode & 0o777]).toEqual([1000, 1001, 0o600]);
  await rm(folder, { recursive: true });
});
