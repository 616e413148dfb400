/** Money, numbers and dates for display. Digits come from ISO 4217, never from `Intl`: engines disagree about them. */
import { type MoneyJson, minorUnitDigits } from '@innkeep/core/values';

/** One text per plural category of the language (`Intl.PluralRules`); `{n}` stands for the number. */
export type PluralMessage = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

/** `€120.00` in the style of `locale`. */
export function formatMoney({ value, currency }: MoneyJson, locale: string): string {
  const digits = minorUnitDigits(currency);
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  // A decimal string, because a division loses cents above 2^46; an integer with an exponent is always numeric.
  return format.format(`${value}e-${digits}` as `${number}`);
}

/** `1.5%` in the style of `locale`. */
export function formatPercent(percent: number, locale: string): string {
  return (percent / 100).toLocaleString(locale, { style: 'percent', maximumFractionDigits: 2 });
}

/** Date and time of an instant in the guest's own zone. */
export function formatDate(instant: string, locale: string): string {
  return new Date(instant).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
}

/** The form of a plural text that `locale` uses for `n`. */
export function formatPlural(message: PluralMessage, n: number, locale: string): string {
  const form = message[new Intl.PluralRules(locale).select(n)] ?? message.other;
  // A site may have given what is no text.
  return `${form}`.replace('{n}', n.toLocaleString(locale));
}
