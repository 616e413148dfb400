import { parseXml, XmlElement, XmlError, XmlText } from '@rgrove/parse-xml';
import { XmlRefusedError } from '../errors.ts';
import { fromHighControl } from './charset.ts';

/** An element as plain strings; nothing is converted, so `007` stays `007`. */
export class XmlNode {
  /** The element's name. */
  readonly name: string;
  /** The element's own text, without that of its children. */
  readonly text: string;
  /** Its attributes by name. */
  readonly attributes: Readonly<Record<string, string>>;
  /** The elements inside, in order. */
  readonly children: readonly XmlNode[];

  constructor(name: string, text: string, attributes: Readonly<Record<string, string>>, children: readonly XmlNode[]) {
    this.name = name;
    this.text = text;
    this.attributes = attributes;
    this.children = children;
  }

  /** Text of the first element at a path below this one, segments joined by `/`; `undefined` when there is none. */
  get(path: string): string | undefined {
    return this.find(path.split('/'))?.text;
  }

  private find([name, ...rest]: readonly string[]): XmlNode | undefined {
    if (name === undefined) return this;
    for (const child of this.children) {
      const found = child.name === name ? child.find(rest) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

const MAX_DEPTH = 64;
const MAX_CHARACTERS = 4_194_304;
// Each piece costs the parser microseconds: this many take up to two seconds, and no real reply comes near.
const MAX_PIECES = 250_000;

/**
 * Reads a document behind guards: 4,194,304 characters, 64 levels, 250,000 pieces of markup (tags, attributes,
 * references, comments), no DOCTYPE, no entity beyond the five of XML. References to control characters, which real
 * servers send, become what windows-1252 means by them, or U+FFFD.
 *
 * @throws `xml_refused`, without any of the text
 */
export function readXml(text: string): XmlNode {
  if (text.length > MAX_CHARACTERS)
    throw new XmlRefusedError('size', `The document exceeds ${MAX_CHARACTERS} characters.`);
  const clean = guard(text);
  try {
    const { root } = parseXml(clean);
    if (root !== null) return toNode(root);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    // The parser's own message quotes the document, so it is dropped.
  }
  throw new XmlRefusedError('syntax', 'The document is not well-formed XML.');
}

function toNode(element: XmlElement): XmlNode {
  let text = '';
  const children: XmlNode[] = [];
  for (const child of element.children) {
    if (child instanceof XmlElement) children.push(toNode(child));
    else if (child instanceof XmlText) text += child.text;
  }
  const { attributes } = element;
  for (const [name, value] of Object.entries(attributes)) attributes[name] = unescapeReturns(value);
  return new XmlNode(element.name, unescapeReturns(text), attributes, children);
}

// The parser turns a carriage return into a line feed even where it was written as a reference, which XML says to keep.
// So references to it travel through the parser as an escape that no sensible text has, and that text escapes itself.
const ESCAPE = '\ufdd0';
const ESCAPED_RETURN = `${ESCAPE}\ufdd1`;
const ESCAPED_ESCAPE = `${ESCAPE}${ESCAPE}`;

function unescapeReturns(text: string): string {
  if (!text.includes(ESCAPE)) return text;
  return text.replaceAll(/\ufdd0([\ufdd0\ufdd1])/g, (_, kind) => (kind === ESCAPE ? ESCAPE : '\r'));
}

/** One pass over the markup, linear in its length, before the recursive parser sees it. */
function guard(source: string): string {
  // Line ends are made uniform here, as XML requires: the parser takes quadratic time for that.
  const text = source.slice(0, endOf(source)).trimStart().replaceAll(/\r\n?/g, '\n');
  if (exceeds(text, /[<=&]/g, MAX_PIECES)) {
    throw new XmlRefusedError('size', `The document has more than ${MAX_PIECES} tags, attributes and references.`);
  }
  const parts: string[] = [];
  let depth = 0;
  let position = 0;
  while (position < text.length) {
    const open = text.indexOf('<', position);
    parts.push(cleanText(text.slice(position, open < 0 ? text.length : open)));
    if (open < 0) break;
    let end: number;
    if (text.startsWith('<!--', open)) end = after(text, '-->', open + 4);
    else if (text.startsWith('<![CDATA[', open)) end = after(text, ']]>', open + 9);
    else if (text.startsWith('<?', open)) end = after(text, '?>', open + 2);
    else if (text.startsWith('<!', open)) throw new XmlRefusedError('doctype', 'Documents with a DOCTYPE are refused.');
    else {
      end = afterTag(text, open + 1);
      if (text[open + 1] === '/') depth -= 1;
      else if (text[end - 2] !== '/') depth += 1;
      if (depth > MAX_DEPTH) throw new XmlRefusedError('depth', `Elements are nested deeper than ${MAX_DEPTH}.`);
    }
    const markup = text.slice(open, end);
    parts.push(markup[1] === '!' || markup[1] === '?' ? replaceControls(markup) : cleanText(markup));
    position = end;
  }
  return parts.join('');
}

/** Whether a pattern occurs more than `limit` times; stops counting there. */
function exceeds(text: string, pattern: RegExp, limit: number): boolean {
  for (let found = 0; pattern.test(text); ) if (++found > limit) return true;
  return false;
}

const TRAILING: ReadonlySet<string> = new Set([' ', '\n', '\r', '\t', '\u0004', '\u0000']);

/** Socket-born servers end messages with an EOT byte. */
function endOf(text: string): number {
  let end = text.length;
  while (end > 0 && TRAILING.has(text.charAt(end - 1))) end -= 1;
  return end;
}

function after(text: string, terminator: string, from: number): number {
  const index = text.indexOf(terminator, from);
  if (index < 0) throw new XmlRefusedError('syntax', 'The document ends inside a comment, section or instruction.');
  return index + terminator.length;
}

const TAG_PARTS = /["'>]/g;

/** Position after the tag's `>`; a `>` in quotes does not count. */
function afterTag(text: string, from: number): number {
  TAG_PARTS.lastIndex = from;
  for (;;) {
    const found = TAG_PARTS.exec(text);
    if (found === null) throw new XmlRefusedError('syntax', 'The document ends inside a tag.');
    if (found[0] === '>') return TAG_PARTS.lastIndex;
    const close = text.indexOf(found[0], TAG_PARTS.lastIndex);
    if (close < 0) throw new XmlRefusedError('syntax', 'The document ends inside an attribute.');
    TAG_PARTS.lastIndex = close + 1;
  }
}

function cleanText(text: string): string {
  const clean = replaceControls(text);
  return clean.includes('&#') ? clean.replaceAll(/&#(?:x([0-9a-f]{1,8})|([0-9]{1,10}));/gi, cleanReference) : clean;
}

function cleanReference(reference: string, hex: string | undefined, decimal: string | undefined): string {
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  if (code >= 0x80 && code <= 0x9f) return fromHighControl(code);
  if (code === 13) return ESCAPED_RETURN;
  if (code === 0xfdd0) return ESCAPED_ESCAPE;
  return code === 9 || code === 10 || code >= 0x20 ? reference : '\ufffd';
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML 1.0 forbids.
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

function replaceControls(text: string): string {
  return text.replaceAll(CONTROLS, '\ufffd').replaceAll(ESCAPE, ESCAPED_ESCAPE);
}
