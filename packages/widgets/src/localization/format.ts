/** Money, numbers and dates for display. Digits come from ISO 4217, never from `Intl`: engines disagree about them. */
import type { PluralMessage } from './messages.ts';

// Every currency of ISO 4217 has two decimals but these; a test compares this list with core's full table.
const OTHER_EXPONENTS: readonly [codes: string, exponent: number][] = [
  ['BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF', 0],
  ['BHD IQD JOD KWD LYD OMR TND', 3],
  ['CLF UYW', 4],
];

/** Money as it travels in views: integer minor units. */
export interface MoneyView {
  value: number;
  currency: string;
}

/** `€120.00` in the style of `locale`. */
export function formatMoney({ value, currency }: MoneyView, locale: string): string {
  const digits = OTHER_EXPONENTS.find(([codes]) => codes.includes(currency))?.[1] ?? 2;
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value / 10 ** digits);
}

/** `1.5%` in the style of `locale`. */
export function formatPercent(percent: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }).format(percent / 100);
}

/** Date and time of an instant in the guest's own zone. */
export function formatDate(instant: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(instant));
}

/** The form of a plural text that `locale` uses for `n`. */
export function formatPlural(message: PluralMessage, n: number, locale: string): string {
  const form = message[new Intl.PluralRules(locale).select(n)] ?? message.other;
  return form.replace('{n}', new Intl.NumberFormat(locale).format(n));
}
