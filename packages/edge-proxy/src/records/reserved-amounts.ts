/** How much of one payment is refunded, and to which reversals. The same for a session's payment and for a charge. */

import { type Outcome, ok, refuse } from '../http/problem.ts';
import { OTHER_MODE } from './other-mode.ts';
import type { StoredRecord } from './record-row.ts';
import type { RecordStorage } from './record-storage.ts';
import type { Reservation, ReversalSums } from './reservations.ts';
import type { ReservedReversal, ReversiblePayment } from './reversible-payment.ts';
import { type AllocationRequest, type AllocationSettlement, settleShare, sumsOf, takeShare } from './shares.ts';

/** The record with the sums of one attempt's payment; null: of the only payment there can be. */
type WithSums<Stored> = (record: Stored, sums: ReversalSums, attempt: number | null) => Stored;

/** The reserved amounts of the payments in one object. Its table makes the limit atomic. */
export class ReservedAmounts<Stored extends StoredRecord> {
  readonly #store: RecordStorage<Stored, object>;
  readonly #withSums: WithSums<Stored>;

  constructor(store: RecordStorage<Stored, object>, withSums: WithSums<Stored>) {
    this.#store = store;
    this.#withSums = withSums;
  }

  /**
   * Gives a reversal its share. A later attempt of the same reversal replaces the earlier one's share: a reversal asks
   * only before it is written down, so nothing was sent for that one.
   */
  reserve(record: Stored, payment: ReversiblePayment | undefined, asked: AllocationRequest): Outcome<ReservedReversal> {
    if (payment === undefined) {
      const detail = 'Only a payment that has succeeded and has a transaction id can be reversed';
      return refuse('not_reversible', { detail, resource: record.id });
    }
    if ((asked.livemode ?? record.livemode) !== record.livemode) {
      return refuse('not_reversible', { detail: OTHER_MODE, resource: record.id });
    }
    const { total, isInOtherUnit = false, ...rest } = payment;
    const { attempt, hotel } = rest;
    const amountUnit = isInOtherUnit ? asked.amountUnit : hotel.amountUnit;
    if (amountUnit === undefined || (isInOtherUnit && amountUnit === hotel.amountUnit)) {
      const detail =
        'This was taken in another unit than requested: refund it in the payment service’s portal, or, if amountUnit is wrong, correct it first';
      return refuse('not_reversible', { detail, resource: record.id });
    }
    const { shares, taken } = takeShare(this.#store.reservations, { ...asked, attempt }, { total, amountUnit });
    this.#keep(record, shares);
    if (!taken.ok) return { resource: record.id, ...taken };
    const { redactedAt } = record;
    return ok({ ...rest, hotel: { ...hotel, amountUnit }, amount: taken.value, ...(redactedAt && { redactedAt }) });
  }

  /** Records how a reversal ended. Recording it again changes nothing. */
  settle(record: Stored, settlement: AllocationSettlement): void {
    this.#keep(record, settleShare(this.#store.reservations, settlement));
  }

  /** Keeps the shares. New sums make a new version of the record, which lists show. */
  #keep(record: Stored, shares: readonly Reservation[]): void {
    const store = this.#store;
    const { reservations } = store;
    if (shares === reservations) return;
    store.transaction(() => {
      store.reservations = shares;
      // A reversal that asks again may ask for another attempt.
      const changed = [...new Set([...reservations, ...shares].map(({ attempt }) => attempt))].filter((attempt) => {
        const [before, sums] = [sumsOf(reservations, attempt), sumsOf(shares, attempt)];
        return sums.reversed !== before.reversed || sums.reversing !== before.reversing;
      });
      if (changed.length === 0) return;
      // Calls that came together have read the same version, and one of them has changed it.
      const current = store.load() ?? record;
      const next = changed.reduce((each, attempt) => this.#withSums(each, sumsOf(shares, attempt), attempt), current);
      store.saveForLists(current.seq, { ...next, seq: current.seq + 1 });
    });
  }
}
