/** Which payments are probably duplicates. Pure. */
import { duplicatePayments, type ListedPayment } from './duplicate-payment.ts';
import { type BareLine, isPaid, type Listed } from './payment-lines.ts';

/**
 * Ids of the payments that a line repeats: others of its reference, or the session itself when it was paid twice. What was refunded does
 * not count.
 * @param paidOf sessions of a reference that were paid
 */
export function duplicatesOf(
  resource: Listed,
  { status, reference }: Pick<BareLine, 'status' | 'reference'>,
  paidOf: (reference: string) => readonly ListedPayment[],
): string[] {
  if (resource.object !== 'checkout_session' || resource.kind !== 'payment') return [];
  if (status !== 'succeeded' && status !== 'partly_reversed') return [];
  const kept = resource.attempts.filter(
    (attempt) =>
      isPaid(attempt) &&
      attempt.result?.kind === 'payment' &&
      (attempt.reversed?.value ?? 0) < attempt.result.total.value,
  );
  const pairs = reference === null ? [] : duplicatePayments(resource, paidOf(reference));
  const ids = pairs.flatMap(({ duplicate }) => duplicate.payments.map(({ payment }) => payment));
  return [...(kept.length > 1 ? [resource.id] : []), ...ids.filter((id) => id !== resource.id)];
}
