/** The SQLite tables of one checkout session. Every row is described in STORAGE.md. */
import { DueTable } from './due-table.ts';
import { Outbox } from './outbox.ts';
import { ReservationTable } from './reservation-table.ts';
import type { SessionRecord } from './session-record.ts';

/** A payment link's row. */
export interface LinkRow {
  readonly hash: string;
  /** The session the link led to when it was last used. */
  readonly current: string;
}

const MAX_CLIENT_SECRETS = 5;

/** Typed access to the tables. Tables exist once a session was created: an unknown id leaves nothing behind. */
export class SessionStorage {
  readonly due: DueTable;
  readonly outbox: Outbox;
  readonly reservations: ReservationTable;
  readonly #storage: DurableObjectStorage;
  #record: SessionRecord | undefined;
  #fingerprint = '';

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.due = new DueTable(storage);
    this.outbox = new Outbox(storage.sql, this.due);
    this.reservations = new ReservationTable(storage.sql);
  }

  /** The session; undefined when there is none in this object. */
  load(): SessionRecord | undefined {
    if (this.#record !== undefined) return this.#record;
    const tables = this.#storage.sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'session'").toArray();
    if (tables.length === 0) return undefined;
    const [row] = this.#storage.sql
      .exec<{ record: string; fingerprint: string }>('SELECT record, fingerprint FROM session')
      .toArray();
    if (row === undefined) return undefined;
    // Written by this class and nobody else.
    this.#record = JSON.parse(row.record) as SessionRecord;
    this.#fingerprint = row.fingerprint;
    return this.#record;
  }

  /** Fingerprint of the request that made the session. */
  get fingerprint(): string {
    return this.#fingerprint;
  }

  /** Creates tables and record. Part of the caller's turn: nothing is awaited. */
  create(record: SessionRecord, fingerprint: string): void {
    this.#storage.sql.exec(
      `CREATE TABLE session (id TEXT PRIMARY KEY, seq INTEGER NOT NULL, state TEXT NOT NULL, fingerprint TEXT NOT NULL, record TEXT NOT NULL) WITHOUT ROWID;
       CREATE TABLE client_secret (hash TEXT PRIMARY KEY, created_at INTEGER NOT NULL, position INTEGER NOT NULL) WITHOUT ROWID;
       CREATE TABLE link (hash TEXT PRIMARY KEY, current TEXT NOT NULL) WITHOUT ROWID;
       ${Outbox.SCHEMA}
       ${DueTable.SCHEMA}`,
    );
    this.#storage.sql.exec(
      'INSERT INTO session (id, seq, state, fingerprint, record) VALUES (?, ?, ?, ?, ?)',
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
  save(previousSeq: number, next: SessionRecord): void {
    const cursor = this.#storage.sql.exec(
      'UPDATE session SET seq = ?, state = ?, record = ? WHERE seq = ?',
      next.seq,
      next.state,
      JSON.stringify(next),
      previousSeq,
    );
    if (cursor.rowsWritten === 0) throw new Error(`session moved on from version ${previousSeq}`);
    this.#record = next;
  }

  /** All or nothing; a record cached by a failed attempt is forgotten. */
  transaction(change: () => void): void {
    try {
      this.#storage.transactionSync(change);
    } catch (error) {
      this.#record = undefined;
      throw error;
    }
  }

  /** Adds a client secret; of more than five the oldest goes. */
  addClientSecret(hash: string, now: number): void {
    this.#storage.sql.exec(
      'INSERT INTO client_secret (hash, created_at, position) SELECT ?, ?, coalesce(max(position), 0) + 1 FROM client_secret',
      hash,
      now,
    );
    this.#storage.sql.exec(
      'DELETE FROM client_secret WHERE hash NOT IN (SELECT hash FROM client_secret ORDER BY position DESC LIMIT ?)',
      MAX_CLIENT_SECRETS,
    );
  }

  /** Ends all client secrets. */
  clearClientSecrets(): void {
    this.#storage.sql.exec('DELETE FROM client_secret');
  }

  /** Whether a client secret with this hash is live. The table is keyed by hash: nothing about the secret leaks by timing. */
  hasClientSecret(hash: string): boolean {
    return this.#storage.sql.exec('SELECT 1 FROM client_secret WHERE hash = ?', hash).toArray().length > 0;
  }

  addLink(hash: string, current: string): void {
    this.#storage.sql.exec('INSERT INTO link (hash, current) VALUES (?, ?)', hash, current);
  }

  moveLink(hash: string, current: string): void {
    this.#storage.sql.exec('UPDATE link SET current = ? WHERE hash = ?', current, hash);
  }

  findLink(hash: string): LinkRow | undefined {
    return this.#storage.sql
      .exec<{ hash: string; current: string }>('SELECT * FROM link WHERE hash = ?', hash)
      .toArray()[0];
  }

  /** Forgets everything. */
  async erase(): Promise<void> {
    this.#record = undefined;
    // Takes the alarm along.
    await this.#storage.deleteAll();
  }
}
