/** The reversals that have a share of one payment. The payment's own object holds the table, so its cap is atomic. */
import type { MoneyValue } from '../policy/payment-limits.ts';
import {
  judgeReservation,
  type Reservation,
  type ReservationFacts,
  type ReversalSums,
  sumReservations,
} from '../policy/reservations.ts';
import { type Outcome, refuse } from '../problem.ts';

/** How a reversal ended, as far as the payment is concerned. */
export type Settlement = 'reversed' | 'released';

/** The `reservation` table of one object; made when the first reversal comes. */
export class ReservationTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Statement that creates the table. */
  static readonly SCHEMA: string =
    'CREATE TABLE IF NOT EXISTS reservation (id TEXT PRIMARY KEY, amount INTEGER NOT NULL, state TEXT NOT NULL) WITHOUT ROWID;';

  sums(): ReversalSums {
    return sumReservations(this.#list());
  }

  /**
   * Gives a reversal its share, or says why not. A share it held before is given up first: a reversal asks only before
   * it is written down, so nothing was sent for that one.
   */
  take(
    asked: { readonly id: string; readonly amount: MoneyValue | null },
    facts: Omit<ReservationFacts, 'sums' | 'asked'>,
  ): Outcome<MoneyValue> {
    this.settle(asked.id, 'released');
    const verdict = judgeReservation({ ...facts, sums: this.sums(), asked: asked.amount });
    if ('code' in verdict) {
      const { code, ...details } = verdict;
      return refuse(code, details);
    }
    this.#sql.exec("INSERT INTO reservation (id, amount, state) VALUES (?, ?, 'held')", asked.id, verdict.amount);
    return { ok: true, value: { value: verdict.amount, currency: facts.total.currency } };
  }

  /** Ends a reservation; false when there is nothing to change, as after the same settlement came before. */
  settle(id: string, settlement: Settlement): boolean {
    if (!this.#list().some((reservation) => reservation.id === id && reservation.state === 'held')) return false;
    if (settlement === 'released') this.#sql.exec('DELETE FROM reservation WHERE id = ?', id);
    else this.#sql.exec("UPDATE reservation SET state = 'reversed' WHERE id = ?", id);
    return true;
  }

  #list(): Reservation[] {
    this.#sql.exec(ReservationTable.SCHEMA);
    return this.#sql
      .exec<{ id: string; amount: number; state: string }>('SELECT id, amount, state FROM reservation')
      .toArray()
      .map(({ id, amount, state }) => ({ id, amount, state: state === 'reversed' ? 'reversed' : 'held' }));
  }
}
