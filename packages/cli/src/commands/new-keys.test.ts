/** What new keys may do: no more than the server of a site needs, unless the caller chooses more and is told what that means. */
import { writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { beforeEach, expect, it } from 'vitest';
import { fakeIo } from '../../test-support/fake-io.ts';
import { HOTEL } from '../../test-support/hotel.ts';
import { createProgram } from '../program/program.ts';
import { run } from '../program/run.ts';

const KEYS = { merchantKeys: [{ id: 'web', sha256: 'a'.repeat(64), scopes: ['checkout'] }] };
const PLATFORM = {
  displayName: 'Alpine',
  keys: [{ id: 'ops', sha256: 'b'.repeat(64), scopes: ['properties'], properties: ['*'] }],
};
const MAKERS = [
  ['hotel add', ['hotel', 'add', 'borealis', '--from', 'fields.json', '--no-login-check']],
  ['hotel key add', ['hotel', 'key', 'add', 'aurora', '--env', '.dev.vars', '--key-id', 'next']],
  ['platform add', ['platform', 'add', 'nordic', '--name', 'Nordic']],
  ['platform key add', ['platform', 'key', 'add', 'alpine', '--key-id', 'next']],
] as const;

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'innkeep-keys-'));
  const lines = [
    `PROPERTY_AURORA='${JSON.stringify({ ...HOTEL, ...KEYS })}'`,
    `PLATFORM_ALPINE='${JSON.stringify(PLATFORM)}'`,
  ];
  await writeFile(join(cwd, '.dev.vars'), `${lines.join('\n')}\n`);
  await writeFile(join(cwd, 'fields.json'), JSON.stringify(HOTEL));
  return () => rm(cwd, { recursive: true, force: true });
});

/** The key that these words make, and what is said about it. */
async function makeKey(words: readonly string[]) {
  const io = fakeIo({ cwd });
  const exitCode = await run([...words, '--json'], io);
  expect([exitCode, io.stderr()]).toEqual([0, expect.any(String)]);
  const { merchantKey, platformKey } = JSON.parse(io.stdout()) as Record<string, { scopes: string[] } | undefined>;
  return { key: merchantKey ?? platformKey, said: io.stderr() };
}

it('every command that makes a key is known here', () => {
  const found = ({ commands, options }: Command, path: string): string[] => [
    ...(options.some(({ long }) => long === '--scope') ? [path.trim()] : []),
    ...commands.flatMap((command) => found(command, `${path} ${command.name()}`)),
  ];
  const program = createProgram({ execute: async () => undefined, output: {} });
  // The key of `innkeep dev` is tried where its hotel runs, in tests/cli.
  expect(found(program, '').sort()).toEqual(['dev', ...MAKERS.map(([name]) => name)]);
});

it.each(MAKERS)('a key of %s may make sessions and read events, and no more is said about it', async (_name, words) => {
  const { key, said } = await makeKey(words);
  expect(key).toMatchObject({ scopes: ['checkout', 'events'], createdAt: '2026-06-01T12:00:00.000Z' });
  expect(key).not.toHaveProperty('expiresAt');
  expect(key).not.toHaveProperty('allowFrom');
  expect(said).not.toContain('more than a site needs');
});

it.each(MAKERS)('a key of %s that may do more is made, with a word about what that is', async (_name, words) => {
  const { key, said } = await makeKey([...words, '--scope', 'checkout', 'charges', 'resolutions']);
  expect(key?.scopes).toEqual(['checkout', 'charges', 'resolutions']);
  expect(said).toContain(
    'This is more than a site needs: the key can also charge stored cards (charges), declare payments paid or failed (resolutions)',
  );
});

it.each(MAKERS)('a key of %s can end by itself, and be for some addresses alone', async (_name, words) => {
  const io = fakeIo({ cwd });
  await run([...words, '--allow-from', '::/0'], io);
  expect(io.stderr()).toContain('which every Worker of Cloudflare shares');
  const limits = ['--expires-at', '2027-03-01', '--allow-from', '198.51.100.0/24', '2001:db8::1'];
  const { key } = await makeKey([...words, ...limits]);
  expect(key).toMatchObject({ expiresAt: '2027-03-01T00:00:00.000Z', allowFrom: ['198.51.100.0/24', '2001:db8::1'] });
});

it.each(MAKERS)(
  'a key of %s is not made when it would be over, or for a day that does not exist',
  async (_name, words) => {
    const before = await readFile(join(cwd, '.dev.vars'), 'utf8');
    for (const [day, reason] of [
      ['2026-05-31', 'is in the past'],
      ['2026-06-01T12:00:00Z', 'is in the past'],
      ['2027-02-30', 'a day that exists'],
      ['2027-02-29T08:00:00Z', 'a day that exists'],
      ['2027-03-01T25:00:00Z', 'a day that exists'],
      ['1 March 2027', 'a day that exists'],
    ] as const) {
      const io = fakeIo({ cwd });
      expect([day, await run([...words, '--expires-at', day], io)]).toEqual([day, 2]);
      expect(io.stderr()).toContain('--expires-at');
      expect(io.stderr()).toContain(reason);
      expect(io.stdout()).toBe('');
    }
    expect(await readFile(join(cwd, '.dev.vars'), 'utf8')).toBe(before);
  },
);

const CHANGED = 'has changed since this command read it. Nothing was changed.';

it.each([
  ...MAKERS,
  ['keys rotate', ['keys', 'rotate', '--env', '.dev.vars']],
  ['--from', ['platform', 'key', 'add', 'alpine', '--key-id', 'next', '--from', 'PLATFORM_ALPINE.json', '--deploy']],
] as const)('%s overwrites nothing that somebody else has written meanwhile', async (_name, words) => {
  const other = JSON.stringify({ ...PLATFORM, displayName: 'Changed' });
  const names = ['PLATFORM_ALPINE', 'PLATFORM_NORDIC', 'PROPERTY_AURORA', 'PROPERTY_BOREALIS', 'SEALING_KEYS'];
  const written = { '.dev.vars': names.map((name) => `${name}='${other}'\n`).join(''), 'PLATFORM_ALPINE.json': other };
  await writeFile(join(cwd, '.dev.vars'), `SEALING_KEYS='${'A'.repeat(43)}='\n`, { flag: 'a' });
  await writeFile(join(cwd, 'PLATFORM_ALPINE.json'), JSON.stringify(PLATFORM));
  const io = fakeIo({
    cwd,
    randomBytes: (length) => {
      for (const [file, text] of Object.entries(written)) writeFileSync(join(cwd, file), text);
      return new Uint8Array(length).fill(7);
    },
  });
  expect([await run([...words, '--json'], io), io.stdout()]).toEqual([2, '']);
  expect(io.stderr()).toContain(CHANGED);
  for (const [file, text] of Object.entries(written)) expect(await readFile(join(cwd, file), 'utf8')).toBe(text);
});

it('of commands at once, each that reports success has its line or key in the file', async () => {
  const atOnce = async (...commands: readonly (readonly string[])[]) =>
    Promise.all(
      commands.map(async (words) => {
        const io = fakeIo({ cwd });
        return { exitCode: await run([...words, '--env', '.dev.vars'], io), stdout: io.stdout(), stderr: io.stderr() };
      }),
    );
  const ids = ['one', 'two', 'three', 'four'];
  const hotels = await atOnce(...ids.map((id) => ['hotel', 'add', id, '--from', 'fields.json', '--no-login-check']));
  expect(hotels.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0]);
  const keys = await atOnce(...ids.map((id) => ['platform', 'key', 'add', 'alpine', '--key-id', id]));
  const text = await readFile(join(cwd, '.dev.vars'), 'utf8');
  for (const id of ids) expect(text).toContain(`PROPERTY_${id.toUpperCase()}=`);
  for (const [nth, { exitCode, stdout, stderr }] of keys.entries()) {
    expect(text.includes(`"id":"${ids[nth]}"`)).toBe(exitCode === 0);
    if (exitCode !== 0) expect([exitCode, stdout, stderr]).toEqual([2, '', expect.stringContaining(CHANGED)]);
  }
  expect(keys.some(({ exitCode }) => exitCode === 0)).toBe(true);
});

it('innkeep keys retire refuses a day that does not exist', async () => {
  const io = fakeIo({ cwd });
  expect(await run(['keys', 'retire', '--rotated-on', '2026-02-30'], io)).toBe(2);
  expect(io.stderr()).toContain('--rotated-on');
  expect(io.stderr()).toContain('a day that exists');
});

it('hotel check names each key of a site that may do more', async () => {
  const keys = {
    merchantKeys: [...KEYS.merchantKeys, { id: 'old', sha256: 'c'.repeat(64), scopes: ['checkout', 'moto'] }],
  };
  await writeFile(join(cwd, 'value.json'), JSON.stringify({ ...HOTEL, ...keys }));
  const io = fakeIo({ cwd });
  await run(['hotel', 'check', 'aurora', '--value-file', 'value.json'], io);
  expect(io.stdout()).toMatch(/^advice +key-scopes +The key “old” can also take card numbers \(moto\)\.$/m);
  expect(io.stdout()).toContain('Prove each other currency');
});
