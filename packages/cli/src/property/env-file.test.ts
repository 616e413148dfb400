import { execFile, spawnSync } from 'node:child_process';
import { chown, lstat, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readEnvFile, writeEnvValue, writePrivateFile } from './env-file.ts';

// As Yarn's are, which puts a file system of its own before Node's.
vi.mock('node:fs/promises', async (importOriginal) => {
  const original = await importOriginal<typeof import('node:fs/promises')>();
  const open = async (...args: Parameters<typeof original.open>) =>
    Object.assign(await original.open(...args), { sync: () => Promise.reject(new Error('Method not implemented.')) });
  return { ...original, open };
});

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'innkeep-env-file-'));
  path = join(folder, '.dev.vars');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const isWindows = process.platform === 'win32';

describe('writeEnvValue', () => {
  it('makes the file, on one line, in single quotes, for its owner only', async () => {
    expect(await writeEnvValue(path, 'PROPERTY_AURORA', { value: { a: 'b' } })).toEqual({ replaced: false });
    expect(await readFile(path, 'utf8')).toBe(`PROPERTY_AURORA='{"a":"b"}'\n`);
    if (!isWindows) expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('replaces the lines of the same name and leaves all others alone', async () => {
    const others = "# PROPERTY_AURORA='old note'\nPUBLIC_URL=https://pay.hotel.example\n\nPROPERTY_AURORA_2='{}'";
    await writeFile(path, `PROPERTY_AURORA='{"a":1}'\n${others}\nexport PROPERTY_AURORA = '{"a":2}'\n`, {
      mode: 0o644,
    });
    expect(await writeEnvValue(path, 'PROPERTY_AURORA', { value: { a: 3 }, before: '{"a":2}' })).toEqual({
      replaced: true,
    });
    expect(await readFile(path, 'utf8')).toBe(`${others}\nPROPERTY_AURORA='{"a":3}'\n`);
    if (!isWindows) expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('adds a line to a file that does not end with one', async () => {
    await writeFile(path, 'PUBLIC_URL=https://pay.hotel.example');
    await writeEnvValue(path, 'PROPERTY_B', { value: {} });
    expect(await readFile(path, 'utf8')).toBe("PUBLIC_URL=https://pay.hotel.example\nPROPERTY_B='{}'\n");
  });

  it.each(["it's", '$HOME and $(id)', '`id`', 'back\\slash\\$x', 'new\nline "quoted" #hash', "ends with '", 'ü – 🔑'])(
    'brings the password %j back unchanged',
    async (password) => {
      await writeEnvValue(path, 'PROPERTY_A', { value: { password } });
      const text = await readFile(path, 'utf8');
      expect(text.match(/['$`]/g)).toEqual(["'", "'"]);
      expect(text.trimEnd().split('\n')).toHaveLength(1);
      expect(JSON.parse((await readEnvFile(path))?.get('PROPERTY_A') ?? '')).toEqual({ password });
    },
  );

  it.skipIf(isWindows)('writes through a symbolic link', async () => {
    const target = join(folder, 'real.vars');
    await writeFile(target, '');
    await symlink(target, path);
    await writeEnvValue(path, 'PROPERTY_A', { value: {} });
    expect(await readFile(target, 'utf8')).toBe("PROPERTY_A='{}'\n");
  });

  it('is not kept waiting for good by a command that was killed', async () => {
    await writeFile(`${path}.lock`, '');
    await utimes(`${path}.lock`, 0, 0);
    const names = ['A', 'B', 'C', 'D'];
    await Promise.all(names.map((name) => writeEnvValue(path, name, { value: name })));
    expect([...((await readEnvFile(path)) ?? new Map()).keys()].sort()).toEqual(names);
    expect(await readdir(folder)).toEqual(['.dev.vars']);
  });

  it('says which file cannot be written, and leaves nothing behind', async () => {
    await expect(writeEnvValue(join(folder, 'missing', '.dev.vars'), 'A', { value: {} })).rejects.toThrow(
      'cannot be written (ENOENT)',
    );
    expect(await readdir(folder)).toEqual([]);
  });
});

it.skipIf(isWindows)('writes to what is no file, through links, and leaves it what it is', async () => {
  const pipe = join(folder, 'pipe');
  expect(spawnSync('sh', ['-c', 'mkfifo "$0"', pipe]).status).toBe(0);
  await symlink(pipe, path);
  const reader = promisify(execFile)('cat', [pipe], { timeout: 5_000 });
  const [{ stdout }] = await Promise.all([reader, writePrivateFile(path, 'the answer')]);
  expect(stdout).toBe('the answer');
  expect([(await lstat(pipe)).isFIFO(), (await lstat(path)).isSymbolicLink()]).toEqual([true, true]);
  expect((await readdir(folder)).sort()).toEqual(['.dev.vars', 'pipe']);
});

// Nobody else can give files away.
it.skipIf(process.getuid?.() !== 0)('root leaves a file with its owner, and to its owner alone', async () => {
  await writeFile(path, 'before', { mode: 0o644 });
  await chown(path, 1000, 1001);
  await writePrivateFile(path, 'after');
  const { uid, gid, mode } = await stat(path);
  expect([uid, gid, mode & 0o777]).toEqual([1000, 1001, 0o600]);
});

describe('readEnvFile', () => {
  it.each([
    ['PROPERTY_A=\'{"displayName":"L\'Auberge"}\'', 'an apostrophe that ends the value'],
    ['PROPERTY_A="{"displayName":"x"}"', 'quotes inside quotes'],
    ['PROPERTY_A={"displayName":"Room #5"}', 'a # that would end the value'],
    ["A='x", 'a quote that nothing ends'],
    ['PUBLIC_URL https://pay.hotel.example', 'no ='],
  ])('refuses %s with the number of the line: %s', async (line) => {
    await writeFile(path, `# settings\r\nB=1\r\n\r\n${line}\r\nC=2\r\n`);
    await expect(readEnvFile(path)).rejects.toThrow(`${path}: line 4 is not NAME=value.`);
  });

  it('knows quotes, comments and no file at all', async () => {
    expect(await readEnvFile(path)).toBeUndefined();
    await writeFile(path, 'A=1 # one\nB="x\\ny"\n# C=3\nexport D=\'{"e":1}\'\n');
    expect([...((await readEnvFile(path)) ?? [])]).toEqual([
      ['A', '1'],
      ['B', 'x\ny'],
      ['D', '{"e":1}'],
    ]);
  });
});
