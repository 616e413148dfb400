/** What somebody typed to find a payment: an id, a reference, an amount, or the end of a card number. Pure. */
import { amountList, cardList, referenceList } from './payment-entries.ts';
import type { SearchReading } from './payment-table.ts';

/** One payment by its id, or all the ways in which a text can be read. */
export type PaymentSearch = { readonly id: string } | { readonly readings: readonly SearchReading[] };

const ID = /^(c[sh])_([0-9a-hjkmnp-tv-z]{26})$/i;
/** The signs for thousands and for decimals, as most of the world writes them, and as English does. */
const SIGNS = [
  ['.', ','],
  [',', '.'],
] as const;
/** In order. */
const ZEROS = ['0', '٠', '۰', '०', '০', '၀'];
/** Such as `€`, `CA$`, `EUR`, and as French writes them, `$US` and `$ US`. */
const SIGN = String.raw`\p{L}{0,2}\p{Sc}[\sA-Z]{0,3}|[A-Z]{3}`;
/** Such as `F CFA`, `kr.` or `د.إ.`, apart from the digits. */
const WORD = String.raw`\p{L}[\p{L}.\s]{0,4}`;
const CURRENCY = new RegExp(`^(?:${WORD}\\s|${SIGN})|(?:\\s*(?:${SIGN})|\\s${WORD})$`, 'giu');
/** Instead of decimals, as in `330.-`. */
const NO_DECIMALS = /[.,]\p{Pd}\s*$/u;

/** The ways to read what was typed. */
export function readSearch(typed: string): PaymentSearch {
  const text = typed.normalize('NFKC').trim();
  const [, prefix, ulid] = ID.exec(text) ?? [];
  if (prefix !== undefined && ulid !== undefined) return { id: `${prefix.toLowerCase()}_${ulid.toUpperCase()}` };
  const reference = referenceList(text);
  const last4 = /^[\s*•·.x]*(\d{4})$/i.exec(withLatinDigits(text))?.[1];
  return {
    readings: [
      { list: reference, isPrefix: false },
      ...(last4 === undefined ? [] : [{ list: cardList(last4), isPrefix: false }]),
      ...amountsIn(text).map((amount) => ({ list: amountList(amount), isPrefix: false })),
      { list: reference, isPrefix: true },
    ],
  };
}

/** Every amount that a text can mean, as a plain decimal: `1.330` is read in two ways. */
export function amountsIn(text: string): string[] {
  const digits = withLatinDigits(text)
    .replaceAll(CURRENCY, '')
    .replace(NO_DECIMALS, '')
    .replaceAll(/[\s'’]/g, '');
  const amounts = SIGNS.flatMap(([thousands, decimals]) => {
    const [group, point] = [`[${thousands}]`, `[${decimals}]`];
    const grouped = `\\d{1,3}(?:${group}\\d{3})+|\\d{1,2}(?:${group}\\d{2})+${group}\\d{3}`;
    const form = new RegExp(`^(${grouped}|\\d+)(?:${point}(\\d{1,3}))?$`);
    const [, whole, fraction = ''] = form.exec(digits) ?? [];
    if (whole === undefined) return [];
    const plain = whole.replaceAll(thousands, '').replace(/^0+(?=\d)/, '');
    const cut = fraction.replace(/0+$/, '');
    return [cut === '' ? plain : `${plain}.${cut}`];
  });
  return [...new Set(amounts)];
}

/** The text with Latin digits and signs instead of those of other scripts, and without marks of direction. */
function withLatinDigits(text: string): string {
  return text
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\p{Nd}/gu, (digit) => {
      const zero = ZEROS.findLast((each) => each <= digit) ?? '';
      const value = digit.charCodeAt(0) - zero.charCodeAt(0);
      return value < 10 ? String(value) : digit;
    })
    .replaceAll('٫', ',')
    .replaceAll('٬', '.');
}
