/** The SQLite tables of one charge or reversal. Every row is described in STORAGE.md. */
import { DueTable } from './due-table.ts';
import type { MoneyRecord } from './money-record.ts';
import { Outbox } from './outbox.ts';
import { ReservationTable } from './reservation-table.ts';

/** A payment that was asked for a share while the reversal itself was not yet written down. */
export interface Claim {
  /** Id of the reversal. */
  readonly id: string;
  /** Id of the payment. */
  readonly payment: string;
  readonly property: string;
}

/** Typed access to the tables. Tables exist once something was stored: an unknown id leaves nothing behind. */
export class MoneyStorage {
  due: DueTable;
  outbox: Outbox;
  readonly reservations: ReservationTable;
  readonly #storage: DurableObjectStorage;
  #hasTables = false;
  #record: MoneyRecord | undefined;
  #fingerprint = '';

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.due = new DueTable(storage);
    this.outbox = new Outbox(storage.sql, this.due);
    this.reservations = new ReservationTable(storage.sql);
  }

  /** The operation; undefined when there is none in this object. */
  load(): MoneyRecord | undefined {
    if (this.#record !== undefined || !this.exists()) return this.#record;
    const [row] = this.#storage.sql
      .exec<{ record: string; fingerprint: string }>('SELECT record, fingerprint FROM operation')
      .toArray();
    if (row === undefined) return undefined;
    // Written by this class and nobody else.
    this.#record = JSON.parse(row.record) as MoneyRecord;
    this.#fingerprint = row.fingerprint;
    return this.#record;
  }

  /** Fingerprint of the request that made the operation. */
  get fingerprint(): string {
    return this.#fingerprint;
  }

  /** Whether anything was ever stored here. */
  exists(): boolean {
    this.#hasTables ||=
      this.#storage.sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'operation'").toArray().length > 0;
    return this.#hasTables;
  }

  /** Makes the tables. */
  prepare(): void {
    if (this.exists()) return;
    this.#storage.sql.exec(
      `CREATE TABLE operation (id TEXT PRIMARY KEY, seq INTEGER NOT NULL, state TEXT NOT NULL, fingerprint TEXT NOT NULL, record TEXT NOT NULL) WITHOUT ROWID;
       CREATE TABLE claim (id TEXT PRIMARY KEY, payment TEXT NOT NULL, property TEXT NOT NULL) WITHOUT ROWID;
       ${Outbox.SCHEMA}
       ${DueTable.SCHEMA}`,
    );
    this.#hasTables = true;
  }

  /** Writes the operation down for the first time. */
  create(record: MoneyRecord, fingerprint: string): void {
    this.#storage.sql.exec(
      'INSERT INTO operation (id, seq, state, fingerprint, record) VALUES (?, ?, ?, ?, ?)',
      record.id,
      record.seq,
      record.state,
      fingerprint,
      JSON.stringify(record),
    );
    this.#record = record;
    this.#fingerprint = fingerprint;
  }

  /** Replaces the record; throws when it is no longer the one the change was based on. */
  save(previousSeq: number, next: MoneyRecord): void {
    const cursor = this.#storage.sql.exec(
      'UPDATE operation SET seq = ?, state = ?, record = ? WHERE seq = ?',
      next.seq,
      next.state,
      JSON.stringify(next),
      previousSeq,
    );
    if (cursor.rowsWritten === 0) throw new Error(`operation moved on from version ${previousSeq}`);
    this.#record = next;
  }

  addClaim(claim: Claim): void {
    this.#storage.sql.exec(
      'INSERT OR REPLACE INTO claim (id, payment, property) VALUES (?, ?, ?)',
      claim.id,
      claim.payment,
      claim.property,
    );
  }

  findClaim(): Claim | undefined {
    return this.#storage.sql
      .exec<{ id: string; payment: string; property: string }>('SELECT id, payment, property FROM claim')
      .toArray()[0];
  }

  clearClaim(): void {
    this.#storage.sql.exec('DELETE FROM claim');
  }

  /** All or nothing; a record cached by a failed attempt is forgotten. */
  transaction(change: () => void): void {
    try {
      this.#storage.transactionSync(change);
    } catch (error) {
      this.#record = undefined;
      this.#hasTables = false;
      throw error;
    }
  }

  /** Returns once everything written so far is on disk. */
  sync(): Promise<void> {
    return this.#storage.sync();
  }

  /** Forgets everything. */
  async erase(): Promise<void> {
    this.#record = undefined;
    this.#hasTables = false;
    // The old one remembers an alarm that is about to be gone.
    this.due = new DueTable(this.#storage);
    this.outbox = new Outbox(this.#storage.sql, this.due);
    await this.#storage.deleteAlarm();
    await this.#storage.deleteAll();
  }
}
