/**
 * The one gate through which every answer of the payment service passes, before anything reads it: nothing in it is longer
 * than it may be, and no text holds a card number, a control character or half a character. It goes by the names of fields,
 * so that an unknown field is treated like any other.
 */
import { blankCardNumbers, cutText, maskCardNumber } from '../values/card-mask.ts';
import { REDACTED } from '../values/redacted.ts';

/** Longest text that is kept whole. */
const LONGEST_TEXT = 1_000;
const LONGEST_CODE = 40;
/** Longest id; part of an id identifies nothing. */
const LONGEST_ID = 200;
/** Longest address or token. */
const LONGEST_CAPABILITY = 8_000;
/** Most members of one object or list, and most objects within objects: far more than any documented answer has. */
const MOST_MEMBERS = 200;
const MOST_LEVELS = 4;

/** They are useful only unchanged, so one that cannot be kept is left out: a required one is then missing. */
const CAPABILITIES: ReadonlySet<string> = new Set([
  'access_token',
  'viewUrl',
  'stateRetrivalUrl',
  'requestID',
  'cardInfoRefID',
  'token',
  'tokenNo',
]);
/** Numbers to calculate with. Reading one as an amount refuses anything that cannot be an amount. */
const FIGURES: ReadonlySet<string> = new Set([
  'amount',
  'surchargeAmount',
  'surchargePercentUsed',
  'expires_in',
  'state',
]);
/** A random value looks like a card number about once in 2,400 times. */
const UUID = /^(?=.*[a-f])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const CARDS: ReadonlySet<string> = new Set(['cardNo', 'maskedCardNo']);

/** A copy of a JSON value that is safe to read, keep and show; `undefined` when it is too large to be an answer. */
export function cleanAnswer(value: unknown, name = '', level = 0): unknown {
  if (typeof value === 'string') return cleanField(value, name);
  if (typeof value === 'number') {
    const text = cleanField(String(value), name);
    return FIGURES.has(name) || text === String(value) ? value : text;
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value);
  if (level === MOST_LEVELS || members.length > MOST_MEMBERS) return undefined;
  if (Array.isArray(value)) return value.map((item) => cleanAnswer(item, name, level + 1));
  return Object.fromEntries(
    members
      .map(([key, member]) => [cleanText(key), cleanAnswer(member, key, level + 1)] as const)
      .filter(([, member]) => member !== undefined),
  );
}

/** A text that is safe to read, keep and show, by the name of its field. */
function cleanField(text: string, name: string): string | undefined {
  if (CAPABILITIES.has(name)) return cleanId(text, LONGEST_CAPABILITY) === text ? text : undefined;
  if (CARDS.has(name)) return text === '' ? text : maskCardNumber(plain(text));
  if (name === 'returnCode') return cleanText(text, LONGEST_CODE);
  if (/^\s*ERROR=/i.test(text)) {
    // Escapes can hide forbidden content.
    const words = unescaped(text);
    const clean = cleanText(words);
    if (clean !== words) return cleanText(encodeURI(clean));
  }
  // `result` can be an id or a text.
  return name.endsWith('ID') || (name === 'result' && text.length <= LONGEST_ID) ? cleanId(text) : cleanText(text);
}

/** Numbers among ids stand for payments more often than for cards, so only numbers that a card network issues are blanked. */
function cleanId(id: string, longest: number = LONGEST_ID): string {
  if (UUID.test(id)) return id;
  return id.length > longest ? REDACTED : plain(blankCardNumbers(id, { issued: true }));
}

/** A text without card numbers, visibly cut where it is too long. */
export function cleanText(text: string, longest: number = LONGEST_TEXT): string {
  // A card number that begins before the cut cannot end after this.
  return plain(cutText(blankCardNumbers(cutText(text, longest + 60)), longest));
}

/** Undoes `+` and percent escapes; escapes that are broken stay as they are, bytes that are not UTF-8 count as Latin-1. */
export function unescaped(text: string): string {
  return text.replaceAll('+', ' ').replaceAll(/(?:%[\da-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return unescape(escapes);
    }
  });
}

/** Not replaced by a blank: a code with a control character after it must not become the code. */
function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Surrogate}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}
