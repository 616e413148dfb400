import { passesLuhn } from '@innkeep/core/values';
import { beforeEach, expect, test, vi } from 'vitest';
import { send } from '../test-support/client.ts';
import { KEYS } from '../test-support/environment.ts';
import { expectProblem } from '../test-support/problem.ts';

let sent: { url: string; headers: Headers; bytes: Uint8Array; redirect: string } | undefined;
let answer: () => Response | Promise<Response>;

beforeEach(() => {
  sent = undefined;
  answer = () =>
    new Response('<ok/>', { headers: { 'content-type': 'text/xml', 'x-secret': 'no', 'set-cookie': 'a=b' } });
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    const bytes = new Uint8Array(await request.arrayBuffer());
    // Said by the caller of fetch or not, as the runtime likes.
    request.headers.delete('content-length');
    sent = { url: request.url, headers: request.headers, bytes, redirect: request.redirect };
    return answer();
  });
});

const XML = 'text/xml; charset=ISO-8859-1';

function gateway(path: string, init: RequestInit = {}, key: string = KEYS.aurora): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': XML, ...(init.headers as Record<string, string>) };
  return send(`/v1/gateway/${path}`, { method: 'POST', body: new Uint8Array([0x3c, 0xe4, 0x3e]), ...init, headers });
}

test('sends the body’s bytes with the key, and nothing of the caller', async () => {
  const headers = { cookie: 'c=1', 'x-api-key': 'mine', 'x-forwarded-for': '1.2.3.4', accept: 'text/html' };
  const response = await gateway('RMS/keepalivereq', { headers });
  expect(response.status).toBe(200);
  expect(await response.text()).toBe('<ok/>');
  expect(response.headers.get('content-type')).toBe('text/xml');
  expect(response.headers.get('x-secret')).toBeNull();
  expect(response.headers.get('set-cookie')).toBeNull();
  expect(sent?.url).toBe('https://pay.test/api/1234/API/RMS/keepalivereq');
  expect([...(sent?.bytes ?? [])]).toEqual([0x3c, 0xe4, 0x3e]);
  expect(sent?.redirect).toBe('manual');
  expect(Object.fromEntries(sent?.headers ?? [])).toEqual({
    'cache-control': 'no-cache',
    'content-type': XML,
    'x-api-key': 'gateway-key-marker-of-aurora-0123456789A',
    'x-product': 'P-1',
  });
});

test.each([
  ['a method that is not listed', 'RMS/other', 403, 'forbidden'],
  ['another spelling', 'rms/keepalivereq', 403, 'forbidden'],
  ['a query', 'RMS/keepalivereq?api_key=x', 400, 'invalid_request'],
  ['a slash in a segment', 'RMS%2Fkeepalivereq/x', 400, 'invalid_request'],
  ['a strange character', 'RMS/keep%20alive', 400, 'invalid_request'],
] as const)('refuses %s before anything is sent', async (_name, path, status, code) => {
  await expectProblem(gateway(path), status, { code });
  expect(sent).toBeUndefined();
});

test('repeats no name of a query, where a card number may be', async () => {
  expect(await (await gateway('RMS/keepalivereq?4242424242424242=1')).json()).not.toHaveProperty('param');
});

test.each([
  ['gzip', 415],
  ['Deflate', 415],
  ['identity', 200],
])('answers a body with Content-Encoding %s with %d, since only its type goes on', async (encoding, status) => {
  const response = await gateway('RMS/keepalivereq', { headers: { 'content-encoding': encoding } });
  expect([response.status, sent === undefined]).toEqual([status, status === 415]);
  if (status === 415) expect(await response.json()).toMatchObject({ param: 'Content-Encoding' });
});

test('refuses a property without a gateway', async () => {
  expect((await gateway('RMS/keepalivereq', {}, KEYS.borealis)).status).toBe(403);
  expect(sent).toBeUndefined();
});

test('takes a mebibyte and not a byte more', async () => {
  const body = new Uint8Array(1_048_576).fill(0xff);
  answer = () => new Response(body, { headers: { 'content-type': 'application/octet-stream' } });
  const response = await gateway('RMS/keepalivereq', { body });
  expect(await bytesOf(response)).toBe('ÿ'.repeat(body.length));
  expect(sent?.bytes.length).toBe(1_048_576);
  sent = undefined;
  expect((await gateway('RMS/keepalivereq', { body: new Uint8Array(1_048_577) })).status).toBe(413);
  expect(sent).toBeUndefined();
});

test.each([301, 307, 401, 404, 500])('a %d of the gateway is a 502 that names it', async (status) => {
  answer = () => new Response(null, { status, headers: { location: 'https://elsewhere.test/' } });
  const response = await gateway('RMS/keepalivereq');
  expect(response.headers.get('location')).toBeNull();
  await expectProblem(response, 502, { code: 'upstream_error', upstreamStatus: status });
});

test('hands on what the gateway answers, whatever it says', async () => {
  answer = () => new Response('<R><RC>1</RC></R>');
  const failure = await gateway('RMS/keepalivereq', { headers: { 'content-type': '' } });
  expect([failure.status, await failure.text()]).toEqual([200, '<R><RC>1</RC></R>']);
  answer = () => new Response(null);
  const empty = await gateway('RMS/keepalivereq');
  expect([empty.status, await empty.text(), empty.headers.get('content-type')]).toEqual([200, '', null]);
});

/** A character for each byte: a mebibyte of them is compared at once, as an array one by one. */
const read = (bytes: Uint8Array<ArrayBuffer>): string => new TextDecoder('latin1').decode(bytes);

async function bytesOf(response: Response): Promise<string> {
  return read(new Uint8Array(await response.arrayBuffer()));
}

/** The answer to a gateway body, byte for byte. */
async function answered(body: Uint8Array<ArrayBuffer>): Promise<string> {
  answer = () => new Response(body, { headers: { 'content-type': 'text/xml' } });
  return bytesOf(await gateway('RMS/keepalivereq'));
}

const latin1 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(text, (character) => character.charCodeAt(0));
const utf8 = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(new TextEncoder().encode(text));
const utf16 =
  (isBig: boolean) =>
  (text: string): Uint8Array<ArrayBuffer> =>
    Uint8Array.from(
      [...`\ufeff${text}`].flatMap((character) => {
        const unit = character.charCodeAt(0);
        return isBig ? [unit >> 8, unit & 0xff] : [unit & 0xff, unit >> 8];
      }),
    );

test.each([
  ['alone', '<card>4242424242424242</card>', '<card>424242......4242</card>'],
  ['in groups', 'CARD=4242 4242-4242 4242&x', 'CARD=4242 42..-.... 4242&x'],
  ['of fifteen digits', '378282246310005', '378282.....0005'],
  ['beside letters', 'PAN4242424242424242END', 'PAN424242......4242END'],
  ['of a stripe', '4242424242424242D25122011234512345678', '424242......4242D25122011234512345678'],
] as const)('masks a card number %s in the gateway’s answer, and no other byte', async (_name, text, masked) => {
  for (const [before, after] of [
    ['', ''],
    ['Gäste ß ', ' Ü'],
  ] as const) {
    const whole = `${before}${text}${after}`;
    const shown = `${before}${masked}${after}`;
    expect(await answered(latin1(whole))).toBe(read(latin1(shown)));
    expect(await answered(utf8(`${whole} – €`))).toBe(read(utf8(`${shown} – €`)));
    for (const encode of [utf16(false), utf16(true)]) expect(await answered(encode(whole))).toBe(read(encode(shown)));
  }
});

const withoutMark = (isBig: boolean) => (text: string) => utf16(isBig)(text).slice(2);

const OF_EVERY_WIDTH = '\u007f\u0080\u07ff\u0800\ud7ff\ue000\u{10000}\u{103ff}\u{10ffff}';
const twoEncodings = (text: string) => new Uint8Array([...latin1('ä'), ...utf8(text)]);

test.each([
  ['after a mark of its encoding', utf8, '\ufeff4242424242424242 ä', '\ufeff424242......4242 ä'],
  ['after others of every width', utf8, `${OF_EVERY_WIDTH}4242424242424242`, `${OF_EVERY_WIDTH}424242......4242`],
  ['in bytes of two encodings', twoEncodings, 'é4242424242424242', 'é424242......4242'],
  ['of nines', utf8, '4999 9999 9999 9996', '4999 99.. .... 9996'],
  ['of two bytes a digit', utf8, 'é ٤٢٤٢ ٤٢٤٢ ٤٢٤٢ ٤٢٤٢', 'é ٤٢٤٢ ٤٢.... ........ ٤٢٤٢'],
  ['of three bytes a digit', utf8, '４２４２-４２４２-４２４２-４２４２', '４２４２-４２......-............-４２４２'],
  ['of several kinds', utf8, '4242\u30004242\u3000۴۲۴۲\u3000４２４２', '4242\u300042..\u3000........\u3000４２４２'],
  ['of wide digits in UTF-16', utf16(false), '４２４２۴۲۴۲٤٢٤٢４２４２', '４２４２۴۲......４２４２'],
  ['in UTF-16 without its mark', withoutMark(false), '<n>4242424242424242', '<n>424242......4242'],
  ['in the other UTF-16 without its mark', withoutMark(true), '<n>4242424242424242', '<n>424242......4242'],
  ['after a length in two bytes', latin1, '\0\x214242424242424242', '\0\x21424242......4242'],
  ['of wide digits in the other UTF-16', utf16(true), '４２４２۴۲۴۲٤٢٤٢４２４２', '４２４２۴۲......４２４２'],
])('masks a card number %s', async (_name, encode, text, masked) => {
  expect(await answered(encode(text))).toBe(read(encode(masked)));
});

test('masks card numbers wherever they stand in a long answer', async () => {
  const text = (card: string): string => `${'x'.repeat(65_500)}${`${card} € `.repeat(20_000)}`;
  expect(await answered(utf8(text('4242424242424242')))).toBe(read(utf8(text('424242......4242'))));
});

test('a card number is masked whole, wherever the answer is cut for reading', async () => {
  // Its first thirteen digits could be a card number, too.
  const card = '4242424242422006';
  expect([passesLuhn(card), passesLuhn(card.slice(0, 13))]).toEqual([true, true]);
  for (const cut of Array.from({ length: 18 }, (_, nth) => 16_384 - nth)) {
    const before = 'x'.repeat(cut);
    expect(await answered(utf8(`${before}${card}x`))).toBe(read(utf8(`${before}424242......2006x`)));
  }
});

test.each(['4242424242424243', '1234567890123452', '20260601120000123456', '2026-06-01 12:00:00'])(
  'leaves a number alone that no card has: %s',
  async (number) => {
    expect(await answered(utf8(`<n>${number}</n>`))).toBe(read(utf8(`<n>${number}</n>`)));
  },
);

test('leaves out a content type with a card number', async () => {
  answer = () => new Response('<ok/>', { headers: { 'content-type': 'text/xml; n=4242424242424242' } });
  const response = await gateway('RMS/keepalivereq');
  expect([response.headers.get('content-type'), await response.text()]).toEqual([null, '<ok/>']);
});
