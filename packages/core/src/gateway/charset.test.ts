import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { decodeReply, decodeWindows1252, encodeWindows1252Form } from './charset.ts';

const seed = { seed: 20260601 };

describe('decodeWindows1252', () => {
  it('agrees with a second library about every byte', () => {
    const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    expect(decodeWindows1252(all)).toHaveLength(256);
    for (const byte of all) {
      // The five bytes without a character stand for themselves on the web; the library marks them.
      const oracle = iconv.decode(Buffer.from([byte]), 'windows-1252').replace('\ufffd', String.fromCharCode(byte));
      expect(decodeWindows1252(Uint8Array.of(byte))).toBe(oracle);
    }
  });

  it('agrees with a second library about any text, however long', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20_000 }), (bytes) => {
        const known = bytes.filter((byte) => ![0x81, 0x8d, 0x8f, 0x90, 0x9d].includes(byte));
        expect(decodeWindows1252(known)).toBe(iconv.decode(Buffer.from(known), 'windows-1252'));
      }),
      { ...seed, numRuns: 50 },
    );
  });
});

describe('encodeWindows1252Form', () => {
  it.each(['😀', '\u0080', 'Ā'])('refuses %j', (text) => {
    expect(() => encodeWindows1252Form(text, 'field')).toThrow(
      expect.objectContaining({ code: 'invalid_input', path: 'field' }),
    );
  });
});

describe('decodeReply', () => {
  const latin1 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));
  const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
  const named = (encoding: string): string => `<?xml version="1.0" encoding="${encoding}"?>ü`;
  const UNNAMED = '<?xml version="1.0"?>';

  it.each<[string, Uint8Array, string, string]>([
    [
      'a byte order mark, against all else',
      utf8(`\ufeff${named('ISO-8859-1')}`),
      'text/xml; charset=latin1',
      named('ISO-8859-1'),
    ],
    ['a UTF-16 mark', Uint8Array.of(0xff, 0xfe, 0xfc, 0x00), '', 'ü'],
    ['a big-endian mark', Uint8Array.of(0xfe, 0xff, 0x00, 0xfc), '', 'ü'],
    ['the declaration, against the header', utf8(named('utf-8')), 'text/xml; charset=iso-8859-1', named('utf-8')],
    ['the header, not an untrue declaration', latin1(named('utf-16')), 'text/xml; charset=latin1', named('utf-16')],
    ['UTF-8 when neither can be true', utf8(named('Unicode')), 'text/xml; charset=utf-16', named('Unicode')],
    ['UTF-8 when the header cannot be true', utf8('<a>ü</a>'), 'text/xml; charset=utf-16', '<a>ü</a>'],
    ['the header', Uint8Array.of(0x3c, 0x00, 0xfc, 0x00), 'text/plain; charset=utf-16', '<ü'],
    ['the header', utf8('<a>ü</a>'), 'text/xml; charset="UTF-8"', '<a>ü</a>'],
    ['UTF-8 when nothing is said and it is valid', utf8('<a>ü€</a>'), 'text/xml', '<a>ü€</a>'],
    ['UTF-8 for a declaration without an encoding', utf8(`${UNNAMED}ü`), '', `${UNNAMED}ü`],
    ['windows-1252 when nothing is said', latin1('<a>ü\u0080</a>'), 'text/xml', '<a>ü€</a>'],
    ['windows-1252 for what is called Latin-1', latin1('\u0080'), 'text/plain; charset=ISO-8859-1', '€'],
  ])('goes by %s', (_, bytes, contentType, text) => {
    expect(decodeReply(bytes, contentType)).toBe(text);
  });

  it('refuses a charset that nobody knows', () => {
    expect(() => decodeReply(utf8('x'), 'text/xml; charset=klingon')).toThrow(
      expect.objectContaining({ code: 'xml_refused', reason: 'charset' }),
    );
  });
});
