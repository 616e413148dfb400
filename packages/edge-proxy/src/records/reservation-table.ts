/** The reversals that have a share of one payment. The table is in the payment's own object, so its limit is atomic. */
import type { MoneyJson } from '@innkeep/core/contract';
import { type Outcome, ok, type Refusal, refuse } from '../http/problem.ts';
import {
  judgeDuplicate,
  judgeEpoch,
  judgeReservation,
  type Reservation,
  type ReservationFacts,
  type ReservationRefusal,
  type ReversalSums,
  sumReservations,
} from './reservations.ts';

/** How a reversal ended, as far as the payment is concerned. */
export type Settlement = 'reversed' | 'released';

export interface ShareRequest {
  readonly id: string;
  /** Number of the attempt that was paid; null when there can be only one payment. */
  readonly attempt: number | null;
  /** null: all that is left. */
  readonly amount: MoneyJson | null;
  /** Whether an equal one may have been made already. @default false */
  readonly allowDuplicate?: boolean;
  /** Counts the attempts of this reversal to get a share. */
  readonly epoch: number;
}

export interface ShareSettlement {
  readonly id: string;
  readonly settlement: Settlement;
  /** As in {@link ShareRequest}. */
  readonly epoch: number;
}

/** The `reservation` table of one object; made when the first reversal comes. */
export class ReservationTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  static readonly SCHEMA: string =
    'CREATE TABLE IF NOT EXISTS reservation (id TEXT PRIMARY KEY, attempt INTEGER, amount INTEGER NOT NULL, state TEXT NOT NULL, epoch INTEGER NOT NULL, reversed_at INTEGER) WITHOUT ROWID;';

  /** What is given back of the payment of one attempt; null: of the only one. */
  sums(attempt: number | null): ReversalSums {
    return sumReservations(this.#list().filter((each) => each.attempt === attempt));
  }

  /** Of which attempt a reversal has a share; undefined when it has none. */
  attemptOf(id: string): number | null | undefined {
    return this.#find(id)?.attempt;
  }

  /**
   * Gives a reversal its share, or refuses it. A share of an earlier attempt is given up first.
   */
  take(asked: ShareRequest, facts: Omit<ReservationFacts, 'sums' | 'asked'>): Outcome<MoneyJson> {
    const { currency } = facts.total;
    const row = this.#find(asked.id);
    const verdict = judgeEpoch(row, asked.epoch);
    if (verdict === 'same' && row !== undefined) return ok({ value: row.amount, currency });
    if (verdict === 'late') {
      const detail = 'A later attempt with this key has taken over; ask again';
      return refuse('idempotency_in_progress', { detail, resource: asked.id, retryAfterSeconds: 1 });
    }
    this.#sql.exec('DELETE FROM reservation WHERE id = ?', asked.id);
    const others = this.#list().filter(({ attempt }) => attempt === asked.attempt);
    const share = judgeReservation({ ...facts, sums: sumReservations(others), asked: asked.amount });
    if ('code' in share) return refused(share);
    const duplicate =
      asked.allowDuplicate === true ? undefined : judgeDuplicate(others, { amount: share.amount, now: Date.now() });
    if (duplicate !== undefined) return refused(duplicate);
    const { id, attempt, epoch } = asked;
    this.#put({ id, attempt, amount: share.amount, state: 'held', epoch, reversedAt: null });
    return ok({ value: share.amount, currency });
  }

  /**
   * Ends a reservation. A released one stays as a row without an amount, so that a late request of the same attempt gets
   * nothing.
   */
  settle({ id, settlement, epoch }: ShareSettlement): void {
    const row = this.#find(id);
    const isOfNewer = (row?.epoch ?? 0) > epoch;
    if (isOfNewer || row?.state === 'reversed') return;
    if (settlement === 'reversed') {
      if (row?.state === 'held') this.#put({ ...row, state: 'reversed', reversedAt: Date.now() });
    } else this.#put({ id, attempt: row?.attempt ?? null, amount: 0, state: 'released', epoch, reversedAt: null });
  }

  /** Call it after a look, which makes the table. */
  #put({ id, attempt, amount, state, epoch, reversedAt }: Reservation): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO reservation (id, attempt, amount, state, epoch, reversed_at) VALUES (?, ?, ?, ?, ?, ?)',
      id,
      attempt,
      amount,
      state,
      epoch,
      reversedAt,
    );
  }

  #find(id: string): Reservation | undefined {
    return this.#list().find((reservation) => reservation.id === id);
  }

  #list(): Reservation[] {
    this.#sql.exec(ReservationTable.SCHEMA);
    return this.#sql
      .exec<{
        id: string;
        attempt: number | null;
        amount: number;
        state: string;
        epoch: number;
        reversedAt: number | null;
      }>('SELECT id, attempt, amount, state, epoch, reversed_at AS reversedAt FROM reservation')
      .toArray()
      .map(({ state, ...row }) => ({
        ...row,
        state: state === 'reversed' || state === 'released' ? state : 'held',
      }));
  }
}

function refused({ code, ...details }: ReservationRefusal): Refusal {
  return refuse(code, details);
}
