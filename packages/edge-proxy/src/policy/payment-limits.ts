/** Which amounts a property takes. Integers only; what cannot be said to the upstream is refused before it is stored. */

import type { MoneyJson } from '@innkeep/core/contract';

/** What decides about an amount. */
export interface PaymentLimits {
  readonly amountUnit: 'minor' | 'major';
  readonly maxAmount: Readonly<Record<string, number>> | undefined;
  /** Decimal places of a currency; undefined for one that is not in ISO 4217. */
  readonly exponentOf: (currency: string) => number | undefined;
}

/** Why an amount is refused, with the path of the field to blame. */
export interface AmountRefusal {
  readonly param: 'amount.value' | 'amount.currency';
  readonly detail: string;
}

/** Checks an amount against a property's limits; undefined when it is fine. */
export function checkAmount(amount: MoneyJson, limits: PaymentLimits): AmountRefusal | undefined {
  const exponent = limits.exponentOf(amount.currency);
  if (exponent === undefined)
    return { param: 'amount.currency', detail: `${amount.currency} is not an ISO 4217 currency` };
  if (limits.amountUnit === 'major' && amount.value % 10 ** exponent !== 0) {
    return { param: 'amount.value', detail: 'This property can only take whole units of the currency' };
  }
  if (limits.maxAmount !== undefined) {
    if (!Object.hasOwn(limits.maxAmount, amount.currency)) {
      return {
        param: 'amount.currency',
        detail: `This property has no limit for ${amount.currency}: it does not take it`,
      };
    }
    const limit = limits.maxAmount[amount.currency] ?? 0;
    if (amount.value > limit) return { param: 'amount.value', detail: `Above this property's limit of ${limit}` };
  }
  return undefined;
}
