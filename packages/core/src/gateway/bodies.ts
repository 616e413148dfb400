import { InvalidInputError } from '../errors.ts';
import type { RawBody } from '../transport/exchange.ts';
import { hasMembers } from '../values/check-text.ts';
import { encodeWindows1252Form } from './charset.ts';
import { writeXml, type XmlMembers } from './xml-writer.ts';

/** A request body, ready to send. A raw one is `{ contentType, bytes }`. */
export type GatewayBody = RawBody;

/** A body that can take one more member, which is how a product id gets into it. */
export interface ExtensibleBody extends GatewayBody {
  /** What it holds: an XML document, or form parameters. */
  kind: 'xml' | 'form';
  /** A copy with one more element or parameter at the end. */
  with(name: string, value: string): ExtensibleBody;
}

/**
 * An XML document with root `SIHOT-Document`, declared and encoded as ISO-8859-1. Characters that the charset lacks
 * become character references. So do U+0080 to U+009F, which XML allows and which readers of such documents, ours included,
 * take for the characters of windows-1252 at those places: leave them out. Meaning of the elements: see the interface's own documentation.
 *
 * @param options - `root`: name of the root element
 * @throws `invalid_input` for a name that is not plain ASCII, or text with characters that XML forbids
 * @see upstream API, section "Gateway request bodies"
 */
export function xmlDocument(members: XmlMembers, { root = 'SIHOT-Document' }: { root?: string } = {}): ExtensibleBody {
  return {
    kind: 'xml',
    contentType: 'text/xml; charset=ISO-8859-1',
    bytes: writeXml(root, members),
    with: (name, value) => xmlDocument({ ...members, [name]: value }, { root }),
  };
}

/** Form parameters: a list joins its items with semicolons; undefined ones are left out. */
export type FormFields = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Settings of {@link formBody}. */
export interface FormBodyOptions {
  /** Charset behind the percent escapes; the specification leaves it open. @default 'utf-8' */
  charset?: 'utf-8' | 'windows-1252' | undefined;
}

/**
 * Form parameters as `application/x-www-form-urlencoded`.
 *
 * @throws `invalid_input` for a value that is not a string or a list of strings, a list item with a semicolon, or a character
 * that the charset lacks
 * @see upstream API, section "Gateway request bodies"
 */
export function formBody(fields: FormFields, options: FormBodyOptions = {}): ExtensibleBody {
  const { charset = 'utf-8' } = options;
  if (charset !== 'utf-8' && charset !== 'windows-1252') {
    throw new InvalidInputError('charset', "charset must be 'utf-8' or 'windows-1252'.");
  }
  if (!hasMembers(fields)) throw new InvalidInputError('fields', 'fields must be an object.');
  const parameters = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, joinItems(value, name)] as const],
  );
  const encode = (text: string, path: string): string => {
    if (charset === 'windows-1252') return encodeWindows1252Form(text, path);
    if (/\p{Surrogate}/u.test(text)) throw new InvalidInputError(path, `${path} has a character that UTF-8 lacks.`);
    return new URLSearchParams([['', text]]).toString().slice(1);
  };
  const text = parameters.map(([name, value]) => `${encode(name, name)}=${encode(value, name)}`).join('&');
  return {
    kind: 'form',
    // The type itself means UTF-8.
    contentType: `application/x-www-form-urlencoded${charset === 'utf-8' ? '' : `; charset=${charset}`}`,
    bytes: new TextEncoder().encode(text),
    with: (name, value) => formBody({ ...fields, [name]: value }, options),
  };
}

function joinItems(value: string | readonly string[], path: string): string {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  for (const item of items) {
    if (typeof item !== 'string') throw new InvalidInputError(path, `${path} must be a string or a list of strings.`);
    if (item !== value && item.includes(';')) {
      throw new InvalidInputError(path, `An item of ${path} has a semicolon, which separates items.`);
    }
  }
  return items.join(';');
}
