import { expect } from 'vitest';
import { Caller } from '../../test-support/caller.ts';
import { it } from '../../test-support/it.ts';
import { createSandbox } from '../server/sandbox.ts';

it('logs in with name and password and returns a bearer token', async () => {
  const api = new Caller({ sandbox: createSandbox() });
  expect(await api.login()).toEqual({
    status: 200,
    json: {
      username: 'demo',
      roles: ['USER'],
      access_token: expect.stringMatching(/^[A-Z0-9]{40,}$/),
      token_type: 'Bearer',
      expires_in: 4800,
    },
  });
});

it('refuses a wrong password', async () => {
  const api = new Caller({ sandbox: createSandbox() });
  const { status, json } = await api.login({ password: 'wrong' });
  expect([status, json.error]).toEqual([401, 'unauthorized']);
});

it.each(['', 'made-up'])('needs a bearer token for every request but login, and not “%s”', async (bearer) => {
  const api = new Caller({ sandbox: createSandbox() });
  api.bearer = bearer;
  const operations = ['createToken', 'pay', 'reversal', 'initpayNoIframe', 'initCreateTokenNoIframe'];
  const calls = operations.map((operation) => api.json(`/V2/1234/${operation}`, {}));
  for (const { status, json } of await Promise.all([...calls, api.paystatus('X'), api.transaction('X')]))
    expect([status, json.field]).toEqual([401, 'Authorization']);
});

it('lets a bearer token expire after expires_in', async ({ api, init }) => {
  api.sandbox.control.clock({ advanceSeconds: 4799 });
  expect((await api.paystatus(init.requestID)).status).toBe(200);
  api.sandbox.control.clock({ advanceSeconds: 1 });
  expect((await api.paystatus(init.requestID)).status).toBe(401);
  await api.login();
  expect((await api.paystatus(init.requestID)).status).toBe(200);
});

it('counts expires_in in minutes when told so', async () => {
  const api = await Caller.loggedIn({ expiresInUnit: 'minutes' });
  api.sandbox.control.clock({ advanceSeconds: 4801 });
  expect((await api.initpay()).status).toBe(200);
});

it('wants JSON with its content type', async () => {
  const api = new Caller({ sandbox: createSandbox() });
  const body = JSON.stringify({ username: 'demo', password: 'demo-password' });
  const plain = await api.raw('/login', { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body });
  expect(plain.status).toBe(415);
  const broken = await api.raw('/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    body: '{"username":',
  });
  expect(broken.status).toBe(400);
});
