import { describe, expect, it } from 'vitest';
import { encodeWindows1252Form } from './charset.ts';
import { readGatewayReply } from './index.ts';

/** A body as `gateway.send` of the merchant client hands it on. */
const handedOn = (bytes: Uint8Array<ArrayBuffer>, contentType = 'text/xml') => ({ contentType, bytes });
const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

describe('a reply that came through the proxy', () => {
  it('is read as the client would: windows-1252 under the name of ISO-8859-1', () => {
    const percent = encodeWindows1252Form('Jörg Weiß, 12 €', 'name');
    const name = percent
      .replaceAll('+', ' ')
      .replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    const xml = `<?xml version="1.0" encoding="ISO-8859-1"?><R><guest><name>${name}</name></guest></R>`;
    const bytes = Uint8Array.from(xml, (character) => character.charCodeAt(0));
    const reply = readGatewayReply(handedOn(bytes));
    expect(reply.document?.get('guest/name')).toBe('Jörg Weiß, 12 €');
    expect(reply.text()).toContain('Jörg Weiß');
  });

  it.each(['text/html', 'text/html; charset=UTF-8', 'application/json', 'application/x-www-form-urlencoded', ''])(
    'says failure as %j, too: what it starts with counts',
    (contentType) => {
      for (const start of ['<?xml version="1.0" encoding="ISO-8859-1"?>', '', '\ufeff\r\n ']) {
        const failing = handedOn(utf8(`${start}<SIHOT-Document><RC>1</RC></SIHOT-Document>`), contentType);
        const message = 'The gateway request failed: RC in the reply says so.';
        expect(() => readGatewayReply(failing)).toThrow(expect.objectContaining({ code: 'gateway_error', message }));
      }
    },
  );

  it.each([
    ['{"RC":0}', 'application/json; charset=utf-8-sig'],
    ['RC=0', 'text/html; charset=none'],
  ])('needs no charset that is known to be no XML: %s as %s', (text, contentType) => {
    expect(readGatewayReply(handedOn(utf8(text), contentType)).document).toBeUndefined();
  });

  it.each<[string, string]>([
    ['OK', 'text/plain'],
    ['{"RC":0}', 'application/json'],
    ['\n<!doctype html><h1>Back soon</h1>', 'text/html'],
    ['<HTML><br></HTML>', ''],
    ['["<b>x</b>"]', 'application/json'],
    ['=<x>&a=1', 'application/x-www-form-urlencoded'],
    ['"<1>";"2"', 'text/csv'],
  ])('has no document when it is no XML: %j as %j', (text, contentType) => {
    const reply = readGatewayReply(handedOn(utf8(text), contentType));
    expect(reply.document).toBeUndefined();
    expect(reply.text()).toBe(text);
  });
});
