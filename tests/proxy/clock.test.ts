// Time that can be moved is for tests and development: nothing of it may be in what is deployed.

import { globSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { ownFolder } from '../support/own-folder.ts';
import { environment, serveIn } from './support/environment.ts';

const folder = ownFolder();
const DIST = fileURLToPath(new URL('../../packages/edge-proxy/dist', import.meta.url));
const built = (file: string): string => readFileSync(join(DIST, file), 'utf8');

afterEach(() => rmSync(join(folder, 'data'), { recursive: true, force: true }));

test.each([
  ['clock that can be moved', 'worker-clock.js', ['__clock', 'CLOCK_TOKEN', 'CLOCK_OFFSET_MS']],
  ['address that stops it', 'worker-launched.js', ['__stop', 'STOP_KEY']],
])('what is deployed has no %s', (_what, entry, words) => {
  // The words are those of the entry that has one.
  for (const word of words) expect(built(entry)).toContain(word);
  const files = [
    ...globSync('{bundle,bundle-moto}/*.js', { cwd: DIST }),
    'index.js',
    'moto.js',
    'runtime/worker-app.js',
  ];
  expect(files.length).toBeGreaterThan(13);
  for (const file of files) for (const word of words) expect(built(file), file).not.toContain(word);
});

test('a proxy without one answers like for any unknown address, and cannot be asked to move it', async () => {
  const settings = `${environment('http://127.0.0.1:1')}\nCLOCK_TOKEN=known\nCLOCK_OFFSET_MS=3600000\n`;
  const lines: string[] = [];
  const proxy = await serveIn(folder, settings, { onLine: (line) => lines.push(line) });
  try {
    const headers = { authorization: 'Bearer known' };
    const answer = await fetch(`${proxy.url}/__clock`, { method: 'POST', headers, body: '{"offsetMs":7200000}' });
    expect(answer.status).toBe(404);
    await expect(proxy.moveClock(1)).rejects.toThrow('without a clock');
  } finally {
    await proxy.close();
  }
  expect(lines.filter((line) => !line.startsWith('{'))).toEqual([]);
});

test('a clock moves forward only, and for whoever started the proxy', async () => {
  const proxy = await serveIn(folder, environment('http://127.0.0.1:1'), { clock: { offsetMs: 60_000 } });
  try {
    const stranger = await fetch(`${proxy.url}/__clock`, { method: 'POST', body: '{"offsetMs":7200000}' });
    expect(stranger.status).toBe(401);
    // Whoever asks in a wrong way is told so by the proxy, as without a clock.
    const lost = await new Promise((done, fail) => {
      const host = { host: '127.0.0.1:99999' };
      request(`${proxy.url}/v1/charges`, { headers: host }, (answer) => done(answer.resume().statusCode))
        .on('error', fail)
        .end();
    });
    expect(lost).toBe(400);
    await proxy.moveClock(120_000);
    await expect(proxy.moveClock(60_000)).rejects.toThrow('400');
  } finally {
    await proxy.close();
  }
});

test('a live hotel keeps the real time', async () => {
  const property = JSON.parse(/PROPERTY_AURORA='(.*)'/.exec(environment('https://pay.example'))?.[1] ?? '{}') as object;
  const live = { livemode: true, providerDirect: 'D', providerHosted: 'H', origins: ['https://hotel.example'] };
  const settings = `PROPERTY_AURORA='${JSON.stringify({ ...property, ...live })}'\nSEALING_KEYS=${'A'.repeat(43)}=\n`;
  const serving = serveIn(folder, settings, { clock: { offsetMs: 0 } });
  await expect(serving).rejects.toThrow('a live hotel keeps the real time');
});
