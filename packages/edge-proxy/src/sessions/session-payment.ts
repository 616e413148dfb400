/** The payment of a session, as its reversals need it. Pure. */
import { type Outcome, ok, refuse } from '../http/problem.ts';
import { hotelSnapshot } from '../properties/hotel-snapshot.ts';
import { isInOtherUnit, type ReversiblePayment } from '../records/reversible-payment.ts';
import type { SessionRecord } from './session-record.ts';

/**
 * The payment of a session's attempt; undefined while there is none to refund.
 * @param wanted number of the attempt; null: the one that was paid, which is refused when two were
 */
export function paymentOfSession(
  { id, kind, attempts, reference }: SessionRecord,
  wanted: number | null,
): Outcome<ReversiblePayment | undefined> {
  const paid = attempts.filter(({ status }) => status === 'succeeded');
  if (wanted === null && kind === 'payment' && paid.length > 1) {
    const numbers = paid.map(({ number }) => number).join(' and ');
    const detail = `Attempts ${numbers} of this session were paid: name the one you mean`;
    return refuse('invalid_request', { detail, param: 'attempt', resource: id });
  }
  const attempt = paid.find(({ number }) => wanted === null || number === wanted);
  if (attempt?.result?.kind !== 'payment') return ok(undefined);
  const { hosted, number, result, resolution, terms } = attempt;
  const { total, transactionId: paymentTransactionId } = result;
  if (paymentTransactionId === null) return ok(undefined);
  const { serviceProvider } = hosted;
  const details = { attempt: number, reference, paymentTransactionId, serviceProvider, hotel: hotelSnapshot(hosted) };
  const taken = resolution?.amount;
  const hasOtherUnit = taken !== undefined && terms.amount !== null && isInOtherUnit(terms.amount, taken);
  return ok({ total, ...details, ...(hasOtherUnit && { isInOtherUnit: true }) });
}
