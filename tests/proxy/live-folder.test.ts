// A folder in which a live platform was served may have live hotels: its proxy reaches public addresses only, whoever is configured now.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownFolder } from '../support/own-folder.ts';
import { environment, saidDuring, serveIn } from './support/environment.ts';

const root = ownFolder();
const dataDir = join(root, 'data');
const marker = join(dataDir, 'served-live');

/** Which networks are reached, and what is said, when this platform is configured besides a test hotel. */
async function networks(platform: object | undefined): Promise<{ networks: unknown; said: string }> {
  const line = platform === undefined ? '' : `PLATFORM_ALPINE='${JSON.stringify(platform)}'\n`;
  const settings = `PUBLIC_URL=https://pay.hotel.example\n${environment('http://127.0.0.1:1')}SEALING_KEYS=${'A'.repeat(43)}=\n${line}`;
  const said = (await saidDuring(async () => (await serveIn(root, settings)).close())).join('\n');
  return { networks: /allow = (\[.*?\])/.exec(readFileSync(join(dataDir, 'workerd.capnp'), 'utf8'))?.[1], said };
}

test('a folder whose hotels may be live has its proxy reach public addresses only', async () => {
  const keys = [{ id: 'all', sha256: 'a'.repeat(64), scopes: ['properties'], properties: ['*'] }];
  const platform = { displayName: 'Alpine', keys };
  const all = { networks: '["public", "private", "local"]', said: '' };
  const some = { networks: '["public"]', said: '' };
  const told = { ...some, said: expect.stringContaining(marker) };

  expect(await networks(platform)).toEqual(all);
  // Nobody can say what it is.
  expect(await networks({ ...platform, colour: 'red' })).toEqual({ ...some, said: expect.stringContaining('colour') });
  expect(await networks({ ...platform, livemode: true })).toEqual(some);
  expect(await networks(platform)).toEqual(told);
  expect(await networks(undefined)).toEqual(told);
  rmSync(marker);
  expect(await networks(undefined)).toEqual(all);
}, 60_000);
