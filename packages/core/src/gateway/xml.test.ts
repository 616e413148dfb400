import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, it, vi } from 'vitest';
import { ANY_CHARACTER } from '../../test-support/any-character.ts';
import { decodeReply, decodeWindows1252 } from './charset.ts';
import { readXml, type XmlNode } from './xml-reader.ts';
import { writeXml, type XmlMembers } from './xml-writer.ts';

const seed = { seed: 20260601 };
const refused = (reason: string) => expect.objectContaining({ code: 'xml_refused', reason });

/** Controls but for tabs and line ends, halves of characters, and the two characters that are none. */
const NO_XML_TEXT = /[^\t\n\r\P{Cc}\x7f]|[\p{Cs}\ufffe\uffff]/gu;

/**
 * Any text that XML 1.0 can carry, save the C1 controls: real servers mean windows-1252 by references to them, so the
 * reader reads them as that.
 */
const xmlText = fc.string({ unit: ANY_CHARACTER }).map((text) => text.replaceAll(NO_XML_TEXT, ''));
const xmlName = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9._-]{0,8}$/);

function roundTrip(members: XmlMembers): XmlNode {
  return readXml(decodeReply(writeXml('SIHOT-Document', members), ''));
}

/** All the text of a document, by a second reader. */
function readWithSaxes(document: string): string {
  let seen = '';
  const parser = new SaxesParser();
  parser.on('text', (part) => {
    seen += part;
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(document).close();
  return seen;
}

describe('writer and reader', () => {
  it('bring any tree through', () => {
    const { tree } = fc.letrec<{ tree: XmlMembers }>((tie) => ({
      tree: fc.dictionary(xmlName, fc.oneof(xmlText, tie('tree'), fc.array(xmlText, { minLength: 1, maxLength: 3 })), {
        maxKeys: 4,
      }),
    }));
    fc.assert(
      fc.property(tree, (members) => {
        const compare = (node: XmlNode, content: XmlMembers | string): void => {
          if (typeof content === 'string') {
            expect(node.text).toBe(content);
            return;
          }
          const flat = Object.entries(content).flatMap(([name, value]) =>
            (Array.isArray(value) ? value : [value]).map((each: string | XmlMembers) => [name, each] as const),
          );
          expect(node.children.map(({ name }) => name)).toEqual(flat.map(([name]) => name));
          for (const [index, [, each]] of flat.entries()) compare(node.children[index] as XmlNode, each);
        };
        compare(roundTrip(members), members);
      }),
      {
        ...seed,
        numRuns: 1000,
        examples: [
          [{ A: ']]>' }],
          [{ A: '\r\n\t ' }],
          [{ ['__proto__']: 'x' }],
          [{ A: '&#128;' }],
          [{ A: 'ü€' }],
          [{ A: '\ufdd0\r\ufdd1\ufdd0\ufdd0' }],
        ],
      },
    );
  });

  it('agree with a second reader about what is written', () => {
    fc.assert(
      fc.property(xmlText, (text) => {
        expect(readWithSaxes(decodeWindows1252(writeXml('a', { b: text })))).toBe(text);
      }),
      { ...seed, numRuns: 500 },
    );
  });
});

describe('writeXml', () => {
  it('writes the golden document', () => {
    expect(
      decodeWindows1252(writeXml('SIHOT-Document', { OC: 'KA', N: undefined, L: ['1', '2'], D: { E: 'ü<&>' } })),
    ).toBe(
      '<?xml version="1.0" encoding="ISO-8859-1"?><SIHOT-Document><OC>KA</OC><L>1</L><L>2</L><D><E>ü&lt;&amp;&gt;</E></D></SIHOT-Document>',
    );
  });

  it('writes C1 controls as references, which readers of such documents take for windows-1252', () => {
    const bytes = writeXml('R', { A: 'a\u0080\u0085' });
    expect(decodeWindows1252(bytes)).toContain('<A>a&#128;&#133;</A>');
    expect(readXml(decodeReply(bytes, '')).get('A')).toBe('a€…');
  });

  it.each([
    ['a name with a space', { 'A B': '1' }],
    ['a name that is markup', { 'A><B': '1' }],
    ['a name that is not ASCII', { Ü: '1' }],
    ['a control character', { A: '\u0001' }],
    ['half a surrogate pair', { A: '\ud800' }],
    ['a number', { A: 1 as unknown as string }],
    ['null', { A: null as unknown as string }],
    ['a date', { A: new Date(0) as unknown as string }],
    ['a map', new Map([['A', '1']]) as unknown as { A: string }],
  ])('refuses %s', (_, members) => {
    expect(() => writeXml('R', members)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });
});

describe('readXml', () => {
  it('keeps every value a string and finds it by its path', () => {
    const document = readXml('<R a="1"><A>007</A><L><X>1</X></L><L><Y> 2 </Y></L><E/><__proto__>p</__proto__></R>');
    expect(document.name).toBe('R');
    expect(document.attributes.a).toBe('1');
    expect(document.get('A')).toBe('007');
    expect(document.get('L/Y')).toBe(' 2 ');
    expect(document.get('E')).toBe('');
    expect(document.get('__proto__')).toBe('p');
    expect(document.get('constructor')).toBeUndefined();
    expect(document.get('A/B')).toBeUndefined();
  });

  it('reads CDATA literally and drops comments and instructions', () => {
    const document = readXml(
      '<?xml version="1.0"?><!-- <!DOCTYPE x> --><R><A>1<![CDATA[<&#1;&#128;>]]><!-- > --><?p > ?>2</A></R>',
    );
    expect(document.get('A')).toBe('1<&#1;&#128;>2');
  });

  it('survives the control characters that real servers send', () => {
    expect(readXml('<R>&#128;&#x80;&#1;&#7;\u0001&#65;</R>').text).toBe('€€\ufffd\ufffd\ufffdA');
    expect(readXml('\r\n<R>1</R>\r\n\u0004').text).toBe('1');
    expect(readXml('<R a="&#1;">1</R>').attributes.a).toBe('\ufffd');
  });

  it.each([
    ['a DOCTYPE', '<!DOCTYPE R><R/>', 'doctype'],
    ['an external entity', '<!DOCTYPE R [<!ENTITY x SYSTEM "file:///etc/passwd">]><R>&x;</R>', 'doctype'],
    ['a lower-case doctype', '<!doctype html><html/>', 'doctype'],
    ['a doctype after a comment', '<!-- x --><!DOCTYPE R><R/>', 'doctype'],
    ['an entity declaration inside', '<R><!ENTITY x "y"></R>', 'doctype'],
    ['an undefined entity', '<R>&nbsp;</R>', 'syntax'],
    ['65 levels', `${'<a>'.repeat(65)}${'</a>'.repeat(65)}`, 'depth'],
    ['100 000 levels', '<a>'.repeat(100_000), 'depth'],
    ['an open comment', '<R><!-- ', 'syntax'],
    ['open comments, one in the other', '<!--'.repeat(200_000), 'syntax'],
    ['an open section', `<R>${'<![CDATA['.repeat(200_000)}`, 'syntax'],
    ['an open tag', '<R', 'syntax'],
    ['an open attribute', '<R a="', 'syntax'],
    ['open quotes', `<R ${'a="'.repeat(200_000)}`, 'syntax'],
    ['two roots', '<R/><R/>', 'syntax'],
    ['crossed tags', '<A><B></A></B>', 'syntax'],
    ['no markup', 'hello', 'syntax'],
    ['nothing', '', 'syntax'],
    ['too many characters', ' '.repeat(4_194_305), 'size'],
    ['900 000 empty elements', `<R>${'<b/>'.repeat(900_000)}</R>`, 'size'],
    ['300 000 attributes', `<R ${'a="" '.repeat(300_000)}/>`, 'size'],
    ['a million ampersands', `<R>${'&'.repeat(1_000_000)}</R>`, 'size'],
  ])('refuses %s', (_, text, reason) => {
    expect(() => readXml(text)).toThrow(refused(reason));
  });

  // Work that grows with the square of these would not end before the limit of a test.
  it.each([
    ['empty elements', `<R>${'<a/>'.repeat(200_000)}</R>`],
    ['spaces', `<R>${' '.repeat(1_000_000)}x</R>`],
    ['zeros in a reference', `<R>&#${'0'.repeat(1_000_000)}</R>`],
    ['references', `<R>${'&#128;'.repeat(200_000)}</R>`],
    ['ampersands', `<R>${'&'.repeat(200_000)}</R>`],
    ['attributes', `<R ${Array.from({ length: 100_000 }, (_, index) => `a${index}=""`).join(' ')}/>`],
    ['quotes', `<R a='${'"'.repeat(1_000_000)}'/>`],
  ])('comes to an end with a megabyte of %s', (_, text) => {
    try {
      readXml(text);
    } catch (error) {
      expect(error).toEqual(refused('syntax'));
    }
  });

  it.each([
    ['240 kB of lines', `<R>${'x\r\n'.repeat(80_000)}</R>`, `${'x\n'.repeat(80_000)}`],
    ['160 000 carriage returns', `<R>${'\r'.repeat(160_000)}</R>`, '\n'.repeat(160_000)],
    ['4 MB of carriage returns', `<R>${'\r'.repeat(4_000_000)}</R>`, '\n'.repeat(4_000_000)],
    ['a section of carriage returns', `<R><![CDATA[${'\r'.repeat(160_000)}]]></R>`, '\n'.repeat(160_000)],
  ])('does not work once per line end: %s', (_, text, expected) => {
    const slice = String.prototype.slice;
    let slices = 0;
    // Cutting a text at each carriage return is how time becomes quadratic.
    const spy = vi.spyOn(String.prototype, 'slice').mockImplementation(function (this: string, ...range) {
      if (++slices > 200) throw new Error('too much work');
      return slice.apply(this, range);
    });
    try {
      const read = readXml(text).text;
      expect(read === expected).toBe(true);
    } finally {
      spy.mockRestore();
    }
  });

  it('reads every kind of line end as a line feed, save in references', () => {
    const { text, attributes } = readXml('<R a="1\r\n2">a\r\nb\rc\n&#13;d</R>');
    expect(text).toBe('a\nb\nc\n\rd');
    expect(attributes.a).toBe('1 2');
  });

  it('does not repeat the document in its errors', () => {
    expect(() => readXml('<R>secret-value</X>')).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('secret') }),
    );
  });

  it('agrees with a second reader about what is well-formed', () => {
    const pieces = fc.constantFrom(
      ...['<b>', '</b>', '<c/>', 'text', '&amp;', '&#65;', '<!-- c -->', '<![CDATA[x]]>', '<d e="f"/>', '&', '<'],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
        const text = `<a>${parts.join('')}</a>`;
        const accepts = (read: () => void): boolean => {
          try {
            read();
            return true;
          } catch {
            return false;
          }
        };
        expect(accepts(() => readXml(text))).toBe(accepts(() => readWithSaxes(text)));
      }),
      { ...seed, numRuns: 2000 },
    );
  });
});
