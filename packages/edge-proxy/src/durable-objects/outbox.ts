/** News that the ledger must hear, kept until it has. Writes join the caller's commit as long as nothing is awaited. */
import type { LedgerUpdate } from './ledger-object.ts';

/** The `outbox` table of one object. */
export class Outbox {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Statement that creates the table. */
  static readonly SCHEMA: string = 'CREATE TABLE IF NOT EXISTS outbox (seq INTEGER PRIMARY KEY, body TEXT NOT NULL);';

  /** Adds the news of one version. */
  add(update: LedgerUpdate): void {
    this.#sql.exec('INSERT INTO outbox (seq, body) VALUES (?, ?)', update.resource.seq, JSON.stringify(update));
  }

  /** Oldest first. */
  list(): LedgerUpdate[] {
    return this.#sql
      .exec<{ body: string }>('SELECT body FROM outbox ORDER BY seq')
      .toArray()
      .map(({ body }) => JSON.parse(body) as LedgerUpdate); // Written by `add` and nobody else.
  }

  /** Forgets what the ledger has taken over. */
  clear(upToSeq: number): void {
    this.#sql.exec('DELETE FROM outbox WHERE seq <= ?', upToSeq);
  }

  isEmpty(): boolean {
    return this.#sql.exec('SELECT 1 FROM outbox LIMIT 1').toArray().length === 0;
  }
}
