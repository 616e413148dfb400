/** What keys and persons with a limit refund in a day. Each reversal has its amount counted before it is sent. */
import type { MoneyJson } from '@innkeep/core/contract';
import { Money } from '@innkeep/core/values';
import { type Outcome, ok, type Refusal, refuse } from '../http/problem.ts';

/** A reversal that wants to count. */
export interface LimitClaim {
  readonly id: string;
  readonly key: string;
  /** Who refunds it by a desk session with a limit; null: no such session does. */
  readonly person: string | null;
  /** Of the hotel, `YYYY-MM-DD`; in test mode `test YYYY-MM-DD`. */
  readonly day: string;
  readonly amount: MoneyJson;
  /** Which of the reversal's attempts asks: a later one takes the place of an earlier one, which then comes too late. */
  readonly epoch: number;
  /** Largest amounts of the day, by currency, of all reversals of the key; undefined: it has no limit. */
  readonly limit?: AmountLimits | undefined;
  /** The same of all reversals of the person by desk sessions that have one. */
  readonly personLimit?: AmountLimits | undefined;
}

type AmountLimits = Readonly<Record<string, number>>;

/** Whose reversals are counted together: what a refusal calls them, and how they are compared. `Anna` is `anna`, as in `isSameAuthor`. */
const COUNTED = { key: ['This key', ''], person: ['This person', 'COLLATE NOCASE'] } as const;

/** How long a row is kept: longer than any day lasts, and than a message can be on its way. */
const KEPT_MS: number = 3 * 24 * 60 * 60_000;

export class ReversalLimitTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Counts a reversal, once however often it asks. Refused when the day would exceed a limit. */
  claim(claim: LimitClaim): Outcome<null> {
    const { id, key, person, day, amount, epoch, limit, personLimit } = claim;
    const { value, currency } = amount;
    const [own] = this.#sql
      .exec<{ epoch: number; amount: number }>('SELECT epoch, amount FROM reversal_limit WHERE id = ?', id)
      .toArray();
    if (own !== undefined && (own.epoch > epoch || (own.epoch === epoch && own.amount === 0))) {
      const detail = 'A later attempt with this key has taken over; ask again';
      return refuse('idempotency_in_progress', { detail, resource: id, retryAfterSeconds: 1 });
    }
    const refusal = this.#refuse('key', limit, claim) ?? this.#refuse('person', personLimit, claim);
    if (refusal !== undefined) return refusal;
    this.#put({ id, key, person, day, currency, value, epoch });
    return ok(null);
  }

  /** Why a limit does not let a reversal through. */
  #refuse(
    whose: keyof typeof COUNTED,
    limit: AmountLimits | undefined,
    { id, day, amount: { value, currency }, ...counted }: LimitClaim,
  ): Refusal | undefined {
    if (limit === undefined) return undefined;
    const [name, collation] = COUNTED[whose];
    const { sum } = this.#sql
      .exec<{ sum: number }>(
        `SELECT coalesce(sum(amount), 0) AS sum FROM reversal_limit WHERE day = ? AND ${whose} = ? ${collation} AND currency = ? AND id <> ?`,
        day,
        counted[whose],
        currency,
        id,
      )
      .one();
    const left = (limit[currency] ?? 0) - sum;
    if (value <= left) return undefined;
    const shown = Money.fromJSON({ value: Math.max(0, left), currency }).toDecimal();
    const detail = `${name} may refund ${shown} ${currency} more today`;
    return refuse('limit_reached', { detail, param: 'amount' });
  }

  /** Stops counting a reversal that has certainly refunded nothing. An attempt of it that comes later is too late. */
  release(id: string, epoch: number): void {
    const [own] = this.#sql.exec<{ epoch: number }>('SELECT epoch FROM reversal_limit WHERE id = ?', id).toArray();
    if (own === undefined || own.epoch <= epoch) {
      this.#put({ id, key: '', person: null, day: '', currency: '', value: 0, epoch });
    }
  }

  forget(now: number): void {
    this.#sql.exec('DELETE FROM reversal_limit WHERE at < ?', now - KEPT_MS);
  }

  #put(row: Readonly<Pick<LimitClaim, 'id' | 'key' | 'person' | 'day' | 'epoch'> & MoneyJson>): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO reversal_limit (id, key, person, day, currency, amount, epoch, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      row.id,
      row.key,
      row.person,
      row.day,
      row.currency,
      row.value,
      row.epoch,
      Date.now(),
    );
  }
}
