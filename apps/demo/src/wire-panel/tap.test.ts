import { describe, expect, test, vi } from 'vitest';
import type { Exchange } from './exchange.ts';
import { SecretBook } from './secret-book.ts';
import { type Handler, type TapOptions, tap } from './tap.ts';

const SESSION = `cs_${'A'.repeat(26)}`;
const CLIENT_SECRET = `${SESSION}_${'x'.repeat(43)}`;
const MERCHANT_KEY = 'sk_test_1234567890abcdef';
const PASSWORD = 'correct-horse-battery';

describe('a tap', () => {
  test('passes request and answer on as they are and records both', async () => {
    const seen: string[] = [];
    const { fetch, last } = tapped('proxy', async (request) => {
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
      path: ['/v1/x?y=1'],
      state: 'answered',
      durationMs: 0,
      request: { body: { type: 'text/plain', bytes: 4, text: ['ping'] } },
      answer: { status: 201, body: { bytes: 4, text: ['pong'] } },
    });
  });

  test('records a request before its answer is there', async () => {
    let respond = (_: Response): void => {};
    const { fetch, records } = tapped(
      'upstream',
      () =>
        new Promise((resolve) => {
          respond = resolve;
        }),
    );
    const answer = fetch('http://u/1234/paystatus?requestid=R1');
    expect(records.map(({ state }) => state)).toEqual(['waiting']);
    respond(Response.json({ state: 0 }));
    await answer;
    await vi.waitFor(() => expect(records.at(-1)?.state).toBe('answered'));
    expect(records.at(-1)?.id).toBe(records[0]?.id);
    expect(records.at(-1)?.caption).toBe('The proxy asks for the state: not yet');
    expect(records.at(-1)?.about).toEqual(['request:R1']);
  });

  test('passes a failure on and records that no answer came', async () => {
    const { fetch, last } = tapped('upstream', () => {
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
    const { fetch, last } = tapped('proxy', () => Response.redirect('http://h/bookings/1', 303));
    expect((await fetch(`http://p/return/${SESSION}/${'n'.repeat(43)}/success`)).status).toBe(303);
    const { answer, path } = await last();
    expect(answer?.headers).toContainEqual({ name: 'location', value: ['http://h/bookings/1'] });
    expect(path).toEqual([`/return/${SESSION}/`, { hidden: 'return nonce' }, '/success']);
  });

  test('lets a streamed answer through while it is made', async () => {
    let send = (_: string): void => {};
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        send = (text) => (text === '' ? controller.close() : controller.enqueue(new TextEncoder().encode(text)));
      },
    });
    const { fetch, last } = tapped('proxy', () => new Response(body, { headers: { 'content-type': 'text/plain' } }));
    const reader = (await fetch('http://p/')).body?.getReader();
    send('one');
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('one');
    send('two');
    send('');
    expect((await last()).answer?.body?.text).toEqual(['onetwo']);
  });

  test('does not copy a stream of events, which has no end', async () => {
    const body = new ReadableStream<Uint8Array>();
    const { fetch, last } = tapped(
      'hotel',
      () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    );
    await fetch('http://h/');
    expect((await last()).answer?.body).toMatchObject({ text: null, note: 'A stream without an end; not copied.' });
  });

  test('keeps the beginning of a long body and describes what is no text', async () => {
    const { fetch, last } = tapped('hotel', ({ url }) =>
      url.endsWith('long')
        ? new Response('a'.repeat(100_000), { headers: { 'content-type': 'text/html' } })
        : new Response(new Uint8Array(500), { headers: { 'content-type': 'application/octet-stream' } }),
    );
    await fetch('http://h/long');
    const long = (await last()).answer?.body;
    expect(long?.bytes).toBe(100_000);
    expect(String(long?.text?.[0]).length).toBe(16_384);
    expect(long?.note).toBe('Only the beginning is kept here.');
    await fetch('http://h/binary');
    expect((await last()).answer?.body).toMatchObject({ bytes: 500, text: null });
  });

  test('never fails or waits because of its record', async () => {
    const faults: unknown[] = [];
    const { fetch } = tapped('hotel', () => new Response('ok'), {
      record: () => Promise.reject(new Error('no room')),
      onFault: (error) => faults.push(error),
    });
    expect(await (await fetch('http://h/')).text()).toBe('ok');
    await vi.waitFor(() => expect(faults).toHaveLength(2));
    const broken = tapped('hotel', () => new Response('ok'), {
      newId: () => {
        throw new Error('no id');
      },
    });
    expect(await (await broken.fetch('http://h/')).text()).toBe('ok');
    const stuck = tapped('hotel', () => new Response('ok'), { record: () => new Promise(() => {}) });
    expect(await (await stuck.fetch('http://h/')).text()).toBe('ok');
  });

  test('leaves out what it is told to ignore', async () => {
    const { fetch, records } = tapped('hotel', () => new Response('ok'), {
      ignores: ({ url }) => url.endsWith('/wire'),
    });
    await fetch('http://h/wire');
    expect(records).toEqual([]);
  });

  test.each([
    ['proxy', 'http://p/v1/checkout', { authorization: `Bearer ${CLIENT_SECRET}` }, 'browser'],
    ['proxy', 'http://p/v1/charges', { authorization: `Bearer ${MERCHANT_KEY}` }, 'hotel'],
    ['upstream', 'http://u/V2/1/pay', {}, 'proxy'],
    ['upstream', 'http://u/1/hosted/payment?PD=x', {}, 'browser'],
    ['upstream', 'http://u/__sandbox/assets/hosted-page.css', {}, 'browser'],
    ['hotel', 'http://h/desk', {}, 'browser'],
    ['hotel', 'http://h/hooks', { 'webhook-signature': 'v1,x' }, 'proxy'],
  ] as const)('to the %s, %s was sent by who alone can send it', async (to, url, headers, from) => {
    const { fetch, last } = tapped(to, () => new Response('ok'));
    await fetch(url, { headers });
    expect((await last()).from).toBe(from);
  });
});

describe('the search for credentials', () => {
  test('reads every byte the browser sent and received, and says what it looked for', async () => {
    const { fetch, last } = tapped(
      'hotel',
      () => new Response('hello', { headers: { 'x-a': 'b', 'content-type': 'text/plain' } }),
    );
    await fetch('http://h/', { method: 'POST', body: 'form', headers: { 'content-type': 'text/plain' } });
    const { search } = await last();
    expect(search).toMatchObject({ isWhole: true, searched: ['upstream password', 'merchant key'], found: [] });
    expect(search?.receivedBytes).toBe('200\ncontent-type: text/plain\nx-a: b\n\nhello'.length);
    expect(search?.sentBytes).toBe('POST http://h/\ncontent-type: text/plain\n\nform'.length);
  });

  test.each([
    ['the body of a page', { body: `<p>${PASSWORD}</p>` }],
    [
      'a script, whose text is not kept',
      { body: `var p='${PASSWORD}'`, headers: { 'content-type': 'text/javascript' } },
    ],
    [
      'bytes that are no text',
      { body: new TextEncoder().encode(`\u0000${PASSWORD}`), headers: { 'content-type': 'image/png' } },
    ],
    ['a header', { body: '', headers: { 'x-debug': PASSWORD } }],
    ['base64', { body: btoa(`user:${PASSWORD}`) }],
  ])(
    'finds a leak in %s',
    async (_place, {
      body,
      headers = { 'content-type': 'text/html' },
    }: { body: BodyInit; headers?: Record<string, string> }) => {
      const { fetch, last } = tapped('hotel', () => new Response(body, { headers }));
      await fetch('http://h/');
      const exchange = await last();
      expect(exchange.search?.found).toEqual([{ name: 'upstream password', where: 'answer' }]);
      expect(JSON.stringify(exchange)).not.toContain(PASSWORD);
    },
  );

  test('finds what the browser sent, too', async () => {
    const { fetch, last } = tapped('upstream', () => new Response('ok'));
    await fetch(`http://u/1/hosted/payment?x=${MERCHANT_KEY}`);
    expect((await last()).search?.found).toEqual([{ name: 'merchant key', where: 'request' }]);
  });

  test('looks for a bearer token and a stored card as soon as the upstream has handed them out', async () => {
    const secrets = new SecretBook();
    const upstream = tapped(
      'upstream',
      ({ url }) =>
        Response.json(url.endsWith('login') ? { access_token: 'BEARER-12345678' } : { token: 'TOKEN-12345678' }),
      { secrets },
    );
    await upstream.fetch('http://u/login', { method: 'POST' });
    await upstream.fetch('http://u/V2/1/transaction?requestid=R');
    // Nothing is awaited in between: what was passed on is known.
    expect(secrets.names()).toEqual(['bearer token', 'stored-card token']);
    const hotel = tapped('hotel', () => Response.json({ a: 'BEARER-12345678', b: 'TOKEN-12345678' }), { secrets });
    await hotel.fetch('http://h/');
    expect((await hotel.last()).search?.found.map(({ name }) => name)).toEqual(['bearer token', 'stored-card token']);
    expect(JSON.stringify([...upstream.records, ...hotel.records])).not.toMatch(/(?:BEARER|TOKEN)-1234/);
  });

  test('is made only where a browser took part', async () => {
    const { fetch, last } = tapped('upstream', () => Response.json({ password: PASSWORD }));
    await fetch('http://u/login', { method: 'POST' });
    expect((await last()).search).toBeUndefined();
  });

  test('says so when a body is larger than it reads', async () => {
    const { fetch, last } = tapped(
      'hotel',
      () => new Response(new Uint8Array(3 * 1024 * 1024), { headers: { 'content-type': 'image/png' } }),
    );
    const answer = await fetch('http://h/huge.png');
    expect((await answer.arrayBuffer()).byteLength).toBe(3 * 1024 * 1024);
    expect((await last()).search).toMatchObject({ isWhole: false });
  });
});

function tapped(to: TapOptions['to'], handler: Handler, changes: Partial<TapOptions> = {}) {
  const records: Exchange[] = [];
  let count = 0;
  const server = tap(handler, {
    to,
    secrets: new SecretBook({ 'upstream password': PASSWORD, 'merchant key': MERCHANT_KEY }),
    record: (exchange) => {
      records.push(exchange);
    },
    now: () => 1_000,
    newId: () => `x${++count}`,
    ...changes,
  });
  return {
    records,
    fetch: async (url: string, init?: RequestInit) => server(new Request(url, init)),
    last: () =>
      vi.waitFor(() => {
        const newest = records.at(-1);
        if (newest === undefined || newest.state === 'waiting') throw new Error('no answer recorded yet');
        return newest;
      }),
  };
}
