import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { freePort, freePortFrom, isPortFree } from './ports.ts';

/** Below what systems give out to whoever connects (Linux: from 32,768 on; others: from 49,152 on). */
const FIRST_OF_THE_SYSTEM = 32_768;

test('a port is given once, and none that a connection could take until its server listens', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, () => freePort()));
  expect(new Set(ports).size).toBe(20);
  expect(Math.max(...ports)).toBeLessThan(FIRST_OF_THE_SYSTEM);
});

test('the wanted port is given while nobody listens there, and a site gets the first free one from there on', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  expect(await isPortFree(port)).toBe(false);
  expect(await freePort(port)).not.toBe(port);
  expect(await freePortFrom(port)).not.toBe(port);
  server.close();
  await once(server, 'close');
  expect(await freePort(port)).toBe(port);
});
