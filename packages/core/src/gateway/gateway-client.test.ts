import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { fakeUpstream, readSample, type SeenRequest } from '../../test-support/fake-upstream.ts';
import {
  createGatewayClient,
  createGatewayTransport,
  formBody,
  type GatewayClient,
  type GatewayClientOptions,
  xmlDocument,
} from './index.ts';

const apiKey = `${'K'.repeat(39)}!`;
const keepAlive = { OC: 'KA', TN: '1', CDT: '2026-06-01T12:00:00', status: '0' };
const room = { transno: '2', roomreq: '101', extraInfo: ['REMARKS', 'BOARD'], mandator: '1' };
const xml =
  (text: string, contentType = 'text/xml') =>
  () =>
    new Response(text, { headers: { 'content-type': contentType } });

function gateway(answer: () => Response | Promise<Response>, options: Partial<GatewayClientOptions> = {}) {
  const upstream = fakeUpstream([answer]);
  const client = createGatewayClient({
    baseUrl: 'https://pay.example',
    customerId: '4711',
    apiKey,
    fetch: upstream.fetch,
    ...options,
  });
  return { client, upstream };
}

describe('the gateway client', () => {
  it('sends the golden keep-alive and reads the golden answer', async () => {
    const sample = readSample('gateway-keep-alive');
    const { client, upstream } = gateway(xml(String(sample.responses.success)));
    const reply = await client.keepAlive(keepAlive);
    const [request] = upstream.requests;
    expect(request).toMatchObject({ method: 'POST', url: `https://pay.example${sample.path}`, body: sample.request });
    expect(request?.headers).toMatchObject({ ...sample.headers, 'x-api-key': apiKey });
    expect(reply).toMatchObject({ status: 200, contentType: 'text/xml' });
    expect(reply.document?.name).toBe('SIHOT-Document');
    expect(reply.document?.get('status')).toBe('0');
    expect(reply.text()).toBe(sample.responses.success);
  });

  it('sends the golden room request', async () => {
    const sample = readSample('gateway-room-request');
    const { client, upstream } = gateway(() => new Response('ok', { headers: { 'content-type': 'text/plain' } }));
    const reply = await client.roomRequest(room);
    expect(upstream.requests[0]).toMatchObject({ url: `https://pay.example${sample.path}`, body: sample.request });
    expect(upstream.requests[0]?.headers).toMatchObject(sample.headers ?? {});
    expect(reply.document).toBeUndefined();
    expect(reply.text()).toBe('ok');
  });

  it('encodes what ISO-8859-1 lacks and sends bytes', async () => {
    const { client, upstream } = gateway(xml('<R/>'));
    await client.send('RMS', 'x', xmlDocument({ A: 'Zürich 5 €' }));
    expect(Buffer.from(upstream.requests[0]?.bytes ?? []).toString('latin1')).toContain('<A>Zürich 5 &#8364;</A>');
  });

  const origin = 'https://pay.example';
  const PATH = '4711/API/RMS/keepalivereq';
  const address = `${origin}/${PATH}`;
  const BASIC = `Basic ${btoa(`${apiKey}:`)}`;
  const LAST = '<Product>P-1</Product>';
  const product = (place: 'header' | 'query' | 'xml', name = 'Product') => ({
    productId: { value: 'P-1', in: place, name },
  });
  it.each<[string, Partial<GatewayClientOptions>, (request: SeenRequest) => unknown, unknown]>([
    ['the key into the query', { apiKeyIn: 'query' }, ({ url }) => url, `${address}?api_key=${'K'.repeat(39)}%21`],
    ['it into no header then', { apiKeyIn: 'query' }, ({ headers }) => headers['x-api-key'], undefined],
    ['the key in place of a user', { apiKeyIn: 'basic' }, ({ headers }) => headers.authorization, BASIC],
    ['the product id into a header', product('header'), ({ headers }) => headers.product, 'P-1'],
    ['the product id into the query', product('query'), ({ url }) => url, `${address}?Product=P-1`],
    ['it there under any name', product('query', 'a/b'), ({ url }) => url, `${address}?a%2Fb=P-1`],
    [
      'the product id at the end of XML',
      product('xml'),
      ({ body }) => /<Product>.*(?=<\/SIHOT-D)/.exec(body)?.[0],
      LAST,
    ],
    ['no empty query before the path', { baseUrl: `${origin}/pre?` }, ({ url }) => url, `${origin}/pre/${PATH}`],
  ])('puts %s', async (_, options, read, expected) => {
    const { client, upstream } = gateway(xml('<R/>'), options);
    await client.keepAlive(keepAlive);
    expect(upstream.requests.map(read)).toEqual([expected]);
  });

  it('puts the product id into a form, and refuses a body that has no place for it', async () => {
    const { client, upstream } = gateway(xml('<R/>'), { productId: { value: 'P 1', in: 'form', name: 'product' } });
    await client.roomRequest(room);
    expect(upstream.requests[0]?.body).toMatch(/&product=P\+1$/);
    await expect(client.keepAlive(keepAlive)).rejects.toMatchObject({ code: 'configuration', path: 'productId.in' });
    await expect(
      client.send('RMS', 'x', { contentType: 'text/plain', bytes: new Uint8Array(1) }),
    ).rejects.toMatchObject({ code: 'configuration' });
    expect(upstream.requests).toHaveLength(1);
  });

  it('sends raw bytes unchanged', async () => {
    const { client, upstream } = gateway(xml('<R/>'));
    const all = Uint8Array.from({ length: 256 }, (_, index) => index);
    await client.send('RMS', 'raw', { contentType: 'application/x-classic', bytes: all });
    await client.send('RMS', 'raw', all);
    expect(upstream.requests.map(({ headers, bytes }) => [headers['content-type'], bytes])).toEqual([
      ['application/x-classic', all],
      ['application/octet-stream', all],
    ]);
  });

  it.each([201, 204, 302, 401, 404, 500, 503])('takes status %i for a failure and never repeats it', async (status) => {
    const { client, upstream } = gateway(
      () => new Response(null, { status, headers: { location: 'https://evil.example' } }),
    );
    await expect(client.keepAlive(keepAlive)).rejects.toMatchObject({ code: 'gateway_status', status });
    expect(upstream.requests).toHaveLength(1);
  });

  it.each([
    ['<SIHOT-Document><RC>1</RC><MSG>no</MSG></SIHOT-Document>'],
    ['<SIHOT-DOCUMENT><RC>-1</RC></SIHOT-DOCUMENT>'],
    ['<SIHOT-Document><ERROR-LEVEL>2</ERROR-LEVEL></SIHOT-Document>'],
    ['<Result><Success>false</Success></Result>'],
    ['<SIHOT-Document><Result><Success> FALSE </Success></Result></SIHOT-Document>'],
    [
      '<s:Envelope xmlns:s="x"><s:Body><RoomReqResponse><Result><Success>false</Success></Result></RoomReqResponse></s:Body></s:Envelope>',
    ],
    ['<R><RC></RC></R>'],
    ['<RC>1</RC>'],
    ['<s:Success>false</s:Success>'],
  ])('takes %s for a failure, with the reply attached', async (text) => {
    const { client } = gateway(xml(text));
    await expect(client.keepAlive(keepAlive)).rejects.toMatchObject({ code: 'gateway_error', reply: { status: 200 } });
  });

  it.each([
    ['<R><RC>0</RC></R>'],
    ['<RC>0</RC>'],
    ['<Success>true</Success>'],
    ['<R><RC> 00 </RC><ERROR-LEVEL>0</ERROR-LEVEL><Success>true</Success></R>'],
    ['<R><Room><RC>DOUBLE</RC></Room></R>'],
  ])('takes %s for a success', async (text) => {
    const { client } = gateway(xml(text));
    await expect(client.keepAlive(keepAlive)).resolves.toMatchObject({ status: 200 });
  });

  it('refuses hostile, oversized and empty replies', async () => {
    const doctype = gateway(xml('<!DOCTYPE R [<!ENTITY a "b">]><R>&a;</R>'));
    await expect(doctype.client.keepAlive(keepAlive)).rejects.toMatchObject({ code: 'xml_refused', reason: 'doctype' });
    const large = gateway(xml(' '.repeat(20 * 1024 * 1024)));
    await expect(large.client.keepAlive(keepAlive)).rejects.toMatchObject({ code: 'xml_refused', reason: 'size' });
    const largeJson = gateway(xml(' '.repeat(5 * 1024 * 1024), 'application/json'));
    await expect(largeJson.client.keepAlive(keepAlive)).rejects.toMatchObject({ code: 'invalid_response' });
    const empty = gateway(() => new Response(''));
    await expect(empty.client.keepAlive(keepAlive)).rejects.toMatchObject({ code: 'invalid_response', path: '' });
  });

  it('tells time-outs, aborts and lost connections apart, and shows no key', async () => {
    const hanging = gateway(() => new Promise(() => undefined), { timeoutMs: 5 });
    await expect(hanging.client.keepAlive(keepAlive)).rejects.toMatchObject({ code: 'timeout' });
    const patient = gateway(() => new Promise(() => undefined));
    await expect(patient.client.keepAlive(keepAlive, { timeoutMs: 5 })).rejects.toMatchObject({ code: 'timeout' });

    const reason = new Error('enough');
    const controller = new AbortController();
    const aborted = gateway(() => {
      controller.abort(reason);
      return new Promise(() => undefined);
    });
    await expect(aborted.client.keepAlive(keepAlive, { signal: controller.signal })).rejects.toBe(reason);

    const lost = gateway(
      () => {
        throw new TypeError(
          `error sending request for url (https://pay.example/?api_key=${'K'.repeat(39)}%21 ${apiKey})`,
        );
      },
      { apiKeyIn: 'query' },
    );
    const error = await lost.client.keepAlive(keepAlive).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'network' });
    expect(inspect(error, { depth: 5, showHidden: true })).not.toContain(apiKey.slice(0, 39));
  });

  it.each(['', '.', '..', 'a/b', 'a?b', 'a b', 'ü'])('refuses %j as a segment before any request', async (segment) => {
    const { client, upstream } = gateway(xml('<R/>'));
    const body = formBody({ a: '1' });
    await expect(client.send(segment, 'x', body)).rejects.toMatchObject({ code: 'invalid_input', path: 'protocol' });
    await expect(client.send('x', segment, body)).rejects.toMatchObject({ code: 'invalid_input', path: 'method' });
    expect(upstream.requests).toHaveLength(0);
  });

  it.each<[string, Partial<Record<keyof GatewayClientOptions, unknown>>]>([
    ['baseUrl', { baseUrl: 'http://pay.example' }],
    ['customerId', { customerId: '' }],
    ['apiKey', { apiKey: 'short' }],
    ['apiKey', { apiKey: undefined }],
    ['apiKeyIn', { apiKeyIn: 'cookie' }],
    ['apiKey', { apiKey: `${'K'.repeat(39)}:`, apiKeyIn: 'basic' }],
    ['fetch', { fetch: 'x' }],
    ['productId', { productId: null }],
    ['productId', { productId: 'P' }],
    ['productId.value', { productId: { value: 'v€', in: 'header', name: 'x' } }],
    ['productId.value', { productId: { value: 'a\nb', in: 'header', name: 'x' } }],
    ['productId.value', { productId: { value: '\u0001', in: 'xml', name: 'x' } }],
    ['productId.name', { productId: { value: 'v', in: 'header', name: 'X-Api-Key' } }],
    ['productId.name', { productId: { value: 'v', in: 'header', name: 'Authorization' } }],
    ['productId.name', { productId: { value: 'v', in: 'query', name: 'api_key' } }],
    ['productId.value', { productId: { value: '', in: 'header', name: 'x' } }],
    ['productId.in', { productId: { value: 'x', in: 'body', name: 'x' } }],
    ['productId.name', { productId: { value: 'x', in: 'header', name: 'communication/productid' } }],
    ['productId.name', { productId: { value: 'x', in: 'xml', name: 'communication/productid' } }],
    ['productId.name', { productId: { value: 'x', in: 'query', name: '' } }],
  ])('names the bad setting %s', (path, bad) => {
    expect(() => gateway(xml('<R/>'), bad as Partial<GatewayClientOptions>)).toThrow(
      expect.objectContaining({ code: 'configuration', path }),
    );
  });
});

describe('the gateway transport', () => {
  const settings = { baseUrl: 'https://pay.example', customerId: '12/34', apiKey };
  const bytes = Uint8Array.of(0x3c, 0xe4, 0x3e);

  it('sends a body as it is and hands on the answer unread, empty ones and failures too', async () => {
    const upstream = fakeUpstream([xml('<R><RC>1</RC></R>'), () => new Response(null)]);
    const post = createGatewayTransport({ ...settings, fetch: upstream.fetch });
    const failure = await post('RMS', 'x', { contentType: '', bytes });
    expect(failure).toEqual({ contentType: 'text/xml', bytes: new TextEncoder().encode('<R><RC>1</RC></R>') });
    expect(await post('RMS', 'x', { contentType: 'text/xml', bytes })).toEqual({
      contentType: '',
      bytes: new Uint8Array(),
    });
    expect(upstream.requests.map(({ url }) => url)).toEqual(Array(2).fill('https://pay.example/12%2F34/API/RMS/x'));
    expect(upstream.requests.map(({ headers }) => headers['content-type'])).toEqual([undefined, 'text/xml']);
  });
});

describe('bad arguments', () => {
  it.each([undefined, null])('refuses %j for settings', (options) => {
    expect(() => createGatewayClient(options as never)).toThrow(
      expect.objectContaining({ code: 'configuration', path: 'options' }),
    );
  });

  it.each<[string, (client: GatewayClient) => Promise<unknown>]>([
    ['message', (c) => c.keepAlive(undefined as never)],
    ['TN', (c) => c.keepAlive({ OC: 'KA' } as never)],
    ['OC', (c) => c.keepAlive({ ...keepAlive, OC: 5 as never })],
    ['message', (c) => c.roomRequest(null as never)],
    ['mandator', (c) => c.roomRequest({ transno: '1', roomreq: '101' } as never)],
    ['extraInfo', (c) => c.roomRequest({ ...room, extraInfo: ['a;b'] })],
    ['extraInfo', (c) => c.roomRequest({ ...room, extraInfo: 5 as never })],
    ['body.contentType', (c) => c.send('RMS', 'x', undefined as never)],
    ['body.contentType', (c) => c.send('RMS', 'x', { contentType: 'text/xml; €', bytes: new Uint8Array(1) })],
    ['body.contentType', (c) => c.send('RMS', 'x', { contentType: 'text/xml;\u007f', bytes: new Uint8Array(1) })],
    ['body.contentType', (c) => c.send('RMS', 'x', { contentType: 'text/xml;\u000b', bytes: new Uint8Array(1) })],
    ['protocol', (c) => c.send(undefined as never, 'x', new Uint8Array(1))],
    ['method', (c) => c.send('RMS', 5 as never, new Uint8Array(1))],
  ])('rejects a bad %s before any request, and never throws', async (path, act) => {
    const { client, upstream } = gateway(xml('<R/>'));
    const sent = act(client);
    await expect(sent).rejects.toMatchObject({ code: 'invalid_input', path });
    expect(upstream.requests).toHaveLength(0);
  });

  it('sends a room request without extraInfo', async () => {
    const { client, upstream } = gateway(xml('<R/>'));
    await client.roomRequest({ transno: '1', roomreq: '101', mandator: '1' });
    expect(upstream.requests[0]?.body).toBe('transno=1&roomreq=101&mandator=1');
  });
});

describe('the product id', () => {
  it('stays out of the cause of an error, however the address wrote it', async () => {
    const value = 'Pid ä/1';
    const { client } = gateway(
      () => {
        const written = [value, encodeURIComponent(value), new URLSearchParams([['', value]]).toString().slice(1)];
        throw new TypeError(`error sending request for ${written.join(' ')}`);
      },
      { productId: { value, in: 'query', name: 'pid' } },
    );
    const error = await client.keepAlive(keepAlive).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'network',
      cause: { message: 'error sending request for [redacted] [redacted] [redacted]' },
    });
  });
});

describe('formBody', () => {
  it.each([
    ['transno', { transno: 5 }],
    ['transno', { transno: null }],
    ['transno', { transno: ['a', 5] }],
    ['transno', { transno: 'half of \ud83d\ude00: \ud83d' }],
    ['fields', null],
    ['fields', undefined],
    ['fields', new URLSearchParams('transno=1')],
  ])('refuses a bad %s', (path, fields) => {
    expect(() => formBody(fields as never)).toThrow(expect.objectContaining({ code: 'invalid_input', path }));
  });

  const text = (body: { bytes: Uint8Array }): string => new TextDecoder().decode(body.bytes);

  it('joins lists with semicolons, leaves out what is undefined, escapes the rest', () => {
    expect(text(formBody({ a: ['x', 'y'], b: undefined, c: 'ü & =', d: [] }))).toBe('a=x%3By&c=%C3%BC+%26+%3D&d=');
    expect(text(formBody({ extraInfo: 'a;b' }))).toBe('extraInfo=a%3Bb');
  });

  it('escapes by another charset when told so', () => {
    const { bytes, contentType } = formBody({ a: 'Zürich 5€ & more~\n' }, { charset: 'windows-1252' });
    expect(new TextDecoder().decode(bytes)).toBe('a=Z%FCrich+5%80+%26+more%7E%0A');
    expect(contentType).toBe('application/x-www-form-urlencoded; charset=windows-1252');
    expect(formBody({ a: 'ü' }).contentType).toBe('application/x-www-form-urlencoded');
  });
});
