import { REDACTED } from './redacted.ts';

const MASK = /^(\d{4,8})[.xX*•·●]{2,15}(\d{4})$/;
/** Longest text that can be a mask, its blanks included. */
const LONGEST_MASK = 50;

/** What a masked card number shows. */
export interface CardMask {
  /** Leading digits. */
  first: string;
  /** The last four digits. */
  last4: string;
}

/** Reads a masked card number; mask characters `.`, `x`, `X`, `*` and dots of other kinds are all understood. */
export function parseCardMask(text: string): CardMask | undefined {
  if (text.length > LONGEST_MASK) return undefined;
  const [, first, last4] = MASK.exec(text.replaceAll(/[\s-]/g, '')) ?? [];
  return first === undefined || last4 === undefined ? undefined : { first, last4 };
}

/** First 6, six dots, last 4, as the upstream masks; a mask stays as it is, and anything else is blanked. */
export function maskCardNumber(cardNo: string): string {
  if (parseCardMask(cardNo) !== undefined) return cardNo;
  return /^\d{12,19}$/.test(cardNo) ? `${cardNo.slice(0, 6)}......${cardNo.slice(-4)}` : REDACTED;
}

/** Fewest and most digits of a card number. */
const FEWEST = 12;
const MOST = 19;
/** Most digits in a row in an id. */
const LONGEST_ID_RUN = 40;
/** A UUID with its version and variant (RFC 9562): a card number in groups does not have those. */
const UUID = /[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}/gi;
/**
 * A hash or random bytes: digits between the letters are not a card number, although one in some thousands looks like one. A
 * magnetic stripe is not a hash: it can have `B` before the card number, `D` after it and `F` at its end.
 */
const HASH = /(?<![\da-f])(?!b?\d*(?:d\d*f?)?(?![\da-f]))[\da-f]{32,}/gi;
/** How much text around digits is checked. */
const AROUND = 36;
/** A blank or a dash of any kind, visible or not. */
const SEPARATOR = /[\s\p{Cf}\p{Pd}\u2212]/u;
/** Longest text that is read for card numbers. */
const LONGEST_TEXT = 10_000;

/** Which digits count as a card number. */
export interface CardNumberRule {
  /** Only numbers that a card network issues, and none in a hash: of other numbers every tenth passes the Luhn check. @default false */
  issued?: boolean | undefined;
}

/**
 * Whether a text holds a card number: 12 to 19 digits that pass the Luhn check, alone or in groups with single blanks or
 * dashes between them. Digits beside it do not hide it; the digits of a UUID do not count.
 */
export function holdsCardNumber(text: string, rule: CardNumberRule = {}): boolean {
  return cardNumberSpans(text.slice(0, LONGEST_TEXT), rule).length > 0;
}

/**
 * The text with `[redacted]` for every card number, and for every run of more digits than a card number has (than an id has,
 * with `issued`), which could hide one. In one pass, and only the beginning of a very long text: a text from outside must not block everybody else.
 */
export function blankCardNumbers(text: string, rule: CardNumberRule = {}): string {
  const read = cutText(text, LONGEST_TEXT);
  let blanked = '';
  let shownTo = 0;
  for (const [start, end] of cardNumberSpans(read, rule)) {
    blanked += read.slice(shownTo, start) + REDACTED;
    shownTo = end;
  }
  blanked += read.slice(shownTo);
  const most = rule.issued === true ? LONGEST_ID_RUN : MOST;
  return blanked.replaceAll(/\p{Nd}+/gu, (digits) => (digits.length > most ? REDACTED : digits));
}

/** A text, visibly cut where it is too long; before the digits that end there, which may be most of a card number. */
export function cutText(text: string, longest: number): string {
  if (text.length <= longest) return text;
  let end = longest;
  while (isDigit(text.charCodeAt(end - 1)) || SEPARATOR.test(text.charAt(end - 1))) end -= 1;
  return `${text.slice(0, end)}…`;
}

/** Where to look for card numbers, and for which. */
export interface CardNumberSearch extends CardNumberRule {
  /** Where the first number may begin. @default 0 */
  from?: number | undefined;
  /** Where no number may begin any more. One that begins before it may end after it. @default the end of the text */
  to?: number | undefined;
}

/** Where card numbers begin and end in a text of any length, in order; overlapping ones are merged. In one pass. */
export function cardNumberSpans(text: string, search: CardNumberSearch = {}): [start: number, end: number][] {
  const { from = 0, to = text.length } = search;
  const spans: [number, number][] = [];
  for (let start = from; start < to; start++) {
    if (!isDigit(text.charCodeAt(start)) || isDigit(text.charCodeAt(start - 1))) continue;
    const end = cardNumberEnd(text, start, search);
    if (end === undefined || isPartOf(UUID, text, start, end)) continue;
    if (search.issued && isPartOf(HASH, text, start, end)) continue;
    const last = spans.at(-1);
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end);
    else spans.push([start, end]);
  }
  return spans;
}

/** Where the longest card number that begins with a group of digits ends; undefined when none begins there. */
function cardNumberEnd(text: string, start: number, { issued = false }: CardNumberRule): number | undefined {
  let end: number | undefined;
  let digits = 0;
  let first = '';
  // The Luhn sums if the current digit is the last one, and if one more follows.
  let sum = 0;
  let sumBeforeLast = 0;
  for (let index = start; ; index++) {
    const code = text.charCodeAt(index);
    const endsGroup = !isDigit(text.charCodeAt(index + 1));
    if (isDigit(code)) {
      digits += 1;
      if (digits > MOST) return end;
      const digit = code & 15;
      if (digits <= 2) first += digit;
      [sum, sumBeforeLast] = [sumBeforeLast + digit, sum + digit * 2 - (digit > 4 ? 9 : 0)];
      if (digits < FEWEST || sum % 10 !== 0 || !endsGroup) continue;
      if (!issued || isIssued(first.padEnd(digits))) end = index + 1;
    } else if (endsGroup || !SEPARATOR.test(text.charAt(index))) {
      return end;
    }
  }
}

/** Whether digits are part of a UUID or a hash, of which one in several hundred or thousand would look like a card number. */
function isPartOf(id: RegExp, text: string, start: number, end: number): boolean {
  const from = Math.max(start - AROUND, 0);
  const around = text.slice(from, end + AROUND);
  return [...around.matchAll(id)].some(
    ({ index, 0: { length } }) => from + index <= start && end <= from + index + length,
  );
}

/** Whether a card network issues numbers of this length that begin with these digits. */
export function isIssued(digits: string): boolean {
  return /^(?:4.{12}(?:...){0,2}|(?:5[1-5]|2[2-7]).{14}|3[47].{13}|3[0689].{12,}|(?:35|5[0678]|6.|81).{14,})$/.test(
    digits,
  );
}

/** ASCII, Arabic, Persian and full-width digits: the last four bits of each are its value. */
function isDigit(code: number): boolean {
  return (code & 15) < 10 && (code < 0x660 ? code >> 4 === 3 : [0x66, 0x6f, 0xff1].includes(code >> 4));
}

/** The Luhn check of ISO/IEC 7812; false for anything but digits, and for more digits than a card number has. */
export function passesLuhn(digits: string): boolean {
  if (!/^\d{1,19}$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits.at(-1 - index));
    const weighted = index % 2 === 0 ? digit : digit * 2;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
}
