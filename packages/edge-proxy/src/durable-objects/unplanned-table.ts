/** Events whose deliveries are not planned yet, because the property's endpoints were not known when they came. */

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

  /** Hands over all of them, oldest first: whoever takes them plans them in the same transaction. */
  take(): number[] {
    const rows = this.#sql.exec<{ position: number }>('SELECT position FROM unplanned ORDER BY position').toArray();
    if (rows.length > 0) this.#sql.exec('DELETE FROM unplanned');
    return rows.map(({ position }) => position);
  }

  isEmpty(): boolean {
    return this.#sql.exec('SELECT 1 FROM unplanned LIMIT 1').toArray().length === 0;
  }
}
