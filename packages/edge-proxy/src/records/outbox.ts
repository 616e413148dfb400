/** Updates on their way to the ledger, kept until it has them. Writes join the caller's commit as long as nothing is awaited. */

import type { DueTable } from '../objects/due-table.ts';
import type { LedgerUpdate } from './ledger-update.ts';

/** The ledger of a property, as whoever tells it something calls it. */
export interface LedgerInbox {
  append(property: string, updates: readonly LedgerUpdate[]): Promise<void>;
}

/** The `outbox` table of one object, and its entry in the due table. */
export class Outbox {
  readonly #sql: SqlStorage;
  readonly #due: DueTable;
  /** What is in the table, in order, once it was read. */
  #known: LedgerUpdate[] | undefined;

  constructor(sql: SqlStorage, due: DueTable) {
    this.#sql = sql;
    this.#due = due;
  }

  static readonly SCHEMA: string = 'CREATE TABLE IF NOT EXISTS outbox (seq INTEGER PRIMARY KEY, body TEXT NOT NULL);';

  /** Adds an update, to be sent as soon as possible. */
  add(update: LedgerUpdate): void {
    this.#sql.exec('INSERT INTO outbox (seq, body) VALUES (?, ?)', update.resource.seq, JSON.stringify(update));
    this.#known?.push(update);
    this.#due.setEarlier('outbox', Date.now());
  }

  /** Sends all updates. Throws when the ledger does not answer, and then keeps them. */
  async send(ledger: LedgerInbox, property: string): Promise<void> {
    const updates = [...this.#waiting()];
    const { seq } = updates.at(-1)?.resource ?? {};
    if (seq !== undefined) {
      await ledger.append(property, updates);
      this.#sql.exec('DELETE FROM outbox WHERE seq <= ?', seq);
      this.#known = this.#waiting().filter(({ resource }) => resource.seq > seq);
    }
    // A transition may have added a row meanwhile.
    if (this.#waiting().length === 0) this.#due.clear('outbox');
    else this.#due.set('outbox', Date.now());
  }

  /** What a failed transaction undid is not remembered. */
  forget(): void {
    this.#known = undefined;
  }

  #waiting(): LedgerUpdate[] {
    this.#known ??= this.#sql
      .exec<{ body: string }>('SELECT body FROM outbox ORDER BY seq')
      .toArray()
      .map(({ body }) => JSON.parse(body) as LedgerUpdate); // Written by `add` alone.
    return this.#known;
  }
}
