import { REDACTED } from './redacted.ts';

const MASK = /^(\d{4,8})[.xX*•·●]{2,}(\d{4})$/;

/** What a masked card number shows. */
export interface CardMask {
  /** Leading digits. */
  first: string;
  /** The last four digits. */
  last4: string;
}

/** Reads a masked card number; mask characters `.`, `x`, `X`, `*` and dots of other kinds are all understood. */
export function parseCardMask(text: string): CardMask | undefined {
  const [, first, last4] = MASK.exec(text.replaceAll(/[\s-]/g, '')) ?? [];
  return first === undefined || last4 === undefined ? undefined : { first, last4 };
}

/** First 6, six dots, last 4, as the upstream masks; a mask stays as it is, and anything else is blanked. */
export function maskCardNumber(cardNo: string): string {
  if (parseCardMask(cardNo) !== undefined) return cardNo;
  return /^\d{12,19}$/.test(cardNo) ? `${cardNo.slice(0, 6)}......${cardNo.slice(-4)}` : REDACTED;
}

/**
 * Every card number in a text: 12 to 19 digits that pass the Luhn check, alone or in groups with single spaces or dashes
 * between them, longest first. Digits that stand beside it do not hide it.
 */
export function cardNumberRuns(text: string): string[] {
  const found: string[] = [];
  for (const [run] of text.matchAll(/\d+(?:[ -]\d+)*/g)) {
    const groups = [...run.matchAll(/\d+/g)];
    for (const [first, { index: start }] of groups.entries()) {
      let digits = '';
      for (const group of groups.slice(first, first + 19)) {
        digits += group[0];
        if (digits.length > 19) break;
        if (digits.length >= 12 && passesLuhn(digits)) found.push(run.slice(start, group.index + group[0].length));
      }
    }
  }
  return found.sort((a, b) => b.length - a.length);
}

/** The Luhn check of ISO/IEC 7812; false for anything but digits. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const weighted = index % 2 === 0 ? digit : digit * 2;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return /^\d+$/.test(digits) && sum % 10 === 0;
}
