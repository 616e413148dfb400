import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { forwardTo, serveHandler } from './forward-requests.ts';

const cleanup: Array<() => void | Promise<void>> = [];
afterEach(async () => {
  for (const close of cleanup.splice(0)) await close();
});

test.each([{ expect: '100-continue' }, { connection: 'Upgrade', upgrade: 'h2c' }])(
  'keeps to itself what a client asks of the connection: %j',
  async (headers) => {
    const seen: unknown[] = [];
    const url = await inFrontOf(({ headers: { expect: expected, upgrade } }, response) => {
      seen.push(expected, upgrade);
      response.end();
    });
    const status = await new Promise((resolve, reject) => {
      const request = httpRequest(url, { method: 'POST', headers }, (answer) => resolve(answer.statusCode));
      request.on('error', reject).end('hello');
    });
    expect([status, ...seen]).toEqual([200, undefined, undefined]);
  },
);

test('a connection that breaks before an answer breaks for the client, too', async () => {
  const url = await inFrontOf((request) => request.socket.destroy());
  await expect(fetch(url)).rejects.toMatchObject({ cause: { code: 'UND_ERR_SOCKET' } });
});

test('a client that leaves before the answer leaves the other server, too', async () => {
  let leave = (): void => {};
  const left = new Promise<void>((resolve) => {
    void inFrontOf((request) => {
      request.socket.once('close', () => resolve());
      leave();
    }).then((url) => {
      const request = httpRequest(url);
      request.on('error', () => {});
      leave = () => request.destroy();
      request.end();
    });
  });
  await left;
});

async function inFrontOf(listener: Parameters<typeof createServer>[1]): Promise<string> {
  const behind = createServer(listener as NonNullable<typeof listener>);
  const targetPort = await listen(behind);
  cleanup.push(() => {
    behind.closeAllConnections();
    behind.close();
  });
  const probe = createServer();
  const port = await listen(probe);
  await new Promise((resolve) => probe.close(resolve));
  const front = await serveHandler(forwardTo(targetPort), port);
  cleanup.push(() => front.close());
  return `http://127.0.0.1:${port}`;
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    // A server that listens on a port has an address with one.
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
