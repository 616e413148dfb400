import { describe, expect, test } from 'vitest';
import { type MarkedText, toPlainText } from './exchange.ts';
import { Redactor, shorten } from './redact.ts';
import { SecretBook } from './secret-book.ts';

const SESSION = `cs_${'0'.repeat(26)}`;
const SECRET = 'S3cret-part_of-256-random-bits-abcdefghijkl';

// Characters that forms, addresses, JSON and XML each write in their own way.
const CREDENTIALS = {
  'upstream user': 'frontdesk&user/1',
  'upstream password': 'p"ass<wörd> +%/\'7',
  'bearer token': 'BEARERTOKEN1234567890',
  'gateway key': '0123456789012345678901234567890123456789',
  'merchant key': 'sk_test_abcdefghijklmnopqrstuvwxyz',
  'webhook secret': 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  'stored-card token': 'TOKEN-0042-ABCD',
} as const;
const BY_SHAPE = {
  'client secret': `${SESSION}_${SECRET}`,
  'card number': '4242424242424242',
} as const;

const redactor = new Redactor(new SecretBook(CREDENTIALS));

const PLACES: Readonly<Record<string, (value: string) => MarkedText>> = {
  'a header': (value) => header('x-whatever', value),
  'the path': (value) => redactor.path(new URL(`http://h/a/${encodeURIComponent(value)}/b`)),
  'the query': (value) => redactor.path(new URL(`http://h/a?x=${encodeURIComponent(value)}`)),
  'the query, as a form writes it': (value) =>
    redactor.path(new URL(`http://h/a?${new URLSearchParams({ x: value })}`)),
  'a name in the query': (value) => redactor.path(new URL(`http://h/a?${encodeURIComponent(value)}=1`)),
  'a JSON string': (value) =>
    redactor.body('application/json', JSON.stringify({ x: [{ y: `before ${value} after` }] })),
  'a JSON name': (value) => redactor.body('application/json', JSON.stringify({ [value]: 1 })),
  'JSON with a media type of its own': (value) =>
    redactor.body('application/problem+json', JSON.stringify({ detail: value })),
  'JSON with escaped characters': (value) =>
    redactor.body(
      'application/json',
      `{"x":"${[...value].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"}`,
    ),
  'JSON cut off in the middle': (value) =>
    redactor.body('application/json', `{"a":1,"x":${JSON.stringify(value)},"y":"`),
  'a form': (value) =>
    redactor.body('application/x-www-form-urlencoded', new URLSearchParams({ x: value, y: '1' }).toString()),
  'XML text': (value) => redactor.body('text/xml', `<a><x>${escapeXml(value)}</x></a>`),
  'an XML attribute': (value) => redactor.body('application/xml', `<a x="${escapeXml(value)}"/>`),
  'a page': (value) => redactor.body('text/html', `<!doctype html><p>${escapeXml(value)}</p>`),
  'plain text': (value) => redactor.body('text/plain', `before ${value} after`),
};

describe.each(Object.entries({ ...CREDENTIALS, ...BY_SHAPE }))('the %s', (name, value) => {
  test.each(Object.entries(PLACES))('is cut out of %s', (_place, write) => {
    const text = write(value);
    const shown = text.map((part) => (typeof part === 'string' ? part : '')).join('\n');
    for (const readable of [value, SECRET, encodeURIComponent(value)]) expect(shown).not.toContain(readable);
    expect(text).toContainEqual({ hidden: name });
  });
});

describe.each(Object.entries(CREDENTIALS))('the %s in base64', (name, value) => {
  test.each(['', 'a', 'ab'])('is cut out behind %j', (lead) => {
    const encoded = btoa(String.fromCharCode(...new TextEncoder().encode(`${lead}${value}:rest`)));
    const text = redactor.body('text/plain', `x ${encoded} y`);
    expect(text).toContainEqual({ hidden: name });
    // A character at each end shares its bits with a neighbour.
    const shown = toPlainText(text).replace(`[${name}]`, '');
    expect(shown.length).toBeLessThan(18);
  });
});

test('what an authorization header carries is never shown, whatever it is', () => {
  expect(header('authorization', 'Bearer not-known-to-anybody')).toEqual(['Bearer ', { hidden: 'bearer token' }]);
  expect(header('authorization', `Bearer ${CREDENTIALS['merchant key']}`)).toEqual([
    'Bearer ',
    { hidden: 'merchant key' },
  ]);
  expect(header('authorization', `Bearer ${SESSION}_${SECRET}`)).toEqual([
    `Bearer ${SESSION}_`,
    { hidden: 'client secret' },
  ]);
  expect(header('authorization', 'Basic dXNlcjpwYXNz')).toEqual(['Basic ', { hidden: 'gateway key' }]);
  expect(header('authorization', 'opaque')).toEqual([{ hidden: 'bearer token' }]);
});

test.each([
  ['x-api-key', 'k', 'gateway key'],
  ['cookie', 'a=b', 'cookie'],
])('the header %s is hidden by its name', (name, value, hidden) => {
  expect(header(name, value)).toEqual([{ hidden }]);
});

test.each([
  ['password', 'x', 'upstream password'],
  ['username', 'x', 'upstream user'],
  ['access_token', 'x', 'bearer token'],
  ['tokenNo', 'x', 'stored-card token'],
  ['token', 'x', 'stored-card token'],
  ['cvc', '123', 'CVC'],
  ['cardNo', '1234', 'card number'],
  ['cardNumber', '4000 0000', 'card number'],
  ['clientSecret', 'x', 'client secret'],
  ['valid', '2030-12-31', 'card expiry'],
  ['expires', '12 / 30', 'card expiry'],
])('a field named %s is hidden in JSON, half JSON, form, XML and query', (name, value, hidden) => {
  const texts = [
    redactor.body('application/json', JSON.stringify({ [name]: value })),
    redactor.body('application/json', `{"${name}":"${value}`),
    redactor.body('application/x-www-form-urlencoded', new URLSearchParams({ [name]: value }).toString()),
    redactor.body('text/xml', `<a><${name}>${value}</${name}></a>`),
    redactor.body('text/html', `<input name="${name}" type="text" value="${value}">`),
    redactor.path(new URL(`http://h/?${new URLSearchParams({ [name]: value })}`)),
  ];
  for (const text of texts) expect(text).toContainEqual({ hidden });
});

test('the header that is called like a field of a card keeps its date', () => {
  expect(header('expires', 'Thu, 01 Jan 1970 00:00:00 GMT')).toEqual(['Thu, 01 Jan 1970 00:00:00 GMT']);
});

test('nothing of a card that is keyed in at the desk is kept, mistyped or not', () => {
  const form = new URLSearchParams({ card_number: '4242 4242 4242 4241', expiry: '12/30', cvc: '737', guest: 'Ada' });
  const text = toPlainText(redactor.body('application/x-www-form-urlencoded', form.toString()));
  expect(text).toBe('card_number=[card number]\nexpiry=[card expiry]\ncvc=[CVC]\nguest=Ada');
});

test('a security code is hidden when it is a number, too', () => {
  expect(toPlainText(redactor.body('application/json', '{"cvc":123}'))).toBe('{\n  "cvc": [CVC]\n}');
});

test.each(['4242 4242 4242 4242', '4242-4242-4242-4242', '378282246310005', '4000000000000002'])(
  'the card number %s is hidden in free text',
  (number) => {
    expect(toPlainText(redactor.text(`paid with ${number}.`))).toBe('paid with [card number].');
  },
);

test('masks, amounts, times and ids stay readable', () => {
  const text = '424242......4242 33000 EUR 1795000000000 2026-11-21T14:00:00Z cs_01K9ZZZZZZZZZZZZZZZZZZZZZZ RES-1234';
  expect(redactor.text(text)).toEqual([text]);
  expect(toPlainText(redactor.body('application/json', '{"cardNo":"424242......4242"}'))).toContain('424242......4242');
});

test('return nonces, link secrets and payment page keys are cut out of addresses, in any writing', () => {
  expect(toPlainText(redactor.path(new URL(`http://h/return/${SESSION}/${SECRET}/success`)))).toBe(
    `/return/${SESSION}/[return nonce]/success`,
  );
  expect(toPlainText(redactor.path(new URL(`http://h/pay/${SESSION}_${SECRET}/qr.svg`)))).toBe(
    `/pay/${SESSION}_[link secret]/qr.svg`,
  );
  expect(toPlainText(redactor.path(new URL('http://h/1234/hosted/payment?PD=eyJhIjoiYiJ9')))).toBe(
    '/1234/hosted/payment?PD=[payment page key]',
  );
  const body = JSON.stringify({
    callbackSuccessUrl: `http://p/return/${SESSION}/${SECRET}/success`,
    viewUrl: 'http://u/1234/hosted/payment?PD=eyJhIjoiYiJ9%3D',
  });
  expect(toPlainText(redactor.body('application/json', body))).not.toMatch(/S3cret|eyJh/);
  expect(toPlainText(redactor.text(encodeURIComponent(`/return/${SESSION}/${SECRET}/success`)))).not.toContain(
    'S3cret',
  );
  expect(
    toPlainText(redactor.body('text/html', '<form action="/1/hosted/payment?PD=eyJhIjoiYiJ9&amp;x=1">')),
  ).toContain('&amp;x=1');
});

test('a test card that pages print for everybody stays on a page, and nowhere else', () => {
  const lenient = new Redactor(new SecretBook(), ['4242424242424242']);
  expect(lenient.body('text/html', '<code>4242 4242 4242 4242</code>')).toEqual(['<code>4242 4242 4242 4242</code>']);
  expect(toPlainText(lenient.body('text/html', '<p>5555 5555 5555 4444</p>'))).toBe('<p>[card number]</p>');
  expect(toPlainText(lenient.body('application/x-www-form-urlencoded', 'x=4242424242424242'))).toBe('x=[card number]');
  expect(toPlainText(lenient.text('4242424242424242'))).toBe('[card number]');
});

test('a text that imitates a cut stays a text', () => {
  expect(redactor.text('[gateway key]')).toEqual(['[gateway key]']);
});

test('shortening keeps cuts whole', () => {
  expect(shorten(['abc', { hidden: 'CVC' }, 'def'], 5)).toEqual({ text: ['abc', { hidden: 'CVC' }, 'd'], isCut: true });
  expect(shorten(['abc'], 3)).toEqual({ text: ['abc'], isCut: false });
});

function header(name: string, value: string): MarkedText {
  const headers = new Headers();
  // Header values are bytes: what is not ASCII arrives as UTF-8 read byte by byte.
  headers.set(name, String.fromCharCode(...new TextEncoder().encode(value)));
  return redactor.headers(headers)[0]?.value ?? [];
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
