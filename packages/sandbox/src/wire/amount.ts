import { currencyDigits } from './currency.ts';

/** What one unit of an amount on the wire is. The specification leaves it open. */
export type AmountUnit = 'minor' | 'major';

/** How amounts are written: the unit, and the currency that gives its size. */
export interface AmountForm {
  readonly unit: AmountUnit;
  readonly currency: string;
}

/** Amount on the wire (integer digits) → minor units. */
export function toMinor(digits: string, form: AmountForm): bigint {
  return form.unit === 'minor' ? BigInt(digits) : BigInt(digits) * scaleOf(form.currency);
}

/** Minor units → the JSON number of an answer; with unit `major` it may have a fraction. */
export function toWireNumber(minor: bigint, form: AmountForm): number {
  return form.unit === 'minor' ? Number(minor) : Number(toDecimal(minor, form.currency));
}

/** Minor units → decimal text, such as `120.00`. */
export function toDecimal(minor: bigint, currency: string): string {
  const digits = digitsOf(currency);
  if (digits === 0) return String(minor);
  const scale = scaleOf(currency);
  return `${minor / scale}.${String(minor % scale).padStart(digits, '0')}`;
}

/** Minor units as a person reads them, such as `€120.00`. */
export function toDisplay(minor: bigint, currency: string): string {
  const digits = digitsOf(currency);
  return new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(Number(toDecimal(minor, currency)));
}

/** Surcharge on an amount, both in minor units; half a unit rounds up. `percent` has at most two decimals. */
export function surchargeOn(minor: bigint, percent: number): bigint {
  return (minor * BigInt(Math.round(percent * 100)) + 5_000n) / 10_000n;
}

/** 10 to the power of the currency's digits: how many minor units are one major unit. */
export function scaleOf(currency: string): bigint {
  return 10n ** BigInt(digitsOf(currency));
}

function digitsOf(currency: string): number {
  return currencyDigits(currency) ?? 2;
}
