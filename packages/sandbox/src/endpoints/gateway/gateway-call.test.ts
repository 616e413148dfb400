import { expect, it } from 'vitest';
import { createSandbox } from '../../server/sandbox.ts';
import { fromLatin1, toLatin1 } from '../../wire/latin1.ts';
import type { SandboxOptions } from '../../world/settings.ts';

const KEY = '0123456789012345678901234567890123456789';
const ALIVE = document('<OC>KA</OC><TN>17</TN><CDT>2026-11-21T10:00:00</CDT><status>0</status>');
const XML = 'text/xml; charset=ISO-8859-1';
const FORM = 'application/x-www-form-urlencoded';

interface Call {
  readonly method?: string;
  readonly query?: string;
  /** @default the key */
  readonly headers?: Record<string, string>;
  /** @default what the method takes; `null` sends none */
  readonly type?: string | null;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly options?: SandboxOptions;
}

function document(children: string, root = 'SIHOT-Document', encoding = 'ISO-8859-1'): string {
  return `<?xml version="1.0" encoding="${encoding}"?>\n<${root}>${children}</${root}>`;
}

async function send({ method = 'RMS/keepalivereq', query = '', headers, type, body = ALIVE, options = {} }: Call = {}) {
  const sent = type === undefined ? (method === 'RMS/roomreq' ? FORM : XML) : type;
  const response = await createSandbox(options).fetch(`https://sandbox.test/1234/API/${method}${query}`, {
    method: 'POST',
    headers: { ...(sent !== null && { 'Content-Type': sent }), ...(headers ?? { 'x-api-key': KEY }) },
    body: typeof body === 'string' ? toLatin1(body, (codePoint) => `&#${codePoint};`) : body,
  });
  const text = fromLatin1(new Uint8Array(await response.arrayBuffer()));
  return { status: response.status, type: response.headers.get('content-type'), text };
}

it('answers RMS/keepalivereq in ISO-8859-1 XML with the same transaction number', async () => {
  expect(await send()).toEqual({
    status: 200,
    type: 'text/xml; charset=ISO-8859-1',
    text: `${document('<OC>KA</OC><TN>17</TN><CDT>2026-09-01T08:00:00</CDT><status>0</status>')}\n`,
  });
});

it('answers RMS/roomreq with the guests of the room', async () => {
  const body = 'transno=5&roomreq=101&extraInfo=REMARKS%3BBOARD&mandator=1';
  const { status, text } = await send({ method: 'RMS/roomreq', body });
  expect(status).toBe(200);
  expect(text).toContain('<firstname>Jörg</firstname><lastname>Weiß</lastname>');
  expect(text).toContain('<remarks>Minibar 12 &#8364;, late check-out</remarks>');
  expect(text).toContain('<transno>5</transno>');
});

it('splits extraInfo at semicolons and lets it be left out', async () => {
  const { status, text } = await send({ method: 'RMS/roomreq', body: 'transno=5&roomreq=103&mandator=1' });
  expect([status, text.includes('<guest>'), text.includes('<remarks>')]).toEqual([200, false, false]);
});

it.each([
  ['header', {}, { 'x-api-key': KEY }],
  ['query parameter', { query: `?api_key=${KEY}` }, {}],
  ['Basic user name', {}, { Authorization: `Basic ${btoa(`${KEY}:`)}` }],
])('takes the API key as %s', async (_way, call, headers) => {
  expect((await send({ ...call, headers })).status).toBe(200);
});

it.each([
  ['no key', 401, {}],
  ['a wrong key', 401, { 'x-api-key': KEY.replace('0', '9') }],
  ['a Basic password', 401, { Authorization: `Basic ${btoa(`${KEY}:secret`)}` }],
  ['a Basic password after an empty part', 401, { Authorization: `Basic ${btoa(`${KEY}::secret`)}` }],
  ['a Basic key without a colon', 401, { Authorization: `Basic ${btoa(KEY)}` }],
  ['the key twice', 400, { 'x-api-key': KEY, Authorization: `Basic ${btoa(`${KEY}:`)}` }],
])('refuses a gateway request with %s', async (_case, status, headers) => {
  expect((await send({ headers })).status).toBe(status);
});

it.each(['header', 'query', 'form', 'xml'] as const)(
  'wants the product id in the %s when configured',
  async (place) => {
    const options: SandboxOptions = { productId: { value: 'P-1', in: place, name: 'pid' } };
    const isForm = place === 'form';
    const room = 'transno=5&roomreq=101&mandator=1';
    const base = isForm ? { method: 'RMS/roomreq', body: room } : {};
    expect((await send({ ...base, options })).status).toBe(401);
    const withId: Call = {
      header: { headers: { 'x-api-key': KEY, pid: 'P-1' } },
      query: { query: '?pid=P-1' },
      form: { method: 'RMS/roomreq', body: `${room}&pid=P-1` },
      xml: { body: ALIVE.replace('<OC>', '<pid>P-1</pid><OC>') },
    }[place];
    expect((await send({ ...withId, options })).status).toBe(200);
  },
);

it.each([
  ['another root', 400, document('<OC>KA</OC>', 'Other')],
  ['another encoding', 400, document('<OC>KA</OC>', 'SIHOT-Document', 'UTF-8')],
  ['a document type', 400, ALIVE.replace('<SIHOT', '<!DOCTYPE x><SIHOT')],
  ['a comment', 400, ALIVE.replace('<OC>', '<!-- x --><OC>')],
  ['text between elements', 400, ALIVE.replace('<TN>', 'x<TN>')],
  ['a missing element', 400, document('<OC>KA</OC><TN>1</TN><CDT>x</CDT>')],
  ['an element twice', 400, ALIVE.replace('<OC>', '<TN>1</TN><OC>')],
  ['an unknown element', 400, ALIVE.replace('<OC>', '<XX>1</XX><OC>')],
  ['nested elements', 400, ALIVE.replace('KA', '<b>KA</b>')],
  ['an undefined entity', 400, ALIVE.replace('KA', '&nope;')],
  ['an entity named as every object has a member', 400, ALIVE.replace('KA', '&constructor;')],
  ['a cut-off body', 400, ALIVE.slice(0, -5)],
  ['half of a surrogate pair', 400, ALIVE.replace('17', '&#55296;')],
  ['a reference to no character', 400, ALIVE.replace('17', '&#xFFFE;')],
  ['a reference beyond Unicode', 400, ALIVE.replace('17', '&#x110000;')],
  ['a control character', 400, ALIVE.replace('17', 'a\u0001b')],
])('answers a non-200 status for XML with %s', async (_case, status, body) => {
  expect((await send({ body })).status).toBe(status);
});

it.each([
  ['an unknown room', 404, 'transno=5&roomreq=999&mandator=1'],
  ['a missing parameter', 400, 'transno=5&roomreq=101'],
  ['a parameter twice', 400, 'transno=5&transno=6&roomreq=101&mandator=1'],
  ['an unknown parameter', 400, 'transno=5&roomreq=101&mandator=1&x=1'],
  ['a control character', 400, 'transno=5%01&roomreq=101&mandator=1'],
])('answers a non-200 status for a form with %s', async (_case, status, body) => {
  expect((await send({ method: 'RMS/roomreq', body })).status).toBe(status);
});

it('answers 404 for a method it does not have and 415 for the wrong body form', async () => {
  expect((await send({ method: 'RMS/other' })).status).toBe(404);
  expect((await send({ type: FORM })).status).toBe(415);
});

it('reads Latin-1 and writes it back byte by byte', async () => {
  const { text } = await send({ body: ALIVE.replace('17', 'Zimmer für Jörg &amp; Zoé &#8364;') });
  expect(text).toContain('<TN>Zimmer für Jörg &amp; Zoé &#8364;</TN>');
});

it.each(['', '; charset=ISO-8859-1', '; charset=windows-1252'])(
  'reads a form with ampersands too many when its type ends with %j',
  async (charset) => {
    const body = '&transno=1&&roomreq=103&mandator=1&';
    expect(await send({ method: 'RMS/roomreq', type: `${FORM}${charset}`, body })).toMatchObject({ status: 200 });
  },
);

it.each([
  ['UTF-8 without saying so', FORM, Buffer.from('Müller')],
  ['UTF-8', `${FORM}; charset=UTF-8`, Buffer.from('M%C3%BCller')],
  ['Latin-1', `${FORM}; charset=ISO-8859-1`, Buffer.from('M%FCller')],
  ['windows-1252', `${FORM}; charset=windows-1252`, Buffer.from('M\xfcller %80', 'latin1')],
])('reads a form whose bytes are %s', async (_name, type, transno) => {
  const body = new Uint8Array(Buffer.concat([Buffer.from('roomreq=103&mandator=1&transno='), transno]));
  const expected = type.endsWith('1252') ? 'Müller &#8364;' : 'Müller';
  expect((await send({ method: 'RMS/roomreq', type, body })).text).toContain(`<transno>${expected}</transno>`);
});

it.each([
  ['RMS/keepalivereq', ALIVE],
  ['RMS/roomreq', 'transno=5&roomreq=103&mandator=1'],
])('takes %s without a content type, which the specification does not list', async (method, body) => {
  expect((await send({ method, type: null, body: new Uint8Array(Buffer.from(body)) })).status).toBe(200);
});

it('reads a declaration with spaces around its equals signs', async () => {
  expect((await send({ body: ALIVE.replaceAll('=', ' = ') })).status).toBe(200);
});

it('reads looser XML without a declaration as its content type says', async () => {
  const { text } = await send({
    options: { profile: 'lenient' },
    body: ALIVE.slice(ALIVE.indexOf('<SIHOT')).replace('17', 'Müller'),
  });
  expect(text).toContain('<TN>Müller</TN>');
});

it('speaks looser XML in the lenient profile', async () => {
  const options: SandboxOptions = { profile: 'lenient' };
  const alive = '<SIHOT-DOCUMENT><OC>KA</OC><TN>1</TN><CDT>x</CDT><status>0</status></SIHOT-DOCUMENT>';
  expect((await send({ options, body: alive })).status).toBe(200);
  const body = 'transno=5&roomreq=101&extraInfo=REMARKS&mandator=1';
  const room = await send({ options, method: 'RMS/roomreq', body });
  expect(room.text).toContain('Minibar 12 &#128;');
});
