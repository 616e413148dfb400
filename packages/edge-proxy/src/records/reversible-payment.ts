/** A payment, as its reversals need it. Pure. */
import type { MoneyJson } from '@innkeep/core/contract';
import { type Outcome, refuse } from '../problem.ts';
import { hotelSnapshot } from './attempt-record.ts';
import type { MoneyRecord, ReservedReversal } from './money-record.ts';
import type { SessionRecord } from './session-record.ts';

/** What a reversal is made with, before its share is known. */
export interface ReversiblePayment extends Omit<ReservedReversal, 'amount'> {
  /** What was charged, surcharge included. */
  readonly total: MoneyJson;
}

/**
 * The payment of a session's attempt; undefined while there is none to give back.
 * @param wanted number of the attempt; null: the one that was paid, which is refused when two were
 */
export function paymentOfSession(
  { id, kind, attempts, reference }: SessionRecord,
  wanted: number | null,
): Outcome<ReversiblePayment | undefined> {
  const paid = attempts.filter(({ status }) => status === 'succeeded');
  if (wanted === null && kind === 'payment' && paid.length > 1) {
    const numbers = paid.map(({ number }) => number).join(' and ');
    const detail = `Attempts ${numbers} of this session were paid: say which one`;
    return refuse('invalid_request', { detail, param: 'attempt', resource: id });
  }
  const attempt = paid.find(({ number }) => wanted === null || number === wanted);
  if (attempt?.result?.kind !== 'payment') return { ok: true, value: undefined };
  const { hosted, number, result } = attempt;
  const { total, transactionId: paymentTransactionId } = result;
  if (paymentTransactionId === null) return { ok: true, value: undefined };
  const { serviceProvider } = hosted;
  const facts = { attempt: number, reference, paymentTransactionId, serviceProvider, hotel: hotelSnapshot(hosted) };
  return { ok: true, value: { total, ...facts } };
}

/** A charge's payment; undefined while there is none to give back. */
export function paymentOfCharge(record: MoneyRecord): ReversiblePayment | undefined {
  if (record.kind !== 'charge' || record.state !== 'succeeded' || record.transactionId === null) return undefined;
  const { amount: total, reference, transactionId: paymentTransactionId, serviceProvider, hotel } = record;
  return { total, attempt: null, reference, paymentTransactionId, serviceProvider, hotel };
}
