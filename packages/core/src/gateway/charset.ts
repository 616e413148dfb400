// Own tables: labels such as iso-8859-1 mean windows-1252 on the web, and Node's decoder for it differs by version.
import { InvalidInputError, XmlRefusedError } from '../errors.ts';

/** What windows-1252 has at 0x80 to 0x9F; the five unassigned bytes stand for themselves. */
const HIGH_CONTROLS =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

const SINGLE_BYTE_LABELS = /^(windows-1252|cp-?1252|iso[-_]?8859-1|latin-?1|us-ascii|ascii|l1)$/i;
/** Charsets in which markup is not readable byte by byte: a text that names one was written elsewhere. */
const WIDE_LABELS = /utf-?(16|32)|ucs|unicode/i;
const CHUNK = 8192;

/** The character that a windows-1252 byte from 0x80 to 0x9F stands for. */
export function fromHighControl(byte: number): string {
  return HIGH_CONTROLS.charAt(byte - 0x80);
}

/** Decodes windows-1252, which is also sent under the name ISO-8859-1. */
export function decodeWindows1252(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let start = 0; start < bytes.length; start += CHUNK) {
    const units = Array.from(bytes.subarray(start, start + CHUNK), (byte) =>
      byte >= 0x80 && byte <= 0x9f ? HIGH_CONTROLS.charCodeAt(byte - 0x80) : byte,
    );
    parts.push(String.fromCharCode(...units));
  }
  return parts.join('');
}

/**
 * Decodes a reply by, in this order, its byte order mark, its XML declaration, the charset of its content type; without
 * any of these that can be true as UTF-8 if it is valid, else as windows-1252.
 *
 * @throws `xml_refused` for a charset that the runtime does not know
 */
export function decodeReply(bytes: Uint8Array, contentType: string): string {
  if (startsWith(bytes, [0xef, 0xbb, 0xbf])) return decodeAs('utf-8', bytes.subarray(3));
  if (startsWith(bytes, [0xff, 0xfe])) return decodeAs('utf-16le', bytes.subarray(2));
  if (startsWith(bytes, [0xfe, 0xff])) return decodeAs('utf-16be', bytes.subarray(2));
  const head = decodeWindows1252(bytes.subarray(0, 200));
  const declared = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(head)?.[1];
  const inHeader = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1];
  const isReadable = /^\s*<[?!\w]/.test(head);
  const label = [declared, inHeader].find((name) => name && !(isReadable && WIDE_LABELS.test(name)));
  if (label !== undefined) return decodeAs(label, bytes);
  // XML without a declaration must be UTF-8; text in windows-1252 is practically never valid UTF-8.
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decodeWindows1252(bytes);
  }
}

function decodeAs(label: string, bytes: Uint8Array): string {
  if (SINGLE_BYTE_LABELS.test(label)) return decodeWindows1252(bytes);
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(label);
  } catch {
    throw new XmlRefusedError('charset', 'The reply is in a charset that this runtime does not know.');
  }
  return decoder.decode(bytes);
}

function startsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}

/**
 * Encodes as ISO-8859-1. What the charset lacks, 0x80 to 0x9F included, becomes a decimal character reference, which is
 * right in XML text only.
 */
export function encodeLatin1Xml(text: string): Uint8Array<ArrayBuffer> {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is the point.
  const portable = text.replaceAll(/[^\u0000-\u007f\u00a0-\u00ff]/gu, (char) => `&#${char.codePointAt(0)};`);
  const bytes = new Uint8Array(portable.length);
  for (let index = 0; index < portable.length; index++) bytes[index] = portable.charCodeAt(index);
  return bytes;
}

/**
 * Percent-encodes for a form in windows-1252.
 *
 * @throws `invalid_input` for a character that the charset lacks
 */
export function encodeWindows1252Form(text: string, path: string): string {
  return Array.from(text, (char) => {
    if (/[A-Za-z0-9*._-]/.test(char)) return char;
    if (char === ' ') return '+';
    const code = char.codePointAt(0) ?? 0;
    const high = HIGH_CONTROLS.indexOf(char);
    const byte = high >= 0 ? 0x80 + high : code;
    if (byte > 0xff || (high < 0 && code >= 0x80 && code < 0xa0)) {
      throw new InvalidInputError(path, `${path} has a character that windows-1252 lacks.`);
    }
    return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}
