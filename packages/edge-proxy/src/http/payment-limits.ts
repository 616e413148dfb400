/** Which amounts a property accepts. What the upstream cannot express is refused before it is stored. */
import type { AmountUnit, MoneyJson } from '@innkeep/core/contract';
import { currencyExponent, Money } from '@innkeep/core/values';

/** What decides about an amount. */
export interface PaymentLimits {
  readonly amountUnit: AmountUnit;
  readonly maxAmount: Readonly<Record<string, number>> | undefined;
}

/** Why an amount is refused, with the path of the field to blame. */
export interface AmountRefusal {
  readonly param: 'amount.value' | 'amount.currency';
  readonly detail: string;
}

/** Checks an amount against a property's limits; undefined when it is fine. */
export function checkAmount(amount: MoneyJson, limits: PaymentLimits): AmountRefusal | undefined {
  const { currency, value } = amount;
  if (limits.amountUnit === 'major' && value % 10 ** (currencyExponent(currency) ?? 0) !== 0) {
    return { param: 'amount.value', detail: 'This property accepts only whole units of the currency' };
  }
  if (limits.maxAmount === undefined) return undefined;
  if (!Object.hasOwn(limits.maxAmount, currency)) {
    return {
      param: 'amount.currency',
      detail: 'This property has no maxAmount for this currency',
    };
  }
  const limit = limits.maxAmount[currency] ?? 0;
  if (value <= limit) return undefined;
  const shown = Money.fromJSON({ value: limit, currency });
  return { param: 'amount.value', detail: `Above this property's limit of ${shown}` };
}
