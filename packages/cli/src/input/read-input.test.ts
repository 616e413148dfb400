import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { fakeIo } from '../../test-support/fake-io.ts';
import { readJsonObject, readSecretFile } from './read-input.ts';

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'innkeep-read-input-'));
  return () => rm(cwd, { recursive: true, force: true });
});

const isWindows = process.platform === 'win32';

describe('readSecretFile', () => {
  it('reads one secret, without its line’s end', async () => {
    const io = fakeIo({ cwd });
    await writeFile(join(cwd, 'key'), 'sk_test_x\n', { mode: 0o600 });
    expect(await readSecretFile(io, 'key', '--secret-key-file')).toBe('sk_test_x');
    expect(io.stderr()).toBe('');
  });

  it.skipIf(isWindows)('warns when others may read the file, without its content', async () => {
    const io = fakeIo({ cwd });
    await writeFile(join(cwd, 'key'), 'sk_test_x', { mode: 0o644 });
    await readSecretFile(io, 'key', '--secret-key-file');
    expect(io.stderr()).toBe('Warning: others on this machine may read key. Close it: chmod 600 key\n');
  });

  it.each(['', '\n', 'two words', 'a\nb'])('refuses a file with %j', async (text) => {
    await writeFile(join(cwd, 'key'), text);
    await expect(readSecretFile(fakeIo({ cwd }), 'key', '--secret-key-file')).rejects.toThrow('exactly one secret');
  });
});

describe('readJsonObject', () => {
  it('says which file is no JSON, and quotes nothing of it', async () => {
    await writeFile(join(cwd, 'a.json'), '{"password": hunter}');
    await expect(readJsonObject(fakeIo({ cwd }), 'a.json', '--from')).rejects.toThrow(
      /^--from: a\.json is not a JSON object\.$/,
    );
  });

  it.skipIf(isWindows)('warns of readers only when there is a password in it', async () => {
    const io = fakeIo({ cwd });
    await writeFile(join(cwd, 'a.json'), '{}', { mode: 0o644 });
    await writeFile(join(cwd, 'b.json'), '{"password":"x"}', { mode: 0o644 });
    await readJsonObject(io, 'a.json', '--from');
    expect(io.stderr()).toBe('');
    await readJsonObject(io, 'b.json', '--from');
    expect(io.stderr()).toContain('chmod 600 b.json');
  });
});
