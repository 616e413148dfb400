/** The SQLite tables of one checkout session. Every row is described in STORAGE.md. */

import { isEqualConstantTime } from '../crypto/hash.ts';
import type { Outcome, Refusal } from '../problem.ts';
import type { SessionRecord } from '../records/session-record.ts';
import { sessionEntry } from '../records/session-transition.ts';
import { DueTable } from './due-table.ts';
import { Outbox } from './outbox.ts';
import { keyMismatch, RecordStorage } from './record-storage.ts';

export interface LinkRow {
  readonly hash: string;
  /** The session the link led to when it was last used. */
  readonly current: string;
}

/** A secret that a call makes, kept as a hash. */
export interface MadeSecret {
  readonly hash: string;
  /** What the call was, with its idempotency key; null without one, and then every call makes another secret. */
  readonly key: string | null;
}

const MAX_CLIENT_SECRETS = 5;

/** Typed access to the tables. They are created with the session: an unknown id leaves nothing behind. */
export class SessionStorage extends RecordStorage<SessionRecord> {
  /** Hashes of the live client secrets, once they were read. */
  #secrets: ReadonlySet<string> | undefined;

  constructor(storage: DurableObjectStorage) {
    super(storage, { table: 'session', noun: 'checkout session', toEntry: sessionEntry });
  }

  /** Creates the tables and the record. Call it in a transaction. */
  create(record: SessionRecord, fingerprint: string): void {
    this.storage.sql.exec(
      // Not WITHOUT ROWID: there a record of 1 kB spills onto a page of its own, and each version writes that page, too.
      `CREATE TABLE session (k INTEGER PRIMARY KEY CHECK (k = 1), id TEXT NOT NULL, seq INTEGER NOT NULL, state TEXT NOT NULL, fingerprint TEXT NOT NULL, record TEXT NOT NULL);
       CREATE TABLE client_secret (hash TEXT PRIMARY KEY, created_at INTEGER NOT NULL, position INTEGER NOT NULL) WITHOUT ROWID;
       CREATE TABLE link (hash TEXT PRIMARY KEY, current TEXT NOT NULL) WITHOUT ROWID;
       ${Outbox.SCHEMA}
       ${DueTable.SCHEMA}`,
    );
    this.insert(record, fingerprint);
  }

  /** Adds a client secret. Only the newest five are kept. */
  addClientSecret(hash: string, now: number): void {
    this.#secrets = undefined;
    const { position } = this.storage.sql
      .exec<{ position: number }>(
        `INSERT INTO client_secret (hash, created_at, position)
         SELECT ?, ?, coalesce(max(position), 0) + 1 FROM client_secret RETURNING position`,
        hash,
        now,
      )
      .one();
    if (position <= MAX_CLIENT_SECRETS) return;
    this.storage.sql.exec(
      'DELETE FROM client_secret WHERE hash NOT IN (SELECT hash FROM client_secret ORDER BY position DESC LIMIT ?)',
      MAX_CLIENT_SECRETS,
    );
  }

  clearClientSecrets(): void {
    this.#secrets = undefined;
    this.storage.sql.exec('DELETE FROM client_secret');
  }

  /** Whether a client secret with this hash is live. Looked up by hash, so that timing reveals nothing about the secret. */
  hasClientSecret(hash: string): boolean {
    this.#secrets ??= new Set(
      this.storage.sql
        .exec<{ hash: string }>('SELECT hash FROM client_secret')
        .toArray()
        .map((row) => row.hash),
    );
    return this.#secrets.has(hash);
  }

  addLink(hash: string, current: string): void {
    this.storage.sql.exec('INSERT INTO link (hash, current) VALUES (?, ?)', hash, current);
  }

  /** False when there is no such link any more. */
  moveLink(hash: string, current: string): boolean {
    return this.storage.sql.exec('UPDATE link SET current = ? WHERE hash = ?', current, hash).rowsWritten > 0;
  }

  clearLinks(): void {
    this.storage.sql.exec('DELETE FROM link');
  }

  /** Keeps a secret in one commit with the call that made it. A repeated call keeps nothing, and is not refused. */
  keepOnce(
    id: string,
    { hash, key }: MadeSecret,
    keep: () => Refusal | undefined,
  ): Outcome<{ readonly isReplay: boolean }> {
    const { sql } = this.storage;
    return this.transaction(() => {
      sql.exec('CREATE TABLE IF NOT EXISTS made_secret (key TEXT PRIMARY KEY, hash TEXT NOT NULL) WITHOUT ROWID');
      const [earlier] = sql.exec<{ hash: string }>('SELECT hash FROM made_secret WHERE key = ?', key).toArray();
      if (earlier !== undefined) {
        return isEqualConstantTime(earlier.hash, hash) ? { ok: true, value: { isReplay: true } } : keyMismatch(id);
      }
      const refusal = keep();
      if (refusal !== undefined) return refusal;
      if (key !== null) sql.exec('INSERT INTO made_secret (key, hash) VALUES (?, ?)', key, hash);
      return { ok: true, value: { isReplay: false } };
    });
  }

  protected override forget(): void {
    super.forget();
    this.#secrets = undefined;
  }

  hasLinks(): boolean {
    return this.storage.sql.exec('SELECT 1 FROM link LIMIT 1').toArray().length > 0;
  }

  findLink(hash: string): LinkRow | undefined {
    return this.storage.sql
      .exec<{ hash: string; current: string }>('SELECT * FROM link WHERE hash = ?', hash)
      .toArray()[0];
  }
}
