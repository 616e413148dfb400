/** How much of one payment is given back, and to which reversals. The same for a session's payment and for a charge. */

import { type Outcome, ok, refuse } from '../http/problem.ts';
import type { RecordStorage, StoredRecord } from './record-storage.ts';
import type { AllocationRequest, AllocationSettlement } from './reservation-table.ts';
import type { ReversalSums } from './reservations.ts';
import type { ReservedReversal, ReversiblePayment } from './reversible-payment.ts';

/** The record with the sums of one attempt's payment; null: of the only payment there can be. */
type WithSums<Stored> = (record: Stored, sums: ReversalSums, attempt: number | null) => Stored;

/** The reserved amounts of the payments in one object. Its table makes the limit atomic. */
export class ReservedAmounts<Stored extends StoredRecord> {
  readonly #store: RecordStorage<Stored>;
  readonly #withSums: WithSums<Stored>;

  constructor(store: RecordStorage<Stored>, withSums: WithSums<Stored>) {
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
    const { total, ...details } = payment;
    const { amountUnit } = details.hotel;
    const { attempt } = details;
    const reserved = this.#change(record, attempt, () =>
      this.#store.reservations.take({ ...asked, attempt }, { total, amountUnit }),
    );
    return reserved.ok ? ok({ ...details, amount: reserved.value }) : reserved;
  }

  /** Records how a reversal ended. Recording it again changes nothing. */
  settle(record: Stored, settlement: AllocationSettlement): void {
    const attempt = this.#store.reservations.attemptOf(settlement.id) ?? null;
    this.#change(record, attempt, () => this.#store.reservations.settle(settlement));
  }

  /** Changes the table. New sums make a new version of the record, which lists show. */
  #change<Result>(record: Stored, attempt: number | null, change: () => Result): Result {
    const { reservations } = this.#store;
    return this.#store.transaction(() => {
      const before = reservations.sums(attempt);
      const result = change();
      const sums = reservations.sums(attempt);
      if (sums.reversed !== before.reversed || sums.reversing !== before.reversing) {
        // Calls that came together have read the same version, and one of them has changed it.
        const current = this.#store.load() ?? record;
        this.#store.saveForLists(current.seq, { ...this.#withSums(current, sums, attempt), seq: current.seq + 1 });
      }
      return result;
    });
  }
}
