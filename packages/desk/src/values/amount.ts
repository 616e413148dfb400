/** Amounts as people write them. */
import { minorUnitDigits } from '@innkeep/core/values';

/** Which signs a language writes between the parts of a number. */
function separators(locale: string): { group: string; decimal: string } {
  const parts = new Intl.NumberFormat(locale, { useGrouping: true }).formatToParts(1_234_567.5);
  const sign = (type: string): string => western(parts.find((part) => part.type === type)?.value ?? '');
  return { group: sign('group'), decimal: sign('decimal') || '.' };
}

/** The digits and separators of Arabic and Persian as everybody else's. */
function western(text: string): string {
  return text
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
    .replaceAll('٫', ',')
    .replaceAll('٬', '.');
}

/**
 * Reads `20`, `20,00`, `1.234,50` or `1,234.50` as minor units; `undefined` for anything that could mean two amounts or none. A single
 * sign before three digits is what the language takes it for: `1.234` is more than a thousand in German and no amount in English.
 */
export function parseAmount(text: string, currency: string, locale: string): number | undefined {
  const digits = minorUnitDigits(currency);
  const plain = western(text).replace(
    new RegExp(`\\s|[\\u200e\\u200f\\u061c'’]|${currency}|\\p{Currency_Symbol}`, 'giu'),
    '',
  );
  if (!/^\d[\d.,]*$/.test(plain)) return undefined;
  const signs = plain.replace(/\d/g, '');
  const last = signs.at(-1) ?? '';
  const { group } = separators(locale);
  const isSingle = signs.length === 1;
  const tail = plain.length - plain.lastIndexOf(last) - 1;
  // A sign that comes twice separates thousands, and so does the language's own before exactly three digits.
  const isGrouped =
    signs !== '' && (isSingle ? tail === 3 && last === group : [...signs].every((sign) => sign === last));
  const point = signs === '' || isGrouped ? plain.length : plain.lastIndexOf(last);
  const whole = plain.slice(0, point);
  const fraction = plain.slice(point + 1);
  if (fraction.length > digits || (point < plain.length && fraction === '')) return undefined;
  if (!/^\d+$|^\d{1,3}([.,]\d{3})+$/.test(whole) || new Set(whole.replace(/\d/g, '')).size > 1) return undefined;
  if (point < plain.length && whole.includes(last)) return undefined;
  const value = Number(whole.replace(/\D/g, '') + fraction.padEnd(digits, '0'));
  return Number.isSafeInteger(value) && value > 0 ? value : undefined;
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
