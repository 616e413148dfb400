/** When two payments of the same reference look like a mistake. Pure. */
import type { CheckoutAttempt, CheckoutSession, WebhookEvent } from '@innkeep/core/contract';
import { firstSuccess } from './session-status.ts';

/** What an event says of two payments. */
export type Duplicate = NonNullable<WebhookEvent['data']['duplicate']>;

type PaidAttempt = Duplicate['payments'][number];

/** The fields of a listed session that matter here. */
export interface ListedPayment extends Readonly<Pick<CheckoutSession, 'id' | 'kind' | 'createdAt' | 'completedAt'>> {
  readonly attempts: readonly Readonly<
    Pick<CheckoutAttempt, 'number' | 'status' | 'endedAt' | 'result' | 'reversed'>
  >[];
}

/** Two payments of which one is likely too many, the earlier one first, and what to do in words. */
export function toDuplicate(payments: readonly PaidAttempt[]): Duplicate {
  const remedy = `Give one back: POST /v1/reversals with ${JSON.stringify(payments.at(-1))}`;
  return { payments: [...payments], remedy };
}

/** The pairs of a payment and others of its reference. Payments given back in full do not count. */
export function duplicatePayments<Payment extends ListedPayment>(payment: Payment, others: readonly Payment[]) {
  const paid = keptAttempt(payment);
  if (paid === undefined) return [];
  return others.flatMap((other) => {
    const otherPaid = other.id === payment.id ? undefined : keptAttempt(other);
    if (otherPaid === undefined) return [];
    const both = [
      { session: payment, attempt: paid.number },
      { session: other, attempt: otherPaid.number },
    ].sort((one, two) => (orderOf(one.session) < orderOf(two.session) ? -1 : 1));
    const payments = both.map(({ session, attempt }) => ({ payment: session.id, attempt }));
    const later = both.at(-1)?.session ?? payment;
    const instants = both.map(({ session }) => orderOf(session)).join(' ');
    return [{ later, instants, duplicate: toDuplicate(payments) }];
  });
}

/** The attempt that was paid, if not all of it was given back. */
function keptAttempt({ kind, attempts }: ListedPayment): ListedPayment['attempts'][number] | undefined {
  const paid = kind === 'payment' ? firstSuccess(attempts) : undefined;
  if (paid?.result?.kind !== 'payment') return undefined;
  return (paid.reversed?.value ?? 0) < paid.result.total.value ? paid : undefined;
}

function orderOf({ id, createdAt, completedAt }: ListedPayment): string {
  return `${completedAt ?? createdAt} ${createdAt} ${id}`;
}
