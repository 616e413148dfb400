/** The SQLite tables of one checkout session. Every row is described in STORAGE.md. */

import { isEqualConstantTime } from '../http/hash.ts';
import { type Outcome, ok, type Refusal } from '../http/problem.ts';
import { DueTable } from '../objects/due-table.ts';
import { Outbox } from '../records/outbox.ts';
import { keyMismatch, RecordStorage } from '../records/record-storage.ts';
import type { KeptSecret } from './client-secret.ts';
import type { SessionRecord } from './session-record.ts';
import { sessionEntry } from './session-transition.ts';

/** A link that a call makes, kept as a hash. */
export interface GeneratedSecret {
  readonly hash: string;
  /** What the call was, with its idempotency key; null without one, and then every call makes another link. */
  readonly key: string | null;
}

/** Typed access to the tables. They are created with the session: an unknown id leaves nothing behind. */
export class SessionStorage extends RecordStorage<SessionRecord> {
  #secret: KeptSecret | undefined;

  constructor(storage: DurableObjectStorage) {
    super(storage, { table: 'session', noun: 'checkout session', toEntry: sessionEntry });
  }

  /** Creates the tables and the record. Call it in a transaction. */
  create(record: SessionRecord, fingerprint: string): void {
    this.storage.sql.exec(
      // Not WITHOUT ROWID: there a record of 1 kB spills onto a page of its own, and each version writes that page, too.
      `CREATE TABLE session (k INTEGER PRIMARY KEY CHECK (k = 1), id TEXT NOT NULL, seq INTEGER NOT NULL, state TEXT NOT NULL, fingerprint TEXT NOT NULL, record TEXT NOT NULL);
       CREATE TABLE client_secret (k INTEGER PRIMARY KEY CHECK (k = 1), generation INTEGER NOT NULL, hash TEXT NOT NULL, fingerprint TEXT NOT NULL);
       CREATE TABLE link (hash TEXT PRIMARY KEY) WITHOUT ROWID;
       ${Outbox.SCHEMA}
       ${DueTable.SCHEMA}`,
    );
    this.insert(record, fingerprint);
  }

  /** What is kept of the live client secret; undefined before the session begins. */
  clientSecret(): KeptSecret | undefined {
    this.#secret ??= this.storage.sql
      .exec<{ generation: number; hash: string; fingerprint: string }>(
        'SELECT generation, hash, fingerprint FROM client_secret',
      )
      .toArray()[0];
    return this.#secret;
  }

  /** Replaces the live client secret: the one before it ends. */
  keepClientSecret({ generation, hash, fingerprint }: KeptSecret): void {
    this.storage.sql.exec(
      'INSERT OR REPLACE INTO client_secret (k, generation, hash, fingerprint) VALUES (1, ?, ?, ?)',
      generation,
      hash,
      fingerprint,
    );
    this.#secret = { generation, hash, fingerprint };
  }

  addLink(hash: string): void {
    this.storage.sql.exec('INSERT INTO link (hash) VALUES (?)', hash);
  }

  hasLink(hash: string): boolean {
    return this.storage.sql.exec('SELECT 1 FROM link WHERE hash = ?', hash).toArray().length > 0;
  }

  clearLinks(): void {
    this.storage.sql.exec('DELETE FROM link');
  }

  /** The hash of what a call with this key has made; undefined when there was none, or without a key. */
  findMade(key: string | null): string | undefined {
    const { sql } = this.storage;
    sql.exec('CREATE TABLE IF NOT EXISTS generated_secret (key TEXT PRIMARY KEY, hash TEXT NOT NULL) WITHOUT ROWID');
    return sql.exec<{ hash: string }>('SELECT hash FROM generated_secret WHERE key = ?', key).toArray()[0]?.hash;
  }

  /** Remembers what a call has made. Call it after {@link findMade}, which makes the table. */
  addMade(key: string | null, hash: string): void {
    if (key !== null) this.storage.sql.exec('INSERT INTO generated_secret (key, hash) VALUES (?, ?)', key, hash);
  }

  /** Keeps a link in one commit with the call that made it. A repeated call keeps nothing, and is not refused. */
  keepOnce(
    id: string,
    { hash, key }: GeneratedSecret,
    keep: () => Refusal | undefined,
  ): Outcome<{ readonly isReplay: boolean }> {
    return this.transaction(() => {
      const earlier = this.findMade(key);
      if (earlier !== undefined) {
        return isEqualConstantTime(earlier, hash) ? ok({ isReplay: true }) : keyMismatch(id);
      }
      const refusal = keep();
      if (refusal !== undefined) return refusal;
      this.addMade(key, hash);
      return ok({ isReplay: false });
    });
  }

  protected override forget(): void {
    super.forget();
    this.#secret = undefined;
  }
}
