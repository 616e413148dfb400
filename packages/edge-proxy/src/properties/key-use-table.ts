/** When each key was last used, to the hour. */
import { hasTable, makeTables } from '../objects/schema-version.ts';

export class KeyUseTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /**
   * Remembers a use. `at`: the beginning of the hour, in milliseconds.
   * @returns whether anything was written: not of an hour that is known already
   */
  note(sha256: string, at: number): boolean {
    makeTables(
      this.#sql,
      'CREATE TABLE IF NOT EXISTS key_use (sha256 TEXT PRIMARY KEY, used_at INTEGER NOT NULL) WITHOUT ROWID',
    );
    const { rowsWritten } = this.#sql.exec(
      'INSERT INTO key_use (sha256, used_at) VALUES (?, ?) ON CONFLICT (sha256) DO UPDATE SET used_at = excluded.used_at WHERE used_at < excluded.used_at',
      sha256,
      at,
    );
    return rowsWritten > 0;
  }

  /** The last hour of each key, by its hash. Reading must not create the table. */
  all(): Record<string, number> {
    if (!hasTable(this.#sql, 'key_use')) return {};
    const rows = this.#sql.exec<{ sha256: string; usedAt: number }>('SELECT sha256, used_at AS usedAt FROM key_use');
    return Object.fromEntries([...rows].map(({ sha256, usedAt }) => [sha256, usedAt]));
  }
}
