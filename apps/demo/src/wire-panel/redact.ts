/** Cuts secrets out of text: known values in any form, shapes that only secrets have, and fields named after one. */
import type { MarkedHeader, MarkedText, Part } from './exchange.ts';
import type { SecretBook, Span } from './secret-book.ts';

const SESSION_ID = 'cs_[0-9A-HJKMNP-TV-Z]{26}';
const SLASH = '(?:\\\\?/|%2[Ff])';

interface Shape {
  /** The part to hide is the last group; the whole match when there is none. */
  readonly pattern: RegExp;
  readonly name: string;
  readonly isSecret?: (text: string) => boolean;
}

const SHAPES: readonly Shape[] = [
  { pattern: /\bsk_(?:test|live)_[A-Za-z0-9_-]{8,}/g, name: 'merchant key' },
  { pattern: /\bwhsec_[A-Za-z0-9+/=_-]{8,}/g, name: 'webhook secret' },
  { pattern: new RegExp(`${SLASH}pay${SLASH}${SESSION_ID}_([A-Za-z0-9_-]{43})`, 'g'), name: 'link secret' },
  { pattern: new RegExp(`${SESSION_ID}_([A-Za-z0-9_-]{43})`, 'g'), name: 'client secret' },
  { pattern: new RegExp(`${SLASH}return${SLASH}${SESSION_ID}${SLASH}([A-Za-z0-9_-]{16,})`, 'g'), name: 'return nonce' },
  { pattern: /[?&;]PD(?:=|%3[Dd])((?:[A-Za-z0-9+/_=-]|%(?!26)[0-9A-Fa-f]{2})+)/g, name: 'payment page key' },
  { pattern: /\b(?:Bearer|Basic)\s+([A-Za-z0-9._~+/=-]{8,})/gi, name: 'access credential' },
  // No card begins with another digit, and milliseconds since the epoch begin with 1.
  { pattern: /(?<!\d)[2-6](?:(?:[ +-]|%20)?\d){11,18}(?!\d)/g, name: 'card number', isSecret: isCardNumber },
];

const FIELDS: readonly {
  readonly pattern: RegExp;
  readonly name: string;
  readonly isPlain?: (value: string) => boolean;
}[] = [
  { pattern: /^(?:old|new|previous)?_?passw(?:or)?d$/i, name: 'upstream password' },
  { pattern: /^user_?name$/i, name: 'upstream user' },
  { pattern: /^(?:access|refresh|id)_?token$/i, name: 'bearer token' },
  { pattern: /^token_?(?:no|number)?$/i, name: 'stored-card token' },
  { pattern: /^(?:x-)?api_?-?key$/i, name: 'gateway key' },
  // The id before the secret routes and is no secret: the shape above cuts out the rest.
  {
    pattern: /^client_?-?secret$/i,
    name: 'client secret',
    isPlain: (value) => new RegExp(`^${SESSION_ID}_`).test(value),
  },
  { pattern: /secret$/i, name: 'secret' },
  { pattern: /^(?:cvc|cvv|cvn|csc)2?$|^security_?code$/i, name: 'CVC' },
  { pattern: /^(?:card_?(?:no|number)|pan)$/i, name: 'card number', isPlain: isMask },
  {
    pattern: /^(?:expiry|expires|valid|exp_?date|tokenExpiry|tokenValidUntil)$/i,
    name: 'card expiry',
    isPlain: (value) => !isMonth(value),
  },
  { pattern: /^PD$/, name: 'payment page key' },
  { pattern: /^(?:set-)?cookie$/i, name: 'cookie' },
];

/** Redacts text, headers, addresses and bodies with what one {@link SecretBook} knows. */
export class Redactor {
  readonly #secrets: SecretBook;
  readonly #printedCards: ReadonlySet<string>;

  /** `printedCards`: digits of test cards that pages of the demo print for everybody to use; those stay on these pages. */
  constructor(secrets: SecretBook, printedCards: Iterable<string> = []) {
    this.#secrets = secrets;
    this.#printedCards = new Set(printedCards);
  }

  /** Free text. */
  text(text: string): MarkedText {
    return this.#checked(cut(text, this.#spans(text)));
  }

  /** Header fields, in the order they came. */
  headers(headers: Headers): MarkedHeader[] {
    return [...headers].map(([name, value]) => ({ name, value: this.#header(name, value) }));
  }

  /** Path and query, the query decoded for reading. */
  path(url: URL): MarkedText {
    const query = this.#pairs(url.search.slice(1), '&');
    return this.#checked([...this.text(decoded(url.pathname)), ...(query.length === 0 ? [] : ['?', ...query])]);
  }

  /** A body, laid out for reading: JSON indented, a form with one field per line. */
  body(type: string, text: string): MarkedText {
    if (type.endsWith('json')) {
      const value = tryParse(text);
      // What was cut off in the middle cannot be read field by field, but still by shape and by name.
      return value === undefined ? this.#loose(text) : this.#checked(merge(this.#json(value.parsed, '')));
    }
    if (type === 'application/x-www-form-urlencoded') return this.#checked(this.#pairs(text, '\n'));
    return this.#loose(text, { isPage: type === 'text/html' });
  }

  #spans(text: string, { isPage = false } = {}): Span[] {
    const spans = [...this.#secrets.spansIn(text), ...SHAPES.flatMap((shape) => spansOf(shape, text))];
    return isPage ? spans.filter(({ start, end }) => !this.#printedCards.has(digitsIn(text.slice(start, end)))) : spans;
  }

  #header(name: string, value: string): MarkedText {
    if (name !== 'authorization' && name !== 'proxy-authorization') return this.#field(name, value);
    const [scheme = '', credential = ''] = value.split(/ (.*)/s);
    const hidden = credentialName(scheme, credential);
    if (credential === '') return [{ hidden }];
    const sessionId = new RegExp(`^${SESSION_ID}_`).exec(credential)?.[0] ?? '';
    return [`${scheme} ${sessionId}`, { hidden }];
  }

  #field(name: string, value: string): MarkedText {
    const rule = FIELDS.find(({ pattern }) => pattern.test(name));
    if (rule === undefined || value === '' || rule.isPlain?.(value) === true) return this.text(value);
    return [{ hidden: rule.name }];
  }

  /** `a=1&b=2`, decoded. */
  #pairs(text: string, separator: string): Part[] {
    if (text === '') return [];
    return merge(
      text.split('&').flatMap((pair, index) => {
        const [name = '', value] = pair.split(/=(.*)/s).map((part) => decoded(part.replaceAll('+', ' ')));
        const lead = index === 0 ? [] : [separator];
        return [...lead, ...this.text(name), ...(value === undefined ? [] : ['=', ...this.#field(name, value)])];
      }),
    );
  }

  #json(value: unknown, indent: string): Part[] {
    const inner = `${indent}  `;
    if (Array.isArray(value)) {
      if (value.length === 0) return ['[]'];
      const rows = value.flatMap((item, index) => [index === 0 ? '' : ',', `\n${inner}`, ...this.#json(item, inner)]);
      return ['[', ...rows, `\n${indent}]`];
    }
    if (typeof value === 'object' && value !== null) {
      const fields = Object.entries(value);
      if (fields.length === 0) return ['{}'];
      const rows = fields.flatMap(([name, item], index) => [
        index === 0 ? '' : ',',
        `\n${inner}`,
        ...quoted(this.text(name)),
        ': ',
        ...this.#jsonField(name, item, inner),
      ]);
      return ['{', ...rows, `\n${indent}}`];
    }
    if (typeof value === 'string') return quoted(this.text(value));
    return [...this.text(String(value))];
  }

  #jsonField(name: string, value: unknown, indent: string): Part[] {
    if (typeof value === 'string') return quoted(this.#field(name, value));
    if (typeof value === 'number') return [...this.#field(name, String(value))];
    return this.#json(value, indent);
  }

  /** XML, a page, or JSON that was cut off: shapes, and the values of what is named after a secret. */
  #loose(text: string, { isPage = false } = {}): MarkedText {
    const named = [
      ...text.matchAll(/"([\w-]+)"\s*:\s*"((?:[^"\\]|\\.)*)/dg),
      ...text.matchAll(/"([\w-]+)"\s*:\s*(-?\d[\d.]*)/dg),
      ...text.matchAll(/<([\w-]+)(?:\s[^<>]*)?>([^<]+)/dg),
      ...text.matchAll(/\b([\w-]+)\s*=\s*["']([^"'<>]*)/dg),
      ...text.matchAll(/\bname\s*=\s*["']([\w-]+)["'][^<>]*\bvalue\s*=\s*["']([^"'<>]*)/dg),
    ];
    const spans = named.flatMap((match) => {
      const [, name = '', value = ''] = match;
      const rule = FIELDS.find(({ pattern }) => pattern.test(name));
      const place = match.indices?.[2];
      if (rule === undefined || place === undefined || value.trim() === '' || rule.isPlain?.(value) === true) return [];
      return [{ start: place[0], end: place[1], name: rule.name }];
    });
    return this.#checked(cut(text, [...this.#spans(text, { isPage }), ...spans]));
  }

  /** The last line of defence: when a known secret is still readable across the cuts, nothing is shown at all. */
  #checked(parts: readonly Part[]): MarkedText {
    const visible = parts.filter((part) => typeof part === 'string').join('');
    const [leak] = this.#secrets.spansIn(visible);
    return leak === undefined ? merge(parts) : [{ hidden: leak.name }];
  }
}

/** At most `length` characters of a text; a cut-out counts as one. */
export function shorten(text: MarkedText, length: number): { readonly text: MarkedText; readonly isCut: boolean } {
  const kept: Part[] = [];
  let left = length;
  for (const part of text) {
    if (left <= 0) return { text: kept, isCut: true };
    const piece = typeof part === 'string' ? part.slice(0, left) : part;
    kept.push(piece);
    left -= typeof piece === 'string' ? piece.length : 1;
    if (piece !== part) return { text: kept, isCut: true };
  }
  return { text: kept, isCut: false };
}

function credentialName(scheme: string, credential: string): string {
  if (credential.startsWith('sk_')) return 'merchant key';
  if (credential.startsWith('cs_')) return 'client secret';
  return scheme.toLowerCase() === 'basic' ? 'gateway key' : 'bearer token';
}

function spansOf({ pattern, name, isSecret }: Shape, text: string): Span[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    if (isSecret?.(match[0]) === false) return [];
    const secret = match[1] ?? match[0];
    const start = match.index + match[0].length - secret.length;
    return [{ start, end: start + secret.length, name }];
  });
}

/** The text without its spans. Where they overlap, the widest names the cut. */
function cut(text: string, spans: readonly Span[]): Part[] {
  const ordered = [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
  const parts: Part[] = [];
  let position = 0;
  for (const { start, end, name } of ordered) {
    if (end <= position) continue;
    if (start >= position) parts.push(text.slice(position, start), { hidden: name });
    position = end;
  }
  parts.push(text.slice(position));
  return parts;
}

function merge(parts: readonly Part[]): Part[] {
  const merged: Part[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (part === '') continue;
    if (typeof part === 'string' && typeof last === 'string') merged[merged.length - 1] = last + part;
    else merged.push(part);
  }
  return merged;
}

function quoted(text: MarkedText): Part[] {
  return ['"', ...text.map((part) => (typeof part === 'string' ? JSON.stringify(part).slice(1, -1) : part)), '"'];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function tryParse(text: string): { readonly parsed: unknown } | undefined {
  try {
    return { parsed: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function digitsIn(text: string): string {
  return text.replaceAll('%20', '').replace(/\D/g, '');
}

// `12/30`, `2030-12-31`; a header that is called Expires has a day of the week in it.
function isMonth(value: string): boolean {
  return /^\s*(?:\d{1,2}\s*[/.-]?\s*\d{2,4}|\d{4}-\d{2}.*)\s*$/.test(value);
}

function isMask(value: string): boolean {
  return /^\d{4,6}\D{4,9}\d{4}$/.test(value);
}

/** The Luhn check that every real card number passes. */
function isCardNumber(text: string): boolean {
  const digits = digitsIn(text);
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const counted = index % 2 === 1 ? digit * 2 : digit;
    sum += counted > 9 ? counted - 9 : counted;
  }
  return sum % 10 === 0;
}
