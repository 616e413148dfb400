// Where the proxy listens: on loopback unless somebody says otherwise.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveProxy } from '@innkeep/edge-proxy/serve';
import { afterAll, expect, test } from 'vitest';
import { toAuthority } from '../../packages/edge-proxy/dist/runtime/serve-workerd-config.js';
import { freePort } from '../../scripts/launch.ts';
import { environment } from './support/proxy-under-test.ts';

const root = mkdtempSync(join(tmpdir(), 'innkeep-listen-'));
const envFile = join(root, 'proxy.env');
const dataDir = join(root, 'data');
writeFileSync(envFile, environment('http://127.0.0.1:1'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const others = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .filter(({ family, internal }) => family === 'IPv4' && !internal);

test('--host opens it to other machines, and nothing else does', async () => {
  const port = await freePort();
  const isServing = (address: string): Promise<boolean> =>
    fetch(`http://${address}:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  const everywhere = await serveProxy({ host: '0.0.0.0', port, envFile, dataDir });
  expect(everywhere.url).toBe(`http://127.0.0.1:${port}`);
  for (const { address } of others) expect(await isServing(address)).toBe(true);
  await everywhere.close();
  const loopback = await serveProxy({ port, envFile, dataDir });
  for (const { address } of others) expect(await isServing(address)).toBe(false);
  await loopback.close();
});

test.each([
  ['pay.hotel.example', '--host: pay.hotel.example is not an IP address'],
  ['192.0.2.1', '--host: 192.0.2.1 is no address of this machine'],
])('%s is refused by name', async (host, message) => {
  await expect(serveProxy({ host, port: await freePort(), envFile, dataDir })).rejects.toThrow(message);
});

test('an IPv6 address stands in brackets', () => {
  expect([toAuthority('::', 80), toAuthority('0.0.0.0', 80)]).toEqual(['[::]:80', '0.0.0.0:80']);
});
