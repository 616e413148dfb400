/** Charges that are not decided yet, so that the same charge under another key is noticed before it is sent. */

/** The `intent` table of a ledger; made when the first charge comes. */
export class IntentTable {
  readonly #sql: SqlStorage;
  #isPrepared = false;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Announces a charge. Answers with the ids of those with the same meaning that were announced before it. */
  claim(id: string, meaning: string, now: number): string[] {
    this.drop(id);
    const earlier = this.#sql
      .exec<{ id: string }>('SELECT id FROM intent WHERE meaning = ? ORDER BY at, id', meaning)
      .toArray();
    this.#sql.exec('INSERT INTO intent (id, meaning, at) VALUES (?, ?, ?)', id, meaning, now);
    return earlier.map((row) => row.id);
  }

  /** Forgets a charge that is decided, or was never made. */
  drop(id: string): void {
    this.#prepare();
    this.#sql.exec('DELETE FROM intent WHERE id = ?', id);
  }

  /** Forgets charges that are themselves forgotten by now. */
  forget(before: number): void {
    this.#prepare();
    this.#sql.exec('DELETE FROM intent WHERE at < ?', before);
  }

  #prepare(): void {
    if (this.#isPrepared) return;
    // No index: only what is undecided is in here, a handful.
    this.#sql.exec(
      'CREATE TABLE IF NOT EXISTS intent (id TEXT PRIMARY KEY, meaning TEXT NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID',
    );
    this.#isPrepared = true;
  }
}
