import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { type SiteVariables, writeEnvLocal } from './env-local.ts';

const VARIABLES: SiteVariables = {
  SITE_URL: 'http://127.0.0.1:3000',
  INNKEEP_ENDPOINT: 'http://127.0.0.1:4000',
  INNKEEP_SECRET_KEY: 'sk_test_dev_x',
  INNKEEP_WEBHOOK_SECRET: 'whsec_eA==',
};
const WRITTEN = Object.entries(VARIABLES)
  .map(([name, value]) => `${name}='${value}'\n`)
  .join('');

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'innkeep-env-local-'));
  path = join(folder, '.env.local');
  return () => rm(folder, { recursive: true, force: true });
});

/** What becomes of a file with this text. */
async function written(text: string): Promise<string> {
  await writeFile(path, text);
  await writeEnvLocal(folder, VARIABLES);
  return readFile(path, 'utf8');
}

describe('writeEnvLocal', () => {
  it.each([
    ['a value of many lines', 'CERT="-----BEGIN-----\nabc\n-----END-----"\nA=1\n'],
    ['# in a value', 'COLOUR=#ff0000\nPASSWORD=a#b\nA=1 # one\n'],
    ['what is no assignment', 'just words\nA=1\n\n\n'],
    ['quotes in a value', `GREETING=it's "here"\n`],
    ['the ends of lines that Windows has', 'CERT="a\r\nb"\r\nA=1\r\n'],
    ['its names in comments and in longer names', '# SITE_URL=old\nMY_SITE_URL=mine\n'],
  ])('leaves %s as it is', async (_what, text) => {
    expect(await written(text)).toBe(text + WRITTEN);
    await writeEnvLocal(folder, { ...VARIABLES, SITE_URL: 'http://127.0.0.1:3001' });
    expect((await readFile(path, 'utf8')).startsWith(text)).toBe(true);
  });

  it('replaces its own names, however they are written, and keeps a key that it replaces', async () => {
    const text = await written(
      "SITE_URL=http://old.test\nA=1\n  export INNKEEP_SECRET_KEY = 'sk_test_other' # mine\nSITE_URL=older",
    );
    expect(text).toBe(
      `A=1\n${WRITTEN.replace('INNKEEP_SECRET_KEY', "# Before innkeep dev: INNKEEP_SECRET_KEY='sk_test_other'\nINNKEEP_SECRET_KEY")}`,
    );
  });

  it('writes nothing anew when nothing has changed', async () => {
    const text = await written('A="b\nc"\n');
    await writeEnvLocal(folder, VARIABLES);
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it.each([
    ['INNKEEP_SECRET_KEY=sk_live_x\n', 'a live merchant key'],
    ['\uFEFFINNKEEP_SECRET_KEY="sk_live_x"\n', 'a live merchant key'],
    ['INNKEEP_SECRET_KEY=sk_live_x\nINNKEEP_SECRET_KEY=sk_test_x\n', 'a live merchant key'],
    ["A='x\n", 'Close each quote'],
    ['A="x\nSITE_URL=y"\n', 'Close each quote'],
    ['SITE_URL="x\nB=y"\n', 'Close each quote'],
  ])('refuses %j, and leaves it as it is', async (text, reason) => {
    await writeFile(path, text);
    await expect(writeEnvLocal(folder, VARIABLES)).rejects.toSatisfy((error: Error & { next: readonly string[] }) =>
      [error.message, ...error.next].join(' ').includes(reason),
    );
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it('begins a file that was not there by saying whose it is', async () => {
    await writeEnvLocal(folder, VARIABLES);
    const text = await readFile(path, 'utf8');
    expect(text).toMatch(/^# Written by innkeep dev/);
    expect({ ...parseEnv(text) }).toEqual(VARIABLES);
  });
});
