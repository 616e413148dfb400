import { describe, expect, test } from 'vitest';
import type { Exchange, Server } from './exchange.ts';
import { type Handler, type Recorder, recordExchanges } from './record-exchanges.ts';

const SESSION = `cs_${'A'.repeat(26)}`;
const CLIENT_SECRET = `${SESSION}_${'x'.repeat(43)}`;
const MERCHANT_KEY = 'sk_test_1234567890abcdef';
const PASSWORD = 'correct-horse-battery';

describe('the recorder', () => {
  test('passes request and answer on as they are and records both', async () => {
    const seen: string[] = [];
    const { fetch, last } = recorded('proxy', async (request) => {
      seen.push(`${request.method} ${request.url} ${request.headers.get('x-a')} ${await request.text()}`);
      return new Response('pong', { status: 201, headers: { 'x-b': 'c', 'content-type': 'text/plain' } });
    });
    const answer = await fetch('http://p/v1/x?y=1', {
      method: 'POST',
      body: 'ping',
      headers: { 'x-a': 'b', 'content-type': 'text/plain', authorization: `Bearer ${MERCHANT_KEY}` },
    });
    expect(seen).toEqual(['POST http://p/v1/x?y=1 b ping']);
    expect([answer.status, answer.headers.get('x-b'), await answer.text()]).toEqual([201, 'c', 'pong']);
    expect(await last()).toMatchObject({
      ...{ from: 'hotel', to: 'proxy', method: 'POST', path: '/v1/x?y=[redacted]', status: 201 },
      durationMs: expect.any(Number),
      request: 'authorization: [redacted]\ncontent-type: text/plain\nx-a: b\n\nping',
      answer: 'content-type: text/plain\nx-b: c\n\npong',
    });
  });

  test('passes a failure on and records that no answer came', async () => {
    const { fetch, last } = recorded('upstream', () => {
      throw new TypeError('fetch failed');
    });
    await expect(fetch('http://u/V2/1/pay', { method: 'POST' })).rejects.toThrow('fetch failed');
    expect(await last()).toMatchObject({ status: null, answer: '' });
  });

  test('follows no redirect and shows where it leads', async () => {
    const { fetch, last } = recorded('proxy', () => Response.redirect('http://h/bookings/1', 303));
    expect((await fetch(`http://p/return/${SESSION}/${'n'.repeat(43)}/success`)).status).toBe(303);
    const { answer, path } = await last();
    expect(answer).toBe('location: http://h/bookings/1\n');
    expect(path).toBe(`/return/${SESSION}/[redacted]/success`);
  });

  test('lets a streamed answer through while it is made', async () => {
    let send = (_: string): void => {};
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        send = (text) => (text === '' ? controller.close() : controller.enqueue(new TextEncoder().encode(text)));
      },
    });
    const { fetch, last } = recorded('proxy', () => new Response(body, { headers: { 'content-type': 'text/plain' } }));
    const reader = (await fetch('http://p/')).body?.getReader();
    send('one');
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('one');
    send('two');
    send('');
    expect((await last()).answer).toMatch(/\n\nonetwo$/);
  });

  test('lays out JSON and forms for reading, with secrets redacted', async () => {
    const { fetch, last } = recorded('hotel', () => Response.json({ clientSecret: CLIENT_SECRET, note: PASSWORD }));
    await fetch('http://h/', { method: 'POST', body: new URLSearchParams({ guest: 'Ada', cvc: '737' }) });
    const { request, answer } = await last();
    expect(request).toMatch(/\n\n{\n {2}"guest": "Ada",\n {2}"cvc": "\[redacted\]"\n}$/);
    expect(answer).toMatch(/\n\n{\n {2}"clientSecret": "\[redacted\]",\n {2}"note": "\[redacted\]"\n}$/);
  });

  test('reads XML in the encoding of the gateway, with secrets redacted', async () => {
    const body = Uint8Array.from(
      [...`<name>J\u00fcrgen ${PASSWORD}</name>`].map((character) => character.charCodeAt(0)),
    );
    const { fetch, last } = recorded('upstream', () => new Response(body, { headers: { 'content-type': 'text/xml' } }));
    await fetch('http://u/1234/API/RMS/roomreq');
    expect((await last()).answer).toContain('<name>J\u00fcrgen [redacted]</name>');
  });

  test.each([
    ['text/html; charset=UTF-8', `<p>${PASSWORD}`, '(a page or file, not kept)'],
    ['image/svg+xml', '<svg/>', '(a page or file, not kept)'],
    ['application/json', '{"password":"cut o', '(could not be read)'],
    ['text/plain', 'a'.repeat(300_000), '(too long to be kept)'],
    ['text/plain', 'a'.repeat(100_000), 'a'.repeat(10_000)],
  ])('of %s keeps what it can redact and somebody would read', async (type, body, kept) => {
    const { fetch, last } = recorded('hotel', () => new Response(body, { headers: { 'content-type': type } }));
    expect(await (await fetch('http://h/')).text()).toBe(body);
    expect((await last()).answer).toBe(`content-type: ${type}\n\n${kept}`);
  });

  test('never fails or waits because of its record', async () => {
    const errors: unknown[] = [];
    const { fetch } = recorded('hotel', () => new Response('ok'), {
      record: () => Promise.reject(new Error('no room')),
      onError: (error) => errors.push(error),
    });
    expect(await (await fetch('http://h/')).text()).toBe('ok');
    await expect.poll(() => errors).toHaveLength(1);
    const stuck = recorded('hotel', () => new Response('ok'), { record: () => new Promise(() => {}) });
    expect(await (await stuck.fetch('http://h/')).text()).toBe('ok');
  });

  test.each(['/wire', '/wire/clear', '/public/wire-panel.js', '/__sandbox/clock', '/v1/events?after=3'])(
    'leaves out %s, which is no part of a payment',
    async (path) => {
      const { fetch, records } = recorded('hotel', () => new Response('ok'));
      await fetch(`http://h${path}`);
      await fetch('http://h/wireless');
      await expect.poll(() => records.map((record) => record.path)).toEqual(['/wireless']);
    },
  );

  test.each([
    ['proxy', 'http://p/v1/checkout', { authorization: `Bearer ${CLIENT_SECRET}` }, 'browser'],
    ['proxy', 'http://p/v1/charges', { authorization: `Bearer ${MERCHANT_KEY}` }, 'hotel'],
    ['upstream', 'http://u/V2/1/pay', {}, 'proxy'],
    ['upstream', 'http://u/1/hosted/payment?PD=x', {}, 'browser'],
    ['hotel', 'http://h/desk', {}, 'browser'],
    ['hotel', 'http://h/hooks', { 'webhook-signature': 'v1,x' }, 'proxy'],
  ] as const)('to the %s, %s was sent by who alone can send it', async (to, url, headers, from) => {
    const { fetch, last } = recorded(to, () => new Response('ok'));
    await fetch(url, { headers });
    expect((await last()).from).toBe(from);
  });
});

function recorded(to: Server, handler: Handler, changes: Partial<Recorder> = {}) {
  const records: Exchange[] = [];
  const server = recordExchanges(handler, to, {
    secrets: [PASSWORD],
    record: (exchange) => {
      records.push(exchange);
    },
    onError: (error) => {
      throw error;
    },
    ...changes,
  });
  return {
    records,
    fetch: async (url: string, init?: RequestInit) => server(new Request(url, init)),
    last: async () => {
      await expect.poll(() => records).not.toEqual([]);
      return records.at(-1) as Exchange;
    },
  };
}
