/** When two payments of the same reference look like a mistake. Pure. */
import type { CheckoutAttempt, CheckoutSession } from '@innkeep/core/contract';
import { firstSuccess } from '../records/first-success.ts';
import type { Duplicate } from '../records/ledger-update.ts';

type PaidAttempt = Duplicate['payments'][number];

/** The fields of a listed session that matter here. */
export interface ListedPayment extends Readonly<Pick<CheckoutSession, 'id' | 'kind' | 'livemode' | 'createdAt'>> {
  readonly attempts: readonly ListedAttempt[];
}

type ListedAttempt = Readonly<Pick<CheckoutAttempt, 'number' | 'status' | 'endedAt' | 'result' | 'reversed'>>;

/** Two payments, one of which is probably a duplicate, the earlier one first, and what to do in words. */
export function toDuplicate(payments: readonly PaidAttempt[]): Duplicate {
  const remedy = `Refund one: POST /v1/reversals with ${JSON.stringify(payments.at(-1))}`;
  return { payments: [...payments], remedy };
}

/** The pairs of a payment and others of its reference and mode. Payments refunded in full do not count. */
export function duplicatePayments<Payment extends ListedPayment>(payment: Payment, others: readonly Payment[]) {
  const paid = keptAttempt(payment);
  if (paid === undefined) return [];
  return others.flatMap((other) => {
    const isOther = other.id !== payment.id && other.livemode === payment.livemode;
    const otherPaid = isOther ? keptAttempt(other) : undefined;
    if (otherPaid === undefined) return [];
    const both = [
      { session: payment, paid },
      { session: other, paid: otherPaid },
    ].sort((one, two) => (orderOf(one) < orderOf(two) ? -1 : 1));
    const payments = both.map(({ session, paid }) => ({ payment: session.id, attempt: paid.number }));
    const later = both.at(-1)?.session ?? payment;
    const instants = both.map(orderOf).join(' ');
    return [{ later, instants, duplicate: toDuplicate(payments) }];
  });
}

/** Of the attempts that were not refunded in full, the one that was paid first. */
function keptAttempt({ kind, attempts }: ListedPayment): ListedAttempt | undefined {
  if (kind !== 'payment') return undefined;
  return firstSuccess(
    attempts.filter(
      ({ result, reversed }) => result?.kind === 'payment' && (reversed?.value ?? 0) < result.total.value,
    ),
  );
}

function orderOf({ session, paid }: { readonly session: ListedPayment; readonly paid: ListedAttempt }): string {
  const { id, createdAt } = session;
  return `${paid.endedAt ?? createdAt} ${createdAt} ${id}`;
}
