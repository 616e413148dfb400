/** How a view writes things. */
import type { MoneyJson } from '@innkeep/core/values';
import type { Messages } from '../localization/messages.ts';

/** Texts of a language, and money and times in it, in the hotel's time zone. */
export interface Format {
  readonly texts: Messages;
  readonly locale: string;
  money(money: MoneyJson): string;
  time(instant: string): string;
  dateTime(instant: string): string;
  day(day: string): string;
}

/** Puts values into a text: `{name}` stands for the value of that name. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all);
}

/** That no more days are possible. */
export function mostDays(n: number, { texts, locale }: Format): string {
  return fill(texts.overLimit, { amount: durationText(n, 'day', locale) });
}

/** `3 days`, in the form that the language has for this number. */
export function durationText(n: number, unit: 'day' | 'second', locale: string): string {
  return n.toLocaleString(locale, { style: 'unit', unit, unitDisplay: 'long' });
}
