/** Events that have no deliveries yet. They wait here while the property's endpoints are not known. */

const BATCH = 500;

export class UnscheduledTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Adds an event by its position in the feed. */
  add(position: number): void {
    this.#sql.exec('INSERT OR IGNORE INTO unplanned (position) VALUES (?)', position);
  }

  /** Takes the oldest out. Plan their deliveries in the same transaction. */
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
