/** Announced charges, so that an identical one under another key is noticed before it is sent. */
import { makeTables } from '../objects/schema-version.ts';

/** The `intent` table of a ledger; made when the first charge comes. */
export class IntentTable {
  readonly #sql: SqlStorage;
  #isPrepared = false;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  claim(id: string, meaning: string, now: number): string[] {
    this.drop(id);
    const earlier = this.#sql
      .exec<{ id: string }>('SELECT id FROM intent WHERE meaning = ? ORDER BY at, id', meaning)
      .toArray();
    this.#sql.exec('INSERT INTO intent (id, meaning, at) VALUES (?, ?, ?)', id, meaning, now);
    return earlier.map((row) => row.id);
  }

  /** Deletes the announcement of a charge that no longer blocks another one, or was never made. */
  drop(id: string): void {
    this.#prepare();
    this.#sql.exec('DELETE FROM intent WHERE id = ?', id);
  }

  /** Keeps the announcement of a charge that has succeeded until then. */
  keep(id: string, until: number): void {
    this.#prepare();
    this.#sql.exec('UPDATE intent SET kept_until = ? WHERE id = ?', until, id);
  }

  /** Deletes what was kept long enough, and charges that are themselves deleted by now. */
  forget({ now, pendingBefore }: { readonly now: number; readonly pendingBefore: number }): void {
    this.#prepare();
    this.#sql.exec('DELETE FROM intent WHERE kept_until <= ? OR at < ?', now, pendingBefore);
  }

  #prepare(): void {
    if (this.#isPrepared) return;
    makeTables(
      this.#sql,
      'CREATE TABLE IF NOT EXISTS intent (id TEXT PRIMARY KEY, meaning TEXT NOT NULL, at INTEGER NOT NULL, kept_until INTEGER) WITHOUT ROWID',
    );
    this.#sql.exec('CREATE INDEX IF NOT EXISTS intent_by_meaning ON intent (meaning, at, id)');
    this.#isPrepared = true;
  }
}
