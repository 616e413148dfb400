import type { Charge, Reversal } from '@innkeep/core/contract';
import { Money, type MoneyJson } from '@innkeep/core/values';

/** `120.00 EUR`; the bare numbers for a currency this version does not know. */
export function moneyText(money: MoneyJson | null | undefined): string {
  if (money === null || money === undefined) return '';
  try {
    return Money.fromJSON(money).toString();
  } catch {
    return `${money.value} ${money.currency} (minor units)`;
  }
}

/** What a charge or a reversal moved: what a person has found out, or else what was asked for. */
export function movedText({ amount, resolution }: Pick<Charge | Reversal, 'amount' | 'resolution'>): string {
  return moneyText(resolution?.amount ?? amount);
}
