/** The few lines of XML that the gateway needs: one root, children that hold text. */
import { fromLatin1, readAsWindows1252, toLatin1, windows1252ByteOf } from './latin1.ts';
import { Refusal } from './refusal.ts';

/** An element to be written. */
export interface XmlElement {
  readonly name: string;
  readonly content: string | readonly XmlElement[];
}

/** A document that was read: the text of each child of the root, in order. */
export interface FlatDocument {
  readonly root: string;
  readonly children: readonly { readonly name: string; readonly text: string }[];
}

const DECLARATION =
  /^<\?xml\s+version\s*=\s*(?:"1\.0"|'1\.0')(?:\s+encoding\s*=\s*(?:"([\w.-]+)"|'([\w.-]+)'))?(?:\s+standalone\s*=\s*["'](?:yes|no)["'])?\s*\?>/;
const NAME = '[A-Za-z_][\\w.-]*';
const ROOT = new RegExp(`^<(${NAME})\\s*(?:/>|>([\\s\\S]*)</(${NAME})\\s*>)$`);
const CHILD = new RegExp(`\\s*<(${NAME})\\s*(?:/>|>([^<]*)</(${NAME})\\s*>)`);
// Everything that XML 1.0 allows: no control characters but tab and line breaks, no halves of surrogate pairs.
const ALLOWED_TEXT = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;
const NAMED_REFERENCES = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));

/**
 * Reads a flat document.
 * @param readsAnyEncoding - also UTF-8 and windows-1252, and documents without a declaration
 * @param charset - what the content type says about a document without a declaration; may be empty
 * @throws Refusal `invalid_request` saying what is wrong with it.
 */
export function readFlatDocument(
  bytes: Uint8Array,
  { readsAnyEncoding, charset }: { readonly readsAnyEncoding: boolean; readonly charset: string },
): FlatDocument {
  const latin1 = fromLatin1(bytes);
  const declaration = DECLARATION.exec(latin1);
  const encoding = (declaration?.[1] ?? declaration?.[2] ?? charset).toLowerCase();
  if (!readsAnyEncoding && (declaration === null || encoding !== 'iso-8859-1'))
    refuse('must declare encoding="ISO-8859-1"');
  const text = encoding === 'iso-8859-1' && !readsAnyEncoding ? latin1 : decodeFreely(bytes, encoding);
  const source = text
    .replace(/^\uFEFF/, '')
    .replace(DECLARATION, '')
    .trim();
  if (!isXmlText(source)) refuse('has a character that is not allowed');
  if (/<!|<\?/.test(source)) refuse('must not have a document type, comments, CDATA or processing instructions');
  const [, root, inner = '', closing] = ROOT.exec(source) ?? [];
  if (root === undefined || (closing !== undefined && closing !== root)) {
    refuse('must be one element without attributes, with its end');
  }
  return { root, children: readChildren(inner) };
}

/** Whether XML can hold a text. */
export function isXmlText(text: string): boolean {
  return ALLOWED_TEXT.test(text);
}

/** Writes a document as ISO-8859-1 with its declaration. */
export function writeDocument(
  root: XmlElement,
  { usesWindows1252References }: { readonly usesWindows1252References: boolean },
): Uint8Array<ArrayBuffer> {
  const text = `<?xml version="1.0" encoding="ISO-8859-1"?>\n${writeElement(root)}\n`;
  return toLatin1(text, (codePoint) => {
    // Real senders write &#128; for a euro sign: it is wrong, but a reader must accept it.
    const written = usesWindows1252References ? windows1252ByteOf(codePoint) : undefined;
    return `&#${written ?? codePoint};`;
  });
}

function writeElement({ name, content }: XmlElement): string {
  const inner = typeof content === 'string' ? escapeText(content) : content.map(writeElement).join('');
  return `<${name}>${inner}</${name}>`;
}

function readChildren(inner: string): { name: string; text: string }[] {
  const children: { name: string; text: string }[] = [];
  const end = inner.trimEnd().length;
  const child = new RegExp(CHILD, 'y');
  while (child.lastIndex < end) {
    const [, name, text = '', closing] = child.exec(inner) ?? [];
    if (name === undefined || (closing !== undefined && closing !== name)) {
      refuse('must consist of elements with text and nothing else');
    }
    children.push({ name, text: readReferences(text) });
  }
  return children;
}

function readReferences(text: string): string {
  return text.replace(/&(?:#(\d{1,7});|#x([\dA-Fa-f]{1,6});|(\w+);)?/g, (_, decimal, hexadecimal, name) => {
    const character = NAMED_REFERENCES.get(name) ?? toCharacter(Number(decimal ?? `0x${hexadecimal}`));
    return character ?? refuse('has a reference to a character that is not allowed');
  });
}

function toCharacter(codePoint: number): string | undefined {
  const character = codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : undefined;
  return character !== undefined && isXmlText(character) ? character : undefined;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;');
}

function decodeFreely(bytes: Uint8Array, encoding: string): string {
  if (encoding === 'iso-8859-1' || encoding === 'windows-1252') return readAsWindows1252(fromLatin1(bytes));
  return new TextDecoder().decode(bytes);
}

function refuse(reason: string): never {
  throw new Refusal('invalid_request', `the XML document ${reason}`);
}
