/** When two payments of one reference are one too many. Pure. */
import type { CheckoutSession, MoneyJson } from '@innkeep/core/contract';

/** What is looked at in a session as lists show it. */
export interface ListedPayment
  extends Readonly<Pick<CheckoutSession, 'id' | 'kind' | 'status' | 'createdAt' | 'completedAt' | 'reversed'>> {
  readonly result: { readonly total?: MoneyJson } | null;
}

/** A pair of payments, in the order in which they were paid. */
export interface DuplicatePayment<Payment> {
  readonly later: Payment;
  /** Ids of both. */
  readonly payments: readonly [string, string];
  /** What to do, in words. */
  readonly remedy: string;
}

/** The pairs that a payment makes with others of its reference. What was given back in full makes none. */
export function duplicatePayments<Payment extends ListedPayment>(
  payment: Payment,
  others: readonly Payment[],
): DuplicatePayment<Payment>[] {
  if (!isKept(payment)) return [];
  return others
    .filter((other) => other.id !== payment.id && isKept(other))
    .map((other) => {
      const [first, later] = orderOf(payment) < orderOf(other) ? [payment, other] : [other, payment];
      const remedy = `Give one back: POST /v1/reversals with ${JSON.stringify({ payment: later.id })}`;
      return { later, payments: [first.id, later.id], remedy };
    });
}

/** Whether money was paid and has not all gone back. */
function isKept({ kind, status, result, reversed }: ListedPayment): boolean {
  if (kind !== 'payment' || status !== 'succeeded' || result?.total === undefined) return false;
  return (reversed?.value ?? 0) < result.total.value;
}

function orderOf({ id, createdAt, completedAt }: ListedPayment): string {
  return `${completedAt ?? createdAt} ${createdAt} ${id}`;
}
