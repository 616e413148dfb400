import { createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type ClaimedPort, claimPort, claimPortFrom } from './ports.ts';

/** Below what systems give out to whoever connects (Linux: from 32,768 on; others: from 49,152 on). */
const FIRST_OF_THE_SYSTEM = 32_768;

const claims: ClaimedPort[] = [];
const servers: Server[] = [];

afterEach(async () => {
  for (const { close } of claims.splice(0)) await close();
  for (const server of servers.splice(0)) server.close();
});

async function claimed(claim: Promise<ClaimedPort>): Promise<number> {
  const made = await claim;
  claims.push(made);
  return made.port;
}

async function listen(port: number): Promise<void> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
}

test('a port is claimed for one start, and none that a connection could take until its server listens', async () => {
  const ports = [];
  for (let n = 0; n < 200; n++) ports.push(await claimed(claimPort()));
  expect(new Set(ports).size).toBe(200);
  expect(Math.max(...ports)).toBeLessThan(FIRST_OF_THE_SYSTEM);
});

test('the port of the last start is kept, unless another start or another program has it', async () => {
  const port = await claimed(claimPort());
  expect(await claimed(claimPort(port))).not.toBe(port);
  await claims[0]?.close();
  expect(await claimed(claimPort(port))).toBe(port);
  await claims.at(-1)?.close();
  await listen(port);
  expect(await claimed(claimPort(port))).not.toBe(port);
});

test('a site has the first port from the usual one on that nobody has or waits for', async () => {
  const first = await claimed(claimPort());
  await claims[0]?.close();
  expect(await claimed(claimPortFrom(first))).toBe(first);
  expect(await claimed(claimPortFrom(first))).toBeGreaterThan(first);
});
