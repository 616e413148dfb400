// A sandbox that a process serves for itself. Its endpoints over HTTP: scenarios.test.ts.
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { serveSandbox } from '@innkeep/sandbox';
import { expect, it } from 'vitest';

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
