/** What the objects with one record share: the record itself, its news, its due things, its reversals' shares. */
import { DueTable } from './due-table.ts';
import { Outbox } from './outbox.ts';
import { ReservationTable } from './reservation-table.ts';

/** What every record has. */
export interface StoredRecord {
  readonly id: string;
  readonly seq: number;
  readonly state: string;
}

/** Typed access to the one row of a table `(id, seq, state, fingerprint, record)` and to what lies beside it. */
export class RecordStorage<Stored extends StoredRecord> {
  due: DueTable;
  outbox: Outbox;
  readonly reservations: ReservationTable;
  protected readonly storage: DurableObjectStorage;
  readonly #table: string;
  #hasTables = false;
  #record: Stored | undefined;
  #fingerprint = '';

  constructor(storage: DurableObjectStorage, table: string) {
    this.storage = storage;
    this.#table = table;
    this.due = new DueTable(storage);
    this.outbox = new Outbox(storage.sql, this.due);
    this.reservations = new ReservationTable(storage.sql);
  }

  /** Whether anything was ever stored here: reading must not leave anything behind. */
  exists(): boolean {
    this.#hasTables ||=
      this.storage.sql.exec('SELECT 1 FROM sqlite_master WHERE name = ?', this.#table).toArray().length > 0;
    return this.#hasTables;
  }

  /** The record; undefined when there is none in this object. */
  load(): Stored | undefined {
    if (this.#record !== undefined || !this.exists()) return this.#record;
    const [row] = this.storage.sql
      .exec<{ record: string; fingerprint: string }>(`SELECT record, fingerprint FROM ${this.#table}`)
      .toArray();
    if (row === undefined) return undefined;
    // Written by this class and nobody else.
    this.#record = JSON.parse(row.record) as Stored;
    this.#fingerprint = row.fingerprint;
    return this.#record;
  }

  /** Fingerprint of the request that made the record. */
  get fingerprint(): string {
    return this.#fingerprint;
  }

  /** Replaces the record; throws when it is no longer the one the change was based on. */
  save(previousSeq: number, next: Stored): void {
    const cursor = this.storage.sql.exec(
      `UPDATE ${this.#table} SET seq = ?, state = ?, record = ? WHERE seq = ?`,
      next.seq,
      next.state,
      JSON.stringify(next),
      previousSeq,
    );
    if (cursor.rowsWritten === 0) throw new Error(`${next.id} moved on from version ${previousSeq}`);
    this.#record = next;
  }

  /** All or nothing; what a failed attempt cached is forgotten. */
  transaction(change: () => void): void {
    try {
      this.storage.transactionSync(change);
    } catch (error) {
      this.#forget();
      throw error;
    }
  }

  /** Forgets everything. */
  async erase(): Promise<void> {
    this.#forget();
    // The old one remembers an alarm that is about to be gone.
    this.due = new DueTable(this.storage);
    this.outbox = new Outbox(this.storage.sql, this.due);
    await this.storage.deleteAlarm();
    await this.storage.deleteAll();
  }

  /** Writes the record down for the first time, into a table that is there. */
  protected insert(record: Stored, fingerprint: string): void {
    this.storage.sql.exec(
      `INSERT INTO ${this.#table} (id, seq, state, fingerprint, record) VALUES (?, ?, ?, ?, ?)`,
      record.id,
      record.seq,
      record.state,
      fingerprint,
      JSON.stringify(record),
    );
    this.#record = record;
    this.#fingerprint = fingerprint;
  }

  #forget(): void {
    this.#record = undefined;
    this.#hasTables = false;
  }
}
