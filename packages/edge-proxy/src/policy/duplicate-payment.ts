/** When two payments of the same reference look like a mistake. Pure. */
import type { CheckoutSession, MoneyJson } from '@innkeep/core/contract';

/** The fields of a listed session that matter here. */
export interface ListedPayment
  extends Readonly<Pick<CheckoutSession, 'id' | 'kind' | 'status' | 'createdAt' | 'completedAt' | 'reversed'>> {
  readonly result: { readonly total?: MoneyJson } | null;
}

/**
 * The pairs of a payment and others of its reference, each with the ids of both in the order in which they were paid, and
 * what to do in words. Payments given back in full do not count.
 */
export function duplicatePayments<Payment extends ListedPayment>(payment: Payment, others: readonly Payment[]) {
  if (!isKept(payment)) return [];
  return others
    .filter((other) => other.id !== payment.id && isKept(other))
    .map((other) => {
      const [first, later] = orderOf(payment) < orderOf(other) ? [payment, other] : [other, payment];
      const remedy = `Give one back: POST /v1/reversals with ${JSON.stringify({ payment: later.id })}`;
      return { later, payments: [first.id, later.id] as const, remedy };
    });
}

/** Whether money was paid and not all of it was given back. */
function isKept({ kind, status, result, reversed }: ListedPayment): boolean {
  if (kind !== 'payment' || status !== 'succeeded' || result?.total === undefined) return false;
  return (reversed?.value ?? 0) < result.total.value;
}

function orderOf({ id, createdAt, completedAt }: ListedPayment): string {
  return `${completedAt ?? createdAt} ${createdAt} ${id}`;
}
