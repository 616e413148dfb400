// Every endpoint of the specification once over real HTTP: what only a socket can break would break here.
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { serveSandbox } from '@innkeep/sandbox';
import { expect, it } from 'vitest';
import { servedCaller } from './served-caller.ts';

const KEY = '0123456789'.repeat(4);

it('serves both hosted flows over HTTP, with addresses on the origin of the request', async () => {
  const caller = await servedCaller();
  for (const { json: init } of [await caller.initpay(), await caller.initToken()]) {
    expect(new URL(init.viewUrl).origin).toBe(caller.origin);
    expect(new URL(init.stateRetrivalUrl).origin).toBe(caller.origin);
    expect((await caller.raw(init.viewUrl)).headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect((await caller.submit(init.viewUrl)).status).toBe(303);
    expect((await caller.get(init.stateRetrivalUrl)).json.state).toBe(1);
    expect((await caller.paystatus(init.requestID)).json.state).toBe(1);
    expect((await caller.transaction(init.requestID)).json.status).toBe('_done');
  }
});

it('serves the gateway over HTTP, in the bytes of Latin-1', async () => {
  const caller = await servedCaller();
  const room = await caller.raw(`/1234/API/RMS/roomreq?api_key=${KEY}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'transno=1&roomreq=101&extraInfo=&mandator=1',
  });
  // J, ö in one byte, r, g.
  const bytes = Buffer.from(await room.arrayBuffer());
  expect([room.status, bytes.includes(Buffer.from([0x4a, 0xf6, 0x72, 0x67]))]).toEqual([200, true]);
});

it('serves with the credentials it is given, without a sandbox made first', async () => {
  const served = await serveSandbox({ port: 0, sandbox: { username: 'u', password: 'p' } });
  const body = JSON.stringify({ username: 'u', password: 'p' });
  const headers = { 'Content-Type': 'application/json' };
  const sent = request(`${served.url}/login`, { agent: new Agent({ keepAlive: true }), method: 'POST', headers }).end(
    body,
  );
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  sent.destroy();
  await served.close();
  expect(response.statusCode).toBe(200);
  // A client goes by this, and does not send just as the connection is closed.
  expect(response.headers['keep-alive']).toBe('timeout=60');
});
