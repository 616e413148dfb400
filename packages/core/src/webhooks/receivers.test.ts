import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { describe, expect, it, onTestFinished } from 'vitest';
import { byteByByte } from '../../test-support/byte-by-byte.ts';
import { fastifyWebhook, fetchWebhook, type HandleWebhook, nodeWebhook, signWebhook } from './index.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const body = JSON.stringify({ id: 'ev_1', type: 'checkout.succeeded', seq: 7, data: { object: { note: 'Grüße' } } });

const RAW = express.raw({ type: '*/*' });
const ignore: HandleWebhook = () => undefined;

/** Sends a request to one framework's server. */
type Send = (init: { method?: string; headers?: Record<string, string>; body?: string }) => Promise<Response>;

async function listen(listener: RequestListener): Promise<Send> {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return (init) => fetch(`http://127.0.0.1:${port}/hooks`, { method: 'POST', ...init });
}

const SERVERS: Readonly<Record<string, (handle: HandleWebhook) => Promise<Send>>> = {
  'a fetch handler': async (handle) => {
    const receive = fetchWebhook(secret, handle);
    return (init) => receive(new Request('https://hotel.example/hooks', { method: 'POST', ...init }));
  },
  Hono: async (handle) => {
    const receive = fetchWebhook(secret, handle);
    const app = new Hono()
      .all('/hooks', (c) => receive(c.req.raw))
      .onError((error) => {
        throw error;
      });
    return async (init) => app.request('/hooks', { method: 'POST', ...init });
  },
  'node:http': async (handle) => {
    const receive = nodeWebhook(secret, handle);
    return listen((request, response) => {
      receive(request, response).catch(() => response.writeHead(500).end());
    });
  },
  Express: async (handle) => listen(quiet(express().all('/hooks', nodeWebhook(secret, handle)))),
  // Its own error handling prints nothing when it is tested.
  'Express as it is': async (handle) => listen(express().set('env', 'test').all('/hooks', nodeWebhook(secret, handle))),
  'Express with express.raw': async (handle) =>
    listen(quiet(express().use(RAW).all('/hooks', nodeWebhook(secret, handle)))),
  Fastify: async (handle) => {
    const app = fastify();
    app.register(fastifyWebhook(secret, handle), { prefix: '/hooks' });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    onTestFinished(() => app.close());
    return (init) => fetch(`${url}/hooks`, { method: 'POST', ...init });
  },
};

/** An Express app that prints no errors. */
function quiet(app: express.Express): express.Express {
  const answer: express.ErrorRequestHandler = (error, _request, response, _next) => {
    response.status(500).send(error instanceof Error ? error.message : '');
  };
  return app.use(answer);
}

async function signed(text = body): Promise<{ headers: Record<string, string>; body: string }> {
  const headers = await signWebhook({ id: 'ev_1', timestamp: new Date(), body: text, secret });
  return { headers: { ...headers, 'content-type': 'application/json' }, body: text };
}

describe.each(Object.entries(SERVERS))('a webhook receiver for %s', (name, serve) => {
  it('verifies the raw body, calls once, and answers 204', async () => {
    const events: unknown[] = [];
    const send = await serve((event) => events.push(event));
    const answer = await send(await signed());
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    expect(events).toEqual([JSON.parse(body)]);
  });

  it('answers 400 to what the proxy did not sign, says why, and calls nobody', async () => {
    const events: unknown[] = [];
    const send = await serve((event) => events.push(event));
    const { headers } = await signed();
    const other = await send({ headers, body: `${body} ` });
    expect([other.status, await other.text()]).toEqual([400, 'No signature of the webhook matches a secret.']);
    const bare = await send({ headers: { 'content-type': 'application/json' }, body });
    expect([bare.status, await bare.text()]).toEqual([400, 'The webhook-id header is missing.']);
    expect((await send({})).status).toBe(400);
    expect(events).toEqual([]);
  });

  it('answers 413 to a body that no webhook has', async () => {
    const send = await serve(ignore);
    const { status } = await send(await signed('x'.repeat(1_048_577)));
    expect(status).toBe(name === 'Express with express.raw' ? 500 : 413);
  });

  it.each([
    ['', {}],
    [' with the status of another service', { status: 410 }],
    [' with the code of another service', { statusCode: 410 }],
  ])('leaves an error of the handler%s to the server, so that the event comes again', async (_with, about) => {
    const error = Object.assign(new Error('The database is down.'), about);
    const send = await serve(() => {
      throw error;
    });
    const status = await send(await signed()).then(
      (answer) => answer.status,
      (thrown: Error & { status?: number }) => [thrown.message, thrown.stack, thrown.status],
    );
    expect([['The database is down.', error.stack, undefined], 500]).toContainEqual(status);
  });

  it('answers another method without calling', async () => {
    const send = await serve(() => {
      throw new Error('called');
    });
    const { status } = await send({ method: 'GET' });
    expect(status).toBe(name === 'Fastify' ? 404 : 405);
  });
});

describe('a webhook receiver', () => {
  it('says what to do when express.json() was faster', async () => {
    const app = quiet(express().use(express.json()).post('/hooks', nodeWebhook(secret, ignore)));
    const answer = await (await listen(app))(await signed());
    expect(answer.status).toBe(500);
    expect(await answer.text()).toContain('Mount the receiver before express.json()');
  });

  it('takes the bytes that a platform keeps beside the parsed body', async () => {
    const events: unknown[] = [];
    const keep = express.json({ verify: (request, _response, bytes) => Object.assign(request, { rawBody: bytes }) });
    const receive = nodeWebhook(secret, (event) => events.push(event));
    const app = express().use(keep).post('/hooks', receive);
    expect((await (await listen(app))(await signed())).status).toBe(204);
    expect(events).toHaveLength(1);
  });

  it('keeps no memory that a piece of a body does not fill', async () => {
    const { headers } = await signed();
    const init = { method: 'POST', headers, body: byteByByte(body), duplex: 'half' };
    const { status } = await fetchWebhook(secret, ignore)(new Request('https://hotel.example/hooks', init));
    expect(status).toBe(204);
  });

  it('says what to do with a Request that was read before', async () => {
    const request = new Request('https://hotel.example/hooks', { method: 'POST', ...(await signed()) });
    await request.json();
    await expect(fetchWebhook(secret, ignore)(request)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('before anything else reads its body'),
    });
  });

  it('does not call a missing secret a forgery', async () => {
    const request = new Request('https://hotel.example/hooks', { method: 'POST', ...(await signed()) });
    await expect(fetchWebhook('', ignore)(request)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('leaves the rest of a Fastify app as it was', async () => {
    const app = fastify();
    app.register(fastifyWebhook(secret, ignore), { prefix: '/hooks' });
    app.post('/other', async (request) => request.body);
    const { payload } = await app.inject({ method: 'POST', url: '/other', payload: { parsed: true } });
    expect(payload).toBe('{"parsed":true}');
  });
});
