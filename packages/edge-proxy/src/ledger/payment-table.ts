/**
 * The lists of payments of one ledger, over its sessions, charges and reversals. What was paid is in the table `payment` by when
 * it was paid; what was not is read from the indexes of `resource`, by when it was made.
 */
import type { PaymentStatus, PaymentTotals } from '@innkeep/core/contract';
import { indexOf } from './ledger-tables.ts';
import { DOUBTFUL, GIVEN_BACK, type PaymentEntry, reversalsOf, TAKEN } from './payment-entries.ts';

/** A place in a list; the next page begins below it. */
export interface PaymentPlace {
  readonly at: number;
  readonly id: string;
  readonly attempt: number;
}

/** From when to when, in milliseconds; `to` is not included. */
export interface PaymentRange {
  readonly from: number;
  readonly to: number;
}

/** A reversal, as far as its payment’s line shows it. */
export interface ListedReversal {
  readonly id: string;
  readonly at: number;
  readonly attempt: number;
  /** Null unless it has succeeded. */
  readonly amount: number | null;
  readonly status: string;
}

/** One way to read what somebody typed: a list, or all lists whose names begin with it. */
export interface SearchReading {
  readonly list: string;
  readonly isPrefix: boolean;
}

/** Where lines of a state are read: a list of the table, or a kind and a state of a resource. */
type Source = string | readonly [kind: string, status: string];

const REVERSALS = 'reversal';

const SOURCES: Readonly<Record<PaymentStatus, readonly Source[]>> = {
  open: [['checkout_session', 'open']],
  pending: [
    ['checkout_session', 'pending'],
    ['charge', 'created'],
    ['charge', 'sent'],
    [REVERSALS, 'created'],
    [REVERSALS, 'sent'],
  ],
  succeeded: ['succeeded', GIVEN_BACK],
  partly_reversed: ['partly_reversed'],
  reversed: ['reversed'],
  declined: [
    ['charge', 'declined'],
    [REVERSALS, 'declined'],
  ],
  failed: [
    ['charge', 'failed'],
    [REVERSALS, 'failed'],
  ],
  unknown: [DOUBTFUL, ['checkout_session', 'unknown'], ['charge', 'unknown'], [REVERSALS, 'unknown']],
  expired: [['checkout_session', 'expired']],
};

/** Sessions that were paid, with another attempt that is unknown: few, and in no list of `resource` by their state. */
export const DOUBTFUL_IDS = `(SELECT DISTINCT id FROM payment WHERE list = '${DOUBTFUL}')`;

const NOTHING = { payments: 0, taken: 0, reversals: 0, reversed: 0, net: 0 };

/** Places whose resource is of a mode, which only the resource knows. */
const [OF_REAL_MONEY, OF_TEST_MONEY] = [1, 0].map(
  (live) => `CROSS JOIN resource ON resource.id = payment.id AND body ->> '$.livemode' = ${live}`,
);

const NEWEST_FIRST = 'ORDER BY at DESC, id DESC, attempt DESC LIMIT ?';

export class PaymentTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Puts a version in the place of the one before. Writes only what differs. */
  replace(before: readonly PaymentEntry[], after: readonly PaymentEntry[]): void {
    const [old, next] = [before, after].map((entries) => new Set(entries.map((entry) => JSON.stringify(entry))));
    for (const entry of before) if (next?.has(JSON.stringify(entry)) === false) this.#delete(entry);
    for (const entry of after) if (old?.has(JSON.stringify(entry)) === false) this.#insert(entry);
  }

  /**
   * Places of lines, the newest first. Reads no more rows of each source than it returns.
   * @param withReversals whether reversals can stand alone; those that are unknown always do
   * @param withPayments whether there is anything else
   */
  page(
    { from, to }: PaymentRange,
    {
      status,
      withReversals,
      withPayments,
      cursor,
      limit,
    }: {
      readonly status: PaymentStatus | null;
      readonly withReversals: boolean;
      readonly withPayments: boolean;
      readonly cursor: PaymentPlace | null;
      readonly limit: number;
    },
  ): PaymentPlace[] {
    const below = cursor !== null && cursor.at < to ? cursor : { at: to, id: '', attempt: 0 };
    const sources = status === null ? Object.values(SOURCES).flat() : SOURCES[status];
    return sources
      .filter((source) => (isReversal(source) ? withReversals || isAlone(source) : withPayments))
      .flatMap((source) => this.#read(source, from, { below, limit }))
      .sort((one, other) => (isBelow(one, other) ? 1 : -1))
      .slice(0, limit);
  }

  /** Attempts of sessions that were paid in a range, the oldest first, after a place. Reads the charges between them, too. */
  paidAttempts({ from, to }: PaymentRange, cursor: PaymentPlace | null, limit: number): PaymentPlace[] {
    const after = cursor ?? { at: from, id: '', attempt: 0 };
    const found = TAKEN.flatMap((list) =>
      this.#sql
        .exec<Record<keyof PaymentPlace, SqlStorageValue>>(
          `SELECT id, at, attempt FROM payment
           WHERE list = ? AND at < ? AND (at, id, attempt) > (?, ?, ?) AND id GLOB 'cs_*' ORDER BY at, id, attempt LIMIT ?`,
          list,
          to,
          after.at,
          after.id,
          after.attempt,
          limit,
        )
        .toArray(),
    );
    // The columns have these types.
    const places = found as unknown as PaymentPlace[];
    return places.sort((one, other) => (isBelow(one, other) ? -1 : 1)).slice(0, limit);
  }

  /** Reversals of a payment. */
  reversals(payment: string): ListedReversal[] {
    return this.#sql
      .exec<ListedReversal & Record<string, SqlStorageValue>>(
        `SELECT payment.id, payment.at, payment.attempt, payment.amount, resource.status
         FROM payment CROSS JOIN resource ON resource.id = payment.id WHERE payment.list = ?`,
        reversalsOf(payment),
      )
      .toArray();
  }

  /**
   * What was taken and refunded in a range, by currency. Reads every place in it, and of a mode the resource of each.
   * @param livemode which money counts; undefined: any
   */
  totals({ from, to }: PaymentRange, livemode: boolean | undefined): PaymentTotals[] {
    const source = livemode === undefined ? 'payment' : `payment ${livemode ? OF_REAL_MONEY : OF_TEST_MONEY}`;
    const totals = new Map<string, PaymentTotals>();
    for (const list of [...TAKEN, GIVEN_BACK]) {
      const sums = this.#sql
        .exec<{ currency: string; count: number; sum: number }>(
          `SELECT currency, count(*) AS count, sum(amount) AS sum FROM ${source}
           WHERE list = ? AND at >= ? AND at < ? AND amount IS NOT NULL GROUP BY currency`,
          list,
          from,
          to,
        )
        .toArray();
      for (const { currency, count, sum } of sums) {
        const before = totals.get(currency) ?? { ...NOTHING, currency };
        totals.set(currency, list === GIVEN_BACK ? givenBack(before, count, sum) : taken(before, count, sum));
      }
    }
    return [...totals.values()].sort((one, other) => (one.currency < other.currency ? -1 : 1));
  }

  /** Ids of payments, those that fit best first: each way to read what was typed has its turn. Reads no more of each than it returns. */
  search(readings: readonly SearchReading[], limit: number): string[] {
    const found = readings.map((reading) => this.#find(reading, limit));
    const inTurn = Array.from({ length: limit }, (_, nth) => found.flatMap((ids) => ids[nth] ?? [])).flat();
    return [...new Set(inTurn)].slice(0, limit);
  }

  #find({ list, isPrefix }: SearchReading, limit: number): string[] {
    const rows = isPrefix
      ? this.#sql.exec<{ id: string }>(
          'SELECT id FROM payment WHERE list > ? AND list < ? ORDER BY list, at, id LIMIT ?',
          list,
          `${list}\u{10FFFF}`,
          limit,
        )
      : this.#sql.exec<{ id: string }>(
          'SELECT id FROM payment WHERE list = ? ORDER BY at DESC, id DESC LIMIT ?',
          list,
          limit,
        );
    return rows.toArray().map(({ id }) => id);
  }

  #read(
    source: Source,
    from: number,
    { below, limit }: { readonly below: PaymentPlace; readonly limit: number },
  ): PaymentPlace[] {
    const { at, id, attempt } = below;
    const rows =
      typeof source === 'string'
        ? this.#sql.exec<Record<keyof PaymentPlace, SqlStorageValue>>(
            `SELECT id, at, attempt FROM payment
             WHERE list = ? AND at >= ? AND (at, id, attempt) < (?, ?, ?) ${NEWEST_FIRST}`,
            source,
            from,
            at,
            id,
            attempt,
            limit,
          )
        : this.#sql.exec<Record<keyof PaymentPlace, SqlStorageValue>>(
            `SELECT id, created_at AS at, 0 AS attempt FROM resource INDEXED BY ${indexOf(['status'], 'created_at')}
             WHERE kind = ? AND status = ? AND created_at >= ? AND (created_at, id) < (?, ?)
             ORDER BY created_at DESC, id DESC LIMIT ?`,
            ...source,
            from,
            at,
            id,
            limit,
          );
    // The columns have these types.
    return rows.toArray() as unknown as PaymentPlace[];
  }

  #insert({ list, at, id, attempt, money }: PaymentEntry): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO payment (list, at, id, attempt, currency, amount) VALUES (?, ?, ?, ?, ?, ?)',
      list,
      at,
      id,
      attempt,
      money?.currency ?? null,
      money?.value ?? null,
    );
  }

  #delete({ list, at, id, attempt }: PaymentEntry): void {
    this.#sql.exec('DELETE FROM payment WHERE list = ? AND at = ? AND id = ? AND attempt = ?', list, at, id, attempt);
  }
}

function isReversal(source: Source): boolean {
  return source === GIVEN_BACK || source[0] === REVERSALS;
}

/** Whether a reversal has a line beside that of its payment. */
function isAlone([, status]: Source): boolean {
  return status === 'unknown';
}

function isBelow(one: PaymentPlace, other: PaymentPlace): boolean {
  if (one.at !== other.at) return one.at < other.at;
  return one.id === other.id ? one.attempt < other.attempt : one.id < other.id;
}

function taken(totals: PaymentTotals, count: number, sum: number): PaymentTotals {
  return { ...totals, payments: totals.payments + count, taken: totals.taken + sum, net: totals.net + sum };
}

function givenBack(totals: PaymentTotals, count: number, sum: number): PaymentTotals {
  return { ...totals, reversals: totals.reversals + count, reversed: totals.reversed + sum, net: totals.net - sum };
}
