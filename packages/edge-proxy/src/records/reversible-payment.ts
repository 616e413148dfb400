/** What sessions and charges have in common when money is given back. Pure. */
import type { MoneyJson } from '@innkeep/core/contract';
import type { ReversalSums } from '../policy/reservations.ts';
import type { MoneyRecord, ReservedReversal } from './money-record.ts';
import { hotelSnapshot, type SessionRecord } from './session-record.ts';

/** What a reversal is made with, before its share is known. */
export interface ReversiblePayment extends Omit<ReservedReversal, 'amount'> {
  /** What was charged, surcharge included. */
  readonly total: MoneyJson;
}

/** How a record holds a payment. */
export interface PaymentRecordKind<Stored> {
  /** Undefined while there is nothing to give back. */
  reversible(record: Stored): ReversiblePayment | undefined;
  /** Undefined for a record that is no payment. */
  sums(record: Stored): ReversalSums | undefined;
  withSums(record: Stored, sums: ReversalSums): Stored;
}

/** The payment of a session. */
export const SESSION_PAYMENT: PaymentRecordKind<SessionRecord> = {
  reversible({ state, hosted, result, reference }) {
    if (state !== 'succeeded' || hosted === null || result?.kind !== 'payment') return undefined;
    const { total, transactionId } = result;
    if (transactionId === null) return undefined;
    const { serviceProvider } = hosted;
    return { total, reference, paymentTransactionId: transactionId, serviceProvider, hotel: hotelSnapshot(hosted) };
  },
  sums: ({ reversals }) => reversals ?? { reversed: 0, reversing: 0 },
  withSums: (record, reversals) => ({ ...record, reversals }),
};

/** A charge; a reversal is no payment. */
export const CHARGE_PAYMENT: PaymentRecordKind<MoneyRecord> = {
  reversible(record) {
    if (record.kind !== 'charge' || record.state !== 'succeeded' || record.transactionId === null) return undefined;
    const { amount: total, reference, transactionId, serviceProvider, hotel } = record;
    return { total, reference, paymentTransactionId: transactionId, serviceProvider, hotel };
  },
  sums: (record) => (record.kind === 'charge' ? record.sums : undefined),
  withSums: (record, sums) => (record.kind === 'charge' ? { ...record, sums } : record),
};
