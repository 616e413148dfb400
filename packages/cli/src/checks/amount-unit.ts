import type { PropertyInput } from '@innkeep/core/contract';
import { Money, toWireAmount } from '@innkeep/core/values';
import type { CheckResult } from './check-result.ts';

/** Says what the amount unit means on the wire. No request can prove it: the specification leaves the unit open. */
export function adviseAmountUnit({ amountUnit, livemode = false }: PropertyInput): CheckResult {
  const sent = toWireAmount(Money.ofMinor(12_000n, 'EUR'), amountUnit);
  return {
    check: 'amount-unit',
    status: 'advice',
    message: `amountUnit is "${amountUnit}": 120.00 EUR is sent as ${sent}. ${
      amountUnit === 'major' ? 'Amounts with cents are refused.' : 'Ask the vendor whether it counts in cents.'
    }`,
    // A service that consistently counts in the other unit cannot be detected from here: only people see the amount.
    fix: `Prove it with one small ${livemode ? 'real ' : ''}payment: innkeep session create --amount 1.00 EUR --reference UNIT-TEST, then innkeep link create, and read the amount on the payment page before you pay, and in the vendor’s portal afterwards. If either does not say 1.00 EUR, change amountUnit to "${amountUnit === 'minor' ? 'major' : 'minor'}". Prove each other currency that the hotel takes, too.`,
  };
}
