/** What the objects with one record have in common: the record, its ledger updates, what is due, the shares of its reversals. */
import { isEqualConstantTime } from '../http/hash.ts';
import { versionEventId } from '../http/ids.ts';
import { type Outcome, ok, type Refusal, refuse } from '../http/problem.ts';
import { DueTable } from '../objects/due-table.ts';
import type { LedgerUpdate } from './ledger-update.ts';
import { type LedgerInbox, Outbox } from './outbox.ts';
import { ReservationTable } from './reservation-table.ts';

export interface StoredRecord {
  readonly id: string;
  readonly property: string;
  readonly seq: number;
  readonly state: string;
  readonly createdAt: number;
}

interface RecordKind<Stored> {
  readonly table: string;
  /** What the record is called in a refusal. */
  readonly noun: string;
  readonly toEntry: (record: Stored) => Omit<LedgerUpdate, 'eventId' | 'at'>;
}

/** Typed access to the one row of a table `(id, seq, state, fingerprint, record)` and to the tables beside it. */
export class RecordStorage<Stored extends StoredRecord> {
  due: DueTable;
  outbox: Outbox;
  readonly reservations: ReservationTable;
  protected readonly storage: DurableObjectStorage;
  readonly #kind: RecordKind<Stored>;
  #hasTables = false;
  #record: Stored | undefined;
  #fingerprint = '';

  constructor(storage: DurableObjectStorage, kind: RecordKind<Stored>) {
    this.storage = storage;
    this.#kind = kind;
    this.due = new DueTable(storage);
    this.outbox = new Outbox(storage.sql, this.due);
    this.reservations = new ReservationTable(storage.sql);
  }

  /** Whether anything was ever stored here. Reading must not create tables. */
  exists(): boolean {
    this.#hasTables ||=
      this.storage.sql.exec('SELECT 1 FROM sqlite_master WHERE name = ?', this.#kind.table).toArray().length > 0;
    return this.#hasTables;
  }

  /** The record; undefined when there is none in this object. Whatever is asked of the object reads it, so it follows the clock here. */
  load(): Stored | undefined {
    const record = this.#read();
    if (record !== undefined) this.due.followClock();
    return record;
  }

  #read(): Stored | undefined {
    if (this.#record !== undefined || !this.exists()) return this.#record;
    const [row] = this.storage.sql
      .exec<{ record: string; fingerprint: string }>(`SELECT record, fingerprint FROM ${this.#kind.table}`)
      .toArray();
    if (row === undefined) return undefined;
    // Written by this class alone.
    this.#record = JSON.parse(row.record) as Stored;
    this.#fingerprint = row.fingerprint;
    return this.#record;
  }

  ofProperty(property: string): Outcome<Stored> {
    const record = this.load();
    return record?.property === property ? ok(record) : this.notFound();
  }

  notFound(): Refusal {
    return refuse('not_found', { detail: `There is no ${this.#kind.noun} with this id` });
  }

  /** Refuses any request but the one that made the record. */
  refuseOther(record: Stored, fingerprint: string): Refusal | undefined {
    return isEqualConstantTime(this.#fingerprint, fingerprint) ? undefined : keyMismatch(record.id);
  }

  /** The ledger update for a version. Others run while its id is hashed. */
  async update(record: Stored, at: number): Promise<LedgerUpdate> {
    const entry = this.#kind.toEntry(record);
    // Lists need no id of an event.
    return { ...entry, eventId: entry.type === null ? '' : await versionEventId(record), at };
  }

  /**
   * Changes the record, in one commit with its ledger update and what is due next.
   * @returns the new record; undefined when `change` made none, and then nothing happened
   */
  async commit(
    change: (record: Stored, now: number) => Stored | undefined,
    plan: (next: Stored, now: number) => void,
  ): Promise<Stored | undefined> {
    const record = this.load();
    if (record === undefined) return undefined;
    const now = Date.now();
    const next = change(record, now);
    if (next === undefined) return undefined;
    const update = await this.update(next, now);
    // Hashing let others run. If they changed the record, this change is judged again: also what makes no new version is kept.
    if (this.load() !== record) return this.commit(change, plan);
    this.transaction(() => {
      this.save(record.seq, next);
      this.outbox.add(update);
      plan(next, now);
      this.due.arm();
    });
    return next;
  }

  /** Saves a version that lists show and the feed does not. Call it in a transaction. */
  saveForLists(previousSeq: number, next: Stored): void {
    this.save(previousSeq, next);
    this.outbox.add({ ...this.#kind.toEntry(next), eventId: '', type: null, at: Date.now() });
    this.due.arm();
  }

  /** Sends the updates to the ledger. Throws when it does not answer, and then keeps them. */
  async sendUpdates(ledgerOf: (property: string) => LedgerInbox): Promise<void> {
    const record = this.load();
    if (record !== undefined) await this.outbox.send(ledgerOf(record.property), record.property);
  }

  /** Replaces the record. Throws when it has changed since it was read. */
  save(previousSeq: number, next: Stored): void {
    const cursor = this.storage.sql.exec(
      `UPDATE ${this.#kind.table} SET seq = ?, state = ?, record = ? WHERE seq = ?`,
      next.seq,
      next.state,
      JSON.stringify(next),
      previousSeq,
    );
    if (cursor.rowsWritten === 0) throw new Error(`${next.id} moved on from version ${previousSeq}`);
    this.#record = next;
  }

  /** All or nothing. A failure also clears the cache. */
  transaction<Result>(change: () => Result): Result {
    try {
      return this.due.transaction(change);
    } catch (error) {
      this.forget();
      throw error;
    }
  }

  async erase(): Promise<void> {
    this.forget();
    // The old ones remember rows, and an alarm, that no longer exist.
    this.due = new DueTable(this.storage);
    this.outbox = new Outbox(this.storage.sql, this.due);
    await this.storage.deleteAlarm();
    await this.storage.deleteAll();
  }

  protected insert(record: Stored, fingerprint: string): void {
    this.storage.sql.exec(
      `INSERT INTO ${this.#kind.table} (id, seq, state, fingerprint, record) VALUES (?, ?, ?, ?, ?)`,
      record.id,
      record.seq,
      record.state,
      fingerprint,
      JSON.stringify(record),
    );
    this.#record = record;
    this.#fingerprint = fingerprint;
  }

  /** What a failed transaction undid is not remembered. */
  protected forget(): void {
    this.#record = undefined;
    this.#hasTables = false;
    this.outbox.forget();
  }
}

/** The answer to a key that another request has used. */
export function keyMismatch(resource: string): Refusal {
  const detail = 'This key was used with another body: use a new key, or send the same body';
  return refuse('idempotency_mismatch', { detail, param: 'Idempotency-Key', resource });
}
