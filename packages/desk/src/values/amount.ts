/** Amounts as people write them. */
import { minorUnitDigits } from '@innkeep/core/values';

/** Which signs a language writes between the parts of a number, with the digits and signs that every keyboard has. */
function separators(locale: string): { group: string | undefined; decimal: string | undefined } {
  const format = new Intl.NumberFormat(locale, { useGrouping: true, numberingSystem: 'latn' });
  const parts = format.formatToParts(1_234_567.5);
  const sign = (type: string): string | undefined => parts.find((part) => part.type === type)?.value;
  return { group: sign('group'), decimal: sign('decimal') };
}

/** The digits of Arabic and Persian as everybody else's. */
function western(text: string): string {
  return text
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0));
}

/** Digits, perhaps in thousands with one and the same sign. The Arabic sign for decimals separates no thousands. */
const WHOLE = /^(?:\d+|[1-9]\d{0,2}([.,٬])\d{3}(?:\1\d{3})*)$/;
/** Thousands, or three decimals. */
const EITHER = /^[1-9]\d{0,2}([.,])\d{3}$/;

/**
 * The amounts that a text can mean, in minor units: none for what is no amount. A single sign before three digits is what the language
 * takes it for: `1.234` is more than a thousand in German and no amount in English. Where the currency itself has three decimals, only the
 * language's own sign for decimals is certain; anything else can be two amounts, the smaller one first.
 */
export function readAmount(text: string, currency: string, locale: string): readonly number[] {
  const digits = minorUnitDigits(currency);
  const plain = western(text).replace(
    new RegExp(`\\s|[\\u200e\\u200f\\u061c'’]|${currency}|\\p{Currency_Symbol}`, 'giu'),
    '',
  );
  const { group, decimal } = separators(locale);
  const thousands = WHOLE.test(plain) ? minorUnits(plain, '', digits) : undefined;
  const decimals = withDecimals(plain, digits);
  const [, sign] = EITHER.exec(plain) ?? [];
  const isThousands = sign === undefined || sign === group;
  const isEither = sign !== undefined && sign !== decimal && digits >= 3;
  const meant = isEither ? [decimals, thousands] : [isThousands ? (thousands ?? decimals) : decimals];
  return meant.flatMap((value) => (value ? [value] : []));
}

/** Reads `20`, `20,00`, `1.234,50` or `1,234.50` as minor units; `undefined` for anything that could mean two amounts or none. */
export function parseAmount(text: string, currency: string, locale: string): number | undefined {
  const [amount, other] = readAmount(text, currency, locale);
  return other === undefined ? amount : undefined;
}

/** What stands before and behind the last sign, which is the one for decimals. That for thousands in Arabic is none. */
function withDecimals(plain: string, digits: number): number | undefined {
  const [, whole = '', sign = '', fraction = ''] = /^(.+)([.,٫])(\d+)$/.exec(plain) ?? [];
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
  const format = new Intl.NumberFormat(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: false,
  });
  return format.format(`${value}e-${digits}` as `${number}`);
}
