/** The amount that was typed into a form, and what is wrong with it. */
import type { MoneyJson } from '@innkeep/core/values';
import type { Values } from '../controllers/draft.ts';
import { parseAmount, readAmount, writeAmount } from '../values/amount.ts';
import { type Format, fill } from './format.ts';

/** The largest amount by currency; empty where any amount of any currency is taken. */
export type Limits = Readonly<Record<string, number>>;

/** What was typed, in the currency that was chosen or in the only one. */
export function typedAmount(values: Values, only: string | undefined, locale: string): MoneyJson {
  const currency = (values.currency || only || '').trim().toUpperCase();
  const value = isCurrency(currency) ? parseAmount(values.amount ?? '', currency, locale) : 0;
  return { value: value ?? 0, currency };
}

/** Whether it looks like a currency. */
export function isCurrency(code: string): boolean {
  return /^[A-Z]{3}$/.test(code);
}

/**
 * What is wrong with an amount.
 * @param words what is said of more than the most
 */
export function amountError(
  values: Values,
  currency: string,
  { texts, locale, money }: Format,
  limits: Limits,
  words: string,
): Record<string, string> {
  if (!isCurrency(currency)) return { currency: texts.currencyHint };
  const [value, other] = readAmount(values.amount ?? '', currency, locale);
  if (value === undefined) return { amount: fill(texts.notAnAmount, { example: writeAmount(2000, currency, locale) }) };
  const shown = (amount: number): string => money({ value: amount, currency });
  if (other !== undefined) return { amount: fill(texts.twoAmounts, { one: shown(value), other: shown(other) }) };
  const most = limits[currency] ?? value;
  return value > most ? { amount: fill(words, { amount: shown(most) }) } : {};
}
