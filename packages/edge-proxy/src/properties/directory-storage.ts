/** The SQLite tables of the directory: which properties there are, and which of them owns each key. */

import { SCHEDULE_TABLE, type Schedule, tableSchedule } from '../objects/schedule.ts';
import { makeTables } from '../objects/schema-version.ts';
import type { AuditRow } from './audit-row.ts';
import { type AuditSlice, selectSlice } from './audit-slice.ts';

/** A property as the directory knows it. */
export interface DirectoryEntry {
  readonly id: string;
  readonly displayName: string;
  readonly livemode: boolean;
  readonly isRemoved: boolean;
  readonly version: number;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
}

/** Which entries to show, by id. */
export interface DirectoryQuery {
  /** Ids, and beginnings of ids followed by `*`. */
  readonly patterns: readonly string[];
  readonly search: string | null;
  readonly isRemoved: boolean | null;
  /** Only ids after this one. */
  readonly after: string;
  readonly limit: number;
}

/** What somebody did to a property. */
export interface PropertyAct extends AuditRow {
  readonly property: string;
}

/** A change that a property has announced, and whose outcome the directory has not heard. */
export interface PendingChange {
  readonly id: string;
  readonly version: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

type Row = Record<'id' | 'displayName', string> & Record<'livemode' | 'isRemoved' | 'version' | 'updatedAt', number>;

/** After this a property that has announced a change, and not said what came of it, is asked. */
export const ASK_AFTER_MS = 2_000;

export class DirectoryStorage {
  readonly due: Schedule;
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  /** Properties that have said which keys they have, since this object was loaded. */
  readonly #told = new Set<string>();

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.due = tableSchedule(storage, () => true);
    makeTables(
      this.#sql,
      `CREATE TABLE IF NOT EXISTS entry (id TEXT PRIMARY KEY, display_name TEXT NOT NULL, folded TEXT NOT NULL, livemode INTEGER NOT NULL, is_removed INTEGER NOT NULL, version INTEGER NOT NULL, updated_at INTEGER NOT NULL) WITHOUT ROWID;
       CREATE TABLE IF NOT EXISTS merchant_key (sha256 TEXT PRIMARY KEY, id TEXT NOT NULL, version INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
       CREATE INDEX IF NOT EXISTS merchant_key_by_id ON merchant_key (id);
       CREATE TABLE IF NOT EXISTS audit (at INTEGER NOT NULL, id TEXT NOT NULL, property TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (at, id)) WITHOUT ROWID;
       CREATE TABLE IF NOT EXISTS pending_change (id TEXT PRIMARY KEY, version INTEGER NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
       ${SCHEDULE_TABLE}`,
    );
  }

  has(id: string): boolean {
    return this.#sql.exec('SELECT 1 FROM entry WHERE id = ?', id).toArray().length > 0;
  }

  /** The property that a key of this hash belongs to. */
  ownerOf(sha256: string): string | undefined {
    return this.#sql.exec<{ id: string }>('SELECT id FROM merchant_key WHERE sha256 = ?', sha256).toArray()[0]?.id;
  }

  /**
   * Writes down that a property is about to store its next version, and gives the version's keys to it. Returns the first
   * key that is another's; then nothing is stored.
   */
  announce({ id, version, at }: PendingChange, hashes: readonly string[]): string | undefined {
    const taken = hashes.find((sha256) => (this.ownerOf(sha256) ?? id) !== id);
    if (taken !== undefined) return taken;
    const announce = (): void => {
      for (const sha256 of hashes) {
        this.#sql.exec(
          'INSERT INTO merchant_key (sha256, id, version) VALUES (?, ?, ?) ON CONFLICT (sha256) DO UPDATE SET version = max(version, excluded.version)',
          sha256,
          id,
          version,
        );
      }
      this.#sql.exec('INSERT OR REPLACE INTO pending_change (id, version, at) VALUES (?, ?, ?)', id, version, at);
      this.due.setEarlier('ask', at + ASK_AFTER_MS);
      this.due.arm();
    };
    this.due.transaction(() => this.#storage.transactionSync(announce));
    return undefined;
  }

  /** Changes that were announced so long ago that their properties are asked about them, the oldest first. */
  pendingBefore(at: number, limit: number): PendingChange[] {
    return this.#sql
      .exec<{ id: string; version: number; at: number }>(
        'SELECT id, version, at FROM pending_change WHERE at <= ? ORDER BY at LIMIT ?',
        at,
        limit,
      )
      .toArray();
  }

  /** Forgets a pending change that will not be made, unless it was announced again, and the keys that it claimed. */
  forgetPending({ id, version, at }: PendingChange): void {
    this.#storage.transactionSync(() => {
      const { rowsWritten } = this.#sql.exec(
        'DELETE FROM pending_change WHERE id = ? AND version = ? AND at = ?',
        id,
        version,
        at,
      );
      // Those that a hotel has are of a version that is stored, once it has told them.
      if (rowsWritten === 0 || (this.has(id) && !this.#told.has(id))) return;
      this.#sql.exec('DELETE FROM merchant_key WHERE id = ? AND version >= ?', id, version);
    });
  }

  /** Plans the next question about pending changes, or none. */
  planAsking(now: number): void {
    const { at } = this.#sql.exec<{ at: number | null }>('SELECT min(at) AS at FROM pending_change').one();
    if (at === null) this.due.clear('ask');
    else this.due.set('ask', Math.max(at, now) + ASK_AFTER_MS);
  }

  /**
   * Stores what a property is now, unless a newer version is known. Its other keys are nobody's, but for
   * those that were claimed for a newer version.
   * @param hashes null: nobody can tell now which keys it has, and it keeps those that are known
   */
  publish(
    { id, displayName, livemode, isRemoved, version, updatedAt }: DirectoryEntry,
    hashes: readonly string[] | null,
    acts: readonly AuditRow[],
  ): void {
    this.#storage.transactionSync(() => {
      for (const { at, id: act, ...body } of acts) {
        this.#sql.exec(
          'INSERT OR IGNORE INTO audit (at, id, property, body) VALUES (?, ?, ?, ?)',
          at,
          act,
          id,
          JSON.stringify(body),
        );
      }
      const [known] = this.#sql.exec<{ version: number }>('SELECT version FROM entry WHERE id = ?', id).toArray();
      if (known !== undefined && known.version > version) {
        // Of an object that went back in time: the keys it has now may count as claimed.
        this.#told.delete(id);
        return;
      }
      const isPending = this.#sql.exec('SELECT 1 FROM pending_change WHERE id = ?', id).toArray().length > 0;
      // Told again of what is known.
      if (known?.version === version && !isPending) return;
      this.#sql.exec(
        'INSERT OR REPLACE INTO entry (id, display_name, folded, livemode, is_removed, version, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
        id,
        displayName,
        `${id} ${displayName}`.toLowerCase(),
        livemode ? 1 : 0,
        isRemoved ? 1 : 0,
        version,
        updatedAt,
      );
      this.#told.delete(id);
      if (hashes !== null) {
        this.#told.add(id);
        const own = JSON.stringify(hashes);
        this.#sql.exec(
          'DELETE FROM merchant_key WHERE id = ?1 AND version <= ?2 AND sha256 NOT IN (SELECT value FROM json_each(?3))',
          id,
          version,
          own,
        );
        this.#sql.exec(
          'UPDATE merchant_key SET version = ?2 WHERE id = ?1 AND version > ?2 AND sha256 IN (SELECT value FROM json_each(?3))',
          id,
          version,
          own,
        );
      }
      this.#sql.exec('DELETE FROM pending_change WHERE id = ? AND version <= ?', id, version);
    });
  }

  /** What was done to the properties that fit, in the order of a slice. */
  audit(slice: AuditSlice, patterns: readonly string[]): PropertyAct[] {
    const what =
      'at, id, property, body FROM audit WHERE EXISTS (SELECT 1 FROM json_each(?) WHERE audit.property GLOB value)';
    const bindings = [JSON.stringify(patterns)];
    return selectSlice<{ at: number; id: string; property: string; body: string }>(this.#sql, slice, {
      what,
      bindings,
    }).map(({ body, ...row }) => ({ ...row, ...(JSON.parse(body) as Omit<AuditRow, 'at' | 'id'>) }));
  }

  list({ patterns, search, isRemoved, after, limit }: DirectoryQuery): DirectoryEntry[] {
    return this.#sql
      .exec<Row>(
        `SELECT id, display_name AS displayName, livemode, is_removed AS isRemoved, version, updated_at AS updatedAt FROM entry
         WHERE id > ?1 AND (?2 IS NULL OR instr(folded, ?2) > 0) AND (?3 IS NULL OR is_removed = ?3)
         AND EXISTS (SELECT 1 FROM json_each(?4) WHERE entry.id GLOB value) ORDER BY id LIMIT ?5`,
        after,
        search?.toLowerCase() ?? null,
        isRemoved === null ? null : Number(isRemoved),
        JSON.stringify(patterns),
        limit,
      )
      .toArray()
      .map((row) => ({ ...row, livemode: row.livemode === 1, isRemoved: row.isRemoved === 1 }));
  }
}
