/** A payment, as its reversals need it. Pure. */
import type { MoneyJson } from '@innkeep/core/contract';
import type { MoneyRecord, ReservedReversal } from './money-record.ts';
import { hotelSnapshot, type SessionRecord } from './session-record.ts';

/** What a reversal is made with, before its share is known. */
export interface ReversiblePayment extends Omit<ReservedReversal, 'amount'> {
  /** What was charged, surcharge included. */
  readonly total: MoneyJson;
}

/** A session's payment; undefined while there is none to give back. */
export function paymentOfSession({ state, hosted, result, reference }: SessionRecord): ReversiblePayment | undefined {
  if (state !== 'succeeded' || hosted === null || result?.kind !== 'payment') return undefined;
  const { total, transactionId: paymentTransactionId } = result;
  if (paymentTransactionId === null) return undefined;
  const { serviceProvider } = hosted;
  return { total, reference, paymentTransactionId, serviceProvider, hotel: hotelSnapshot(hosted) };
}

/** A charge's payment; undefined while there is none to give back. */
export function paymentOfCharge(record: MoneyRecord): ReversiblePayment | undefined {
  if (record.kind !== 'charge' || record.state !== 'succeeded' || record.transactionId === null) return undefined;
  const { amount: total, reference, transactionId: paymentTransactionId, serviceProvider, hotel } = record;
  return { total, reference, paymentTransactionId, serviceProvider, hotel };
}
