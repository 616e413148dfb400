import type { RecordFault } from '../domain/plan.ts';
import { scaleOf } from '../wire/amount.ts';

/** The amount that a faulty answer claims; faults that are not about amounts leave it alone. */
export function contradictAmount(
  amount: number,
  { fault, currency }: { readonly fault: RecordFault | undefined; readonly currency: string },
): number {
  if (fault === 'wrong-amount') return amount + 1;
  // A currency without decimals has no other unit, so there the factor is 10.
  if (fault === 'power-of-ten') return amount * Math.max(10, Number(scaleOf(currency)));
  return amount;
}
