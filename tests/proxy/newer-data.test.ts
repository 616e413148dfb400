// A folder that a newer version of the proxy has used is refused before anything in it is touched.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveProxy } from '@innkeep/edge-proxy/serve';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from '../../scripts/launch.ts';
import { environment } from './support/proxy-under-test.ts';

let root: string;
let dataDir: string;
let envFile: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'innkeep-newer-'));
  dataDir = join(root, 'data');
  envFile = join(root, 'proxy.env');
  writeFileSync(envFile, environment('http://127.0.0.1:1'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const start = async () => serveProxy({ port: await freePort(), envFile, dataDir, onLine: () => undefined });
const version = (): string => readFileSync(join(dataDir, 'schema-version'), 'utf8');

test('a folder has the version of its data, and serves again', async () => {
  for (let nth = 0; nth < 2; nth++) {
    await (await start()).close();
    expect(version()).toBe('1\n');
  }
});

test.each(['2\n', 'next'])('a folder of version %j is refused as it is', async (newer) => {
  mkdirSync(dataDir, { mode: 0o700 });
  writeFileSync(join(dataDir, 'schema-version'), newer);
  const settings = readFileSync(envFile, 'utf8');
  await expect(start()).rejects.toThrow(
    `--data: a newer version of the proxy has used ${dataDir}: its data have version "${newer.trim()}", this proxy knows 1. Nothing was changed. Start the newer version again, or name the copy of the folder that you made before it.`,
  );
  expect([readdirSync(dataDir), version(), readFileSync(envFile, 'utf8')]).toEqual([
    ['schema-version'],
    newer,
    settings,
  ]);
});
