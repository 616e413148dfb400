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
      from: 'hotel',
      to: 'proxy',
      method: 'POST',
      path: '/v1/x?y=[redacted]',
      state: 'answered',
      durationMs: expect.any(Number),
      request: { headers: { authorization: '[redacted]' }, body: { type: 'text/plain', text: 'ping' } },
      answer: { status: 201, body: { text: 'pong' } },
    });
  });

  test('records a request before its answer is there', async () => {
    let respond = (_: Response): void => {};
    const { fetch, records } = recorded(
      'upstream',
      () =>
        new Promise((resolve) => {
          respond = resolve;
        }),
    );
    const answer = fetch('http://u/1234/paystatus?requestid=R1');
    await expect.poll(() => records.map(({ state }) => state)).toEqual(['waiting']);
    respond(Response.json({ state: 0 }));
    await answer;
    await expect.poll(() => records.at(-1)?.state).toBe('answered');
    expect(records.at(-1)?.id).toBe(records[0]?.id);
    expect(records.at(-1)?.caption).toBe('The proxy asks for the state: not yet');
    expect(records.at(-1)?.about).toEqual(['request:R1']);
  });

  test('passes a failure on and records that no answer came', async () => {
    const { fetch, last } = recorded('upstream', () => {
      throw new TypeError('fetch failed');
    });
    await expect(
      fetch('http://u/V2/1/pay', {
        method: 'POST',
        body: '{"amount":"100","currency":"EUR"}',
        headers: { 'content-type': 'application/json' },
      }),
    ).rejects.toThrow('fetch failed');
    expect(await last()).toMatchObject({
      state: 'lost',
      answer: null,
      caption: 'The proxy charges the stored card €1.00',
    });
  });

  test('follows no redirect and shows where it leads', async () => {
    const { fetch, last } = recorded('proxy', () => Response.redirect('http://h/bookings/1', 303));
    expect((await fetch(`http://p/return/${SESSION}/${'n'.repeat(43)}/success`)).status).toBe(303);
    const { answer, path } = await last();
    expect(answer?.headers).toEqual({ location: 'http://h/bookings/1' });
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
    expect((await last()).answer?.body?.text).toBe('onetwo');
  });

  test('lays out JSON and forms for reading, with secrets redacted', async () => {
    const { fetch, last } = recorded('hotel', () => Response.json({ clientSecret: CLIENT_SECRET, note: PASSWORD }));
    await fetch('http://h/', { method: 'POST', body: new URLSearchParams({ guest: 'Ada', cvc: '737' }) });
    const { request, answer } = await last();
    expect(request.body?.text).toBe('{\n  "guest": "Ada",\n  "cvc": "[redacted]"\n}');
    expect(answer?.body?.text).toBe('{\n  "clientSecret": "[redacted]",\n  "note": "[redacted]"\n}');
  });

  test('reads XML in the encoding of the gateway', async () => {
    const body = Uint8Array.from([...'<name>J\u00fcrgen</name>'].map((character) => character.charCodeAt(0)));
    const { fetch, last } = recorded('upstream', () => new Response(body, { headers: { 'content-type': 'text/xml' } }));
    await fetch('http://u/1234/API/RMS/roomreq');
    expect((await last()).answer?.body?.text).toBe('<name>J\u00fcrgen</name>');
  });

  test.each([
    ['text/event-stream', new ReadableStream<Uint8Array>(), 'A stream without an end, which is not kept.'],
    ['text/html; charset=UTF-8', `<p>${PASSWORD}`, 'A page, whose markup is not kept.'],
    ['image/svg+xml', '<svg/>', 'A file, which is not kept.'],
    ['application/json', '{"password":"cut o', 'Could not be read.'],
    ['text/plain', 'a'.repeat(300_000), 'Too long to be kept.'],
  ])('keeps nothing of %s that it cannot redact or nobody would read', async (type, body, note) => {
    const { fetch, last } = recorded('hotel', () => new Response(body, { headers: { 'content-type': type } }));
    const answer = await fetch('http://h/');
    if (typeof body === 'string') expect(await answer.text()).toBe(body);
    expect((await last()).answer?.body).toEqual({ type: type.split(';')[0], text: '', note });
  });

  test('keeps the beginning of a long text', async () => {
    const { fetch, last } = recorded(
      'hotel',
      () => new Response('a'.repeat(100_000), { headers: { 'content-type': 'text/plain' } }),
    );
    await fetch('http://h/');
    const body = (await last()).answer?.body;
    expect([body?.text.length, body?.note]).toEqual([10_000, 'Only the beginning is kept.']);
  });

  test('never fails or waits because of its record', async () => {
    const errors: unknown[] = [];
    const { fetch } = recorded('hotel', () => new Response('ok'), {
      record: () => Promise.reject(new Error('no room')),
      onError: (error) => errors.push(error),
    });
    expect(await (await fetch('http://h/')).text()).toBe('ok');
    await expect.poll(() => errors).toHaveLength(2);
    const stuck = recorded('hotel', () => new Response('ok'), { record: () => new Promise(() => {}) });
    expect(await (await stuck.fetch('http://h/')).text()).toBe('ok');
  });

  test.each(['/wire', '/wire/exchanges', '/public/wire-panel.js', '/__sandbox/clock'])(
    'leaves out %s, which is no part of a payment',
    async (path) => {
      const { fetch, records } = recorded('hotel', () => new Response('ok'));
      await fetch(`http://h${path}`);
      await fetch('http://h/wireless');
      await expect.poll(() => records.at(-1)?.state).toBe('answered');
      expect(new Set(records.map((record) => record.path))).toEqual(new Set(['/wireless']));
    },
  );

  test.each([
    ['proxy', 'http://p/v1/checkout', { authorization: `Bearer ${CLIENT_SECRET}` }, 'browser'],
    ['proxy', 'http://p/v1/charges', { authorization: `Bearer ${MERCHANT_KEY}` }, 'hotel'],
    ['upstream', 'http://u/V2/1/pay', {}, 'proxy'],
    ['upstream', 'http://u/1/hosted/payment?PD=x', {}, 'browser'],
    ['upstream', 'http://u/__sandbox/assets/hosted-page.css', {}, 'browser'],
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
      await expect.poll(() => records.at(-1)?.state ?? 'waiting').not.toBe('waiting');
      return records.at(-1) as Exchange;
    },
  };
}
