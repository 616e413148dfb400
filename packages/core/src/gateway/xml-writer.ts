import { InvalidInputError } from '../errors.ts';
import { hasMembers } from '../values/check-text.ts';
import { encodeLatin1Xml } from './charset.ts';

/** Content of an element: text, child elements, or a list of either for an element that repeats. */
export type XmlContent = string | XmlMembers | readonly (string | XmlMembers)[];

/** Child elements by name, in the order in which they are written. Undefined ones are left out. */
export interface XmlMembers {
  readonly [name: string]: XmlContent | undefined;
}

const NAME = /^[A-Za-z_][A-Za-z0-9._-]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML 1.0 forbids.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u;
const MAX_DEPTH = 64;

/** Writes a document in the form that `xmlDocument` promises. */
export function writeXml(root: string, members: XmlMembers): Uint8Array<ArrayBuffer> {
  const parts = ['<?xml version="1.0" encoding="ISO-8859-1"?>'];
  writeElement(parts, root, members, root, 1);
  return encodeLatin1Xml(parts.join(''));
}

function writeElement(parts: string[], name: string, content: string | XmlMembers, path: string, depth: number): void {
  if (!NAME.test(name)) throw new InvalidInputError(path, `${JSON.stringify(name)} cannot be the name of an element.`);
  if (depth > MAX_DEPTH) throw new InvalidInputError(path, `Elements are nested deeper than ${MAX_DEPTH}.`);
  if (typeof content === 'string') {
    parts.push(`<${name}>`, escapeText(content, path), `</${name}>`);
    return;
  }
  if (!hasMembers(content)) {
    throw new InvalidInputError(path, `${path} must be a string, an object or a list of these.`);
  }
  parts.push(`<${name}>`);
  for (const [child, value] of Object.entries(content)) {
    if (value === undefined) continue;
    for (const each of Array.isArray(value) ? value : [value]) {
      writeElement(parts, child, each, `${path}.${child}`, depth + 1);
    }
  }
  parts.push(`</${name}>`);
}

function escapeText(text: string, path: string): string {
  if (FORBIDDEN.test(text)) throw new InvalidInputError(path, `${path} has a character that XML cannot carry.`);
  return text.replaceAll(/[&<>\r]/g, (char) => ESCAPES[char] ?? char);
}

// A bare CR would come back as LF.
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };
