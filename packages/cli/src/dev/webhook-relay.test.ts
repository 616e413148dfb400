import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from './ports.ts';
import { serveRelay } from './webhook-relay.ts';

const EVENT = { type: 'charge.failed', timestamp: '2026-06-01T12:00:00.000Z', data: { object: {} } };

/** A relay for a site at a port, and what it has asked the proxy for. */
async function relayTo(port: number) {
  const redelivered: string[] = [];
  const relay = await serveRelay({
    port: await freePort(undefined),
    path: '/hook',
    forwardTo: `http://127.0.0.1:${port}/hooks`,
    signAgainWith: undefined,
    redeliver: async (event) => redelivered.push(event),
    fetch,
    print: () => undefined,
  });
  onTestFinished(() => relay.close());
  const send = async (id = 'ev_1') =>
    (await fetch(relay.url, { method: 'POST', body: JSON.stringify({ ...EVENT, id }) })).status;
  return { send, redelivered };
}

test('a site that is started gets at once all that it has missed, once', async () => {
  const site = createServer((_request, response) => response.writeHead(204).end());
  const port = await freePort(undefined);
  const { send, redelivered } = await relayTo(port);
  expect([await send(), await send(), await send('ev_2'), redelivered]).toEqual([502, 502, 502, []]);
  site.listen(port, '127.0.0.1');
  onTestFinished(() => void site.close());
  await vi.waitFor(() => expect(redelivered).toContain('ev_2'), { timeout: 10_000 });
  expect(redelivered).toEqual(['ev_1', 'ev_2']);
});

test('a site that breaks off is not watched: the proxy tries again when it would', async () => {
  let connections = 0;
  const site = createServer().on('connection', (socket) => {
    connections += 1;
    socket.destroy();
  });
  site.listen(0, '127.0.0.1');
  onTestFinished(() => void site.close());
  await once(site, 'listening');
  const { send, redelivered } = await relayTo((site.address() as AddressInfo).port);
  const looks = vi.spyOn(globalThis, 'setInterval');
  expect([await send(), connections > 0, looks.mock.calls, redelivered]).toEqual([502, true, [], []]);
});
