/** The reversals that have a share of one payment. The table is in the payment's own object, so its limit is atomic. */
import type { MoneyJson } from '@innkeep/core/contract';
import { type Outcome, ok, type Refusal, refuse } from '../http/problem.ts';
import {
  classifyEpoch,
  decideReservation,
  duplicateRefusal,
  type Reservation,
  type ReservationInput,
  type ReservationRefusal,
  type ReversalSums,
  sumReservations,
} from './reservations.ts';

/** How a reversal ended, as far as the payment is concerned. */
export type Settlement = 'reversed' | 'released';

export interface AllocationRequest {
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

export interface AllocationSettlement {
  readonly id: string;
  readonly settlement: Settlement;
  /** As in {@link AllocationRequest}. */
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
  take(asked: AllocationRequest, input: Omit<ReservationInput, 'sums' | 'asked'>): Outcome<MoneyJson> {
    const { currency } = input.total;
    const row = this.#find(asked.id);
    const decision = classifyEpoch(row, asked.epoch);
    if (decision === 'same' && row !== undefined) return ok({ value: row.amount, currency });
    if (decision === 'late') {
      const detail = 'A later attempt with this key has taken over; ask again';
      return refuse('idempotency_in_progress', { detail, resource: asked.id, retryAfterSeconds: 1 });
    }
    this.#sql.exec('DELETE FROM reservation WHERE id = ?', asked.id);
    const others = this.#list().filter(({ attempt }) => attempt === asked.attempt);
    const allocation = decideReservation({ ...input, sums: sumReservations(others), asked: asked.amount });
    if ('code' in allocation) return refused(allocation);
    const duplicate =
      asked.allowDuplicate === true
        ? undefined
        : duplicateRefusal(others, { amount: allocation.amount, now: Date.now() });
    if (duplicate !== undefined) return refused(duplicate);
    const { id, attempt, epoch } = asked;
    this.#put({ id, attempt, amount: allocation.amount, state: 'held', epoch, reversedAt: null });
    return ok({ value: allocation.amount, currency });
  }

  /**
   * Ends a reservation. A released one stays as a row without an amount, so that a late request of the same attempt gets
   * nothing.
   */
  settle({ id, settlement, epoch }: AllocationSettlement): void {
    const row = this.#find(id);
    const isOfNewer = (row?.epoch ?? 0) > epoch;
    if (isOfNewer || row?.state === 'reversed') return;
    if (settlement === 'reversed') {
      if (row?.state === 'held') this.#put({ ...row, state: 'reversed', reversedAt: Date.now() });
    } else this.#put({ id, attempt: row?.attempt ?? null, amount: 0, state: 'released', epoch, reversedAt: null });
  }

  /** Call it after a read, which makes the table. */
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
