/** Amounts as people write them. */
import { minorUnitDigits } from '@innkeep/core/values';

/** Which signs a language writes between the parts of an amount, with the digits and signs that every keyboard has. */
function separators(currency: string, locale: string): { group: string | undefined; decimal: string | undefined } {
  // Not those of any number: Austria writes 1 234, and € 1.234.
  const shown = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: 1,
    numberingSystem: 'latn',
  }).format(1_234_567.5);
  const [, group, decimal] = /12?(\D?)\d.*(\D)5/.exec(shown) ?? [];
  return { group, decimal };
}

/** The digits of the language, of Arabic and of Persian as everybody else's. */
function western(text: string, locale: string): string {
  const digits = [locale, 'ar-EG', 'fa'].flatMap((each) => [
    ...new Intl.NumberFormat(each, { useGrouping: false }).format(9_876_543_210),
  ]);
  return text.replace(/\p{Nd}/gu, (digit) => {
    const at = digits.indexOf(digit);
    return at < 0 ? digit : String(9 - (at % 10));
  });
}

/** What stands between the currency's signs: those of the language, where it writes them, its code, or a sign. In `20,-` are no cents. */
function withoutCurrency(text: string, currency: string, locale: string): string {
  const clean = (some: string): string =>
    western(some, locale)
      .replace(/(?<=\d)[\s\p{Cf}'’]+(?=\d)/gu, '٬')
      .replace(/[\s\p{Cf}'’]/gu, '')
      .toUpperCase();
  const shown = clean(new Intl.NumberFormat(locale, { style: 'currency', currency }).format(1));
  const [before, after] = shown.split(/\d(?:.*\d)?/);
  const signs = (own = ''): string => `(${own.replace(/./g, '[$&]') || currency}|${currency}|\\p{Sc})+`;
  return clean(text)
    .replace(new RegExp(`^${signs(before)}|${signs(after)}$`, 'gu'), '')
    .replace(/[.,]\p{Pd}+$/u, '٫');
}

/** Digits, perhaps in thousands with one and the same sign, or in pairs before them as in India. The Arabic sign for decimals separates none. */
const WHOLE = /^(?:\d+|[1-9]\d{0,2}([.,٬])\d{3}(?:\1\d{3})*|[1-9]\d?(?:,\d\d)+,\d{3})$/;
/** Thousands, or three decimals. */
const EITHER = /^[1-9]\d{0,2}([.,])\d{3}$/;

/**
 * The amounts that a text can mean, in minor units: none for what is no amount. A single sign before three digits is what the language
 * takes it for: `1.234` is more than a thousand in German and no amount in English. Where the currency itself has three decimals, only the
 * language's own sign for decimals is certain; anything else can be two amounts, the smaller one first.
 */
export function readAmount(text: string, currency: string, locale: string): readonly number[] {
  const digits = minorUnitDigits(currency);
  const { group, decimal } = separators(currency, locale);
  const plain = withoutCurrency(text, currency, locale);
  const thousands = WHOLE.test(plain) ? minorUnits(plain, '', digits) : undefined;
  const decimals = withDecimals(plain, digits);
  const [, sign] = EITHER.exec(plain) ?? [];
  const isThousands = !sign || sign === group;
  const isEither = sign && sign !== decimal && digits > 2;
  const meant = isEither ? [decimals, thousands] : [isThousands ? (thousands ?? decimals) : decimals];
  // Neither nothing nor zero is an amount.
  return meant.filter(Boolean) as number[];
}

/** Reads `20`, `20,00`, `1.234,50` or `1,234.50` as minor units; `undefined` for anything that could mean two amounts or none. */
export function parseAmount(text: string, currency: string, locale: string): number | undefined {
  const [amount, other] = readAmount(text, currency, locale);
  return other === undefined ? amount : undefined;
}

/** What stands before and behind the last sign, which is the one for decimals. That for thousands in Arabic is none. */
function withDecimals(plain: string, digits: number): number | undefined {
  const [, whole = '', sign = '', fraction = ''] = /^(.+)([.,](?=\d)|٫)(\d*)$/.exec(plain) ?? [];
  if (!WHOLE.test(whole) || whole.includes(sign) || fraction.length > digits) return undefined;
  return minorUnits(whole, fraction, digits);
}

function minorUnits(whole: string, fraction: string, digits: number): number | undefined {
  const value = Number(whole.replace(/\D/g, '') + fraction.padEnd(digits, '0'));
  return Number.isSafeInteger(value) ? value : undefined;
}

/** An amount as the language writes it, without its currency: what a field is filled with. */
export function writeAmount(value: number, currency: string, locale: string): string {
  const digits = minorUnitDigits(currency);
  const format = new Intl.NumberFormat('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: false,
  });
  const { decimal = '.' } = separators(currency, locale);
  return format.format(`${value}e-${digits}` as `${number}`).replace('.', decimal);
}
