import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { fakeIo } from '../../test-support/fake-io.ts';
import { run } from '../program/run.ts';
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

  it.skipIf(isWindows).each([
    ['{"password":"x"}', true],
    ['{"webhooks":[{"url":"https://hotel.example","secret" : ["whsec_x"]}]}', true],
    ['{"gateway":{"apiKey":"x"}}', true],
    ['{"webhooks":[{"url":"https://hotel.example"}],"displayName":"secret"}', false],
  ])('warns of readers only when there is a secret in it: %s', async (text, warns) => {
    const io = fakeIo({ cwd });
    await writeFile(join(cwd, 'a.json'), text, { mode: 0o644 });
    await readJsonObject(io, 'a.json', '--from');
    expect(io.stderr()).toEqual(warns ? expect.stringContaining('chmod 600 a.json') : '');
  });
});

it.skipIf(isWindows).each([
  ['sealing keys', ['keys', 'rotate', '--from', 'a'], 'A'.repeat(43)],
  ['webhooks', ['hotel', 'set', 'aurora', 'webhooks=@a'], '[]'],
  ['the gateway', ['hotel', 'set', 'aurora', 'gateway=@a'], '{}'],
])('a file with %s brings the warning, too', async (_what, words, text) => {
  const io = fakeIo({ cwd });
  await writeFile(join(cwd, 'a'), text, { mode: 0o644 });
  await run(words, io);
  expect(io.stderr()).toContain('others on this machine may read a.');
});
