/** The payment of a charge, as its reversals need it. Pure. */

import { isInOtherUnit, type ReversiblePayment } from '../records/reversible-payment.ts';
import type { MoneyRecord } from './money-record.ts';

/** A charge's payment; undefined while there is none to refund. */
export function paymentOfCharge(record: MoneyRecord): ReversiblePayment | undefined {
  if (record.kind !== 'charge' || record.state !== 'succeeded' || record.transactionId === null) return undefined;
  const { amount, resolution, reference, transactionId: paymentTransactionId, serviceProvider, hotel } = record;
  const total = resolution?.amount ?? amount;
  const unit = isInOtherUnit(amount, total) ? { isInOtherUnit: true } : {};
  return { total, attempt: null, reference, paymentTransactionId, serviceProvider, hotel, ...unit };
}
