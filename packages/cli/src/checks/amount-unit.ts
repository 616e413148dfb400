import { Money, toWireAmount } from '@innkeep/core/values';
import type { Property } from '../property/property.ts';
import type { CheckResult } from './check-result.ts';

/** Says what the amount unit means on the wire. No request can prove it: the specification leaves the unit open. */
export function adviseAmountUnit({ amountUnit, livemode = false }: Property): CheckResult {
  const sent = toWireAmount(Money.ofMinor(12_000n, 'EUR'), amountUnit);
  return {
    check: 'amount-unit',
    status: 'advice',
    message: `amountUnit is "${amountUnit}": 120.00 EUR is sent as ${sent}. ${
      amountUnit === 'major' ? 'Amounts with cents are refused.' : 'Ask the vendor whether it counts in cents.'
    }`,
    fix: `Prove it with one small ${livemode ? 'real ' : ''}payment: innkeep session create --amount 1.00 EUR --reference UNIT-TEST, pay it, look at it with session get. The error amount_unit_mismatch means: change amountUnit to "${amountUnit === 'minor' ? 'major' : 'minor'}".`,
  };
}
