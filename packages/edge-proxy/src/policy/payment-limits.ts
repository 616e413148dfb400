/** Which amounts a property takes. Integers only; what cannot be said to the upstream is refused before it is stored. */

import type { AmountUnit, MoneyJson } from '@innkeep/core/contract';

/** What decides about an amount. */
export interface PaymentLimits {
  readonly amountUnit: AmountUnit;
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
    return { param: 'amount.value', detail: 'This property accepts only whole units of the currency' };
  }
  if (limits.maxAmount !== undefined) {
    if (!Object.hasOwn(limits.maxAmount, amount.currency)) {
      return {
        param: 'amount.currency',
        detail: `This property does not accept ${amount.currency}: it has no limit for it`,
      };
    }
    const limit = limits.maxAmount[amount.currency] ?? 0;
    if (amount.value > limit) return { param: 'amount.value', detail: `Above this property's limit of ${limit}` };
  }
  return undefined;
}
