/** Events whose deliveries are not planned yet, because the property's endpoints were not known when they came. */

const BATCH = 500;

/** The `unplanned` table of a ledger. */
export class UnplannedTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Remembers an event by its position in the feed. */
  add(position: number): void {
    this.#sql.exec('INSERT OR IGNORE INTO unplanned (position) VALUES (?)', position);
  }

  /** Hands over the oldest: whoever takes them plans them in the same transaction. */
  take(): number[] {
    return this.#sql
      .exec<{ position: number }>(
        `DELETE FROM unplanned WHERE position IN (SELECT position FROM unplanned ORDER BY position LIMIT ${BATCH}) RETURNING position`,
      )
      .toArray()
      .map(({ position }) => position)
      .sort((a, b) => a - b);
  }

  isEmpty(): boolean {
    return this.#sql.exec('SELECT 1 FROM unplanned LIMIT 1').toArray().length === 0;
  }
}
