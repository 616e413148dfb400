/** How much of one payment is given back, and to which reversals. The same for a session's payment and for a charge. */
import { currencyExponent } from '@innkeep/core/values';
import { type Outcome, refuse } from '../problem.ts';
import type { ReservedReversal } from '../records/money-record.ts';
import type { PaymentRecordKind } from '../records/reversible-payment.ts';
import type { RecordStorage, StoredRecord } from './record-storage.ts';
import type { ShareRequest, ShareSettlement } from './reservation-table.ts';

/** The shares of the payment in one object. Its table makes the limit atomic. */
export class ReversalShares<Stored extends StoredRecord> {
  readonly #store: RecordStorage<Stored>;
  readonly #kind: PaymentRecordKind<Stored>;

  constructor(store: RecordStorage<Stored>, kind: PaymentRecordKind<Stored>) {
    this.#store = store;
    this.#kind = kind;
  }

  /**
   * Gives a reversal its share. A later attempt of the same reversal replaces the earlier one's share: a reversal asks
   * only before it is written down, so nothing was sent for that one.
   */
  reserve(record: Stored, asked: ShareRequest): Outcome<ReservedReversal> {
    const payment = this.#kind.reversible(record);
    if (payment === undefined) {
      const detail = 'Only a payment that has succeeded and has a transaction id can be reversed';
      return refuse('not_reversible', { detail, resource: record.id });
    }
    const { total, ...facts } = payment;
    return this.#store.transaction(() => {
      const { amountUnit } = facts.hotel;
      const share = this.#store.reservations.take(asked, { total, amountUnit, exponentOf: currencyExponent });
      this.#saveSums(record);
      return share.ok ? { ok: true, value: { ...facts, amount: share.value } } : share;
    });
  }

  /** Records how a reversal ended. The same settlement again changes nothing. */
  settle(record: Stored, settlement: ShareSettlement): Outcome<null> {
    this.#store.transaction(() => {
      if (this.#kind.sums(record) === undefined) return;
      if (this.#store.reservations.settle(settlement)) this.#saveSums(record);
    });
    return { ok: true, value: null };
  }

  #saveSums(record: Stored): void {
    const before = this.#kind.sums(record);
    const sums = this.#store.reservations.sums();
    if (sums.reversed === before?.reversed && sums.reversing === before.reversing) return;
    this.#store.saveForLists(record.seq, { ...this.#kind.withSums(record, sums), seq: record.seq + 1 });
  }
}
