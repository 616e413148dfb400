import type { Charge, CheckoutSession, Reversal } from '@innkeep/core/contract';
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

/** What a payment or a refund moved, surcharge included, as a person or the payment service has said; or else what was asked for. */
export function movedText(moved: Charge | Reversal | CheckoutSession): string {
  if (moved.object !== 'checkout_session') return moneyText(moved.resolution?.amount ?? moved.amount);
  return moneyText(moved.result?.kind === 'payment' ? moved.result.total : moved.amount);
}
