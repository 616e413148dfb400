/** Events whose deliveries are not planned yet, because the property's endpoints were not known when they came. */

/** The `unplanned` table of a ledger; made when the first event comes. */
export class UnplannedTable {
  readonly #sql: SqlStorage;
  #isPrepared = false;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Remembers an event by its position in the feed. */
  add(position: number): void {
    this.#prepare();
    this.#sql.exec('INSERT OR IGNORE INTO unplanned (position) VALUES (?)', position);
  }

  /** Hands over all of them, oldest first: whoever takes them plans them in the same transaction. */
  take(): number[] {
    this.#prepare();
    const rows = this.#sql.exec<{ position: number }>('SELECT position FROM unplanned ORDER BY position').toArray();
    if (rows.length > 0) this.#sql.exec('DELETE FROM unplanned');
    return rows.map(({ position }) => position);
  }

  isEmpty(): boolean {
    this.#prepare();
    return this.#sql.exec('SELECT 1 FROM unplanned LIMIT 1').toArray().length === 0;
  }

  /** Drops those whose event is forgotten by now. */
  forget(): void {
    this.#prepare();
    this.#sql.exec('DELETE FROM unplanned WHERE position NOT IN (SELECT position FROM event)');
  }

  #prepare(): void {
    if (this.#isPrepared) return;
    this.#sql.exec('CREATE TABLE IF NOT EXISTS unplanned (position INTEGER PRIMARY KEY)');
    this.#isPrepared = true;
  }
}
