/** The SQLite tables of one property of the directory. Every row is described in STORAGE.md. */
import type { PropertyVersion } from '@innkeep/core/contract';
import { SCHEDULE_TABLE, type Schedule, tableSchedule } from '../objects/schedule.ts';
import { hasTable, makeTables } from '../objects/schema-version.ts';
import type { Actor } from './actor.ts';

/** One version of the configuration. Instants in milliseconds. */
export interface VersionRow {
  readonly version: number;
  readonly at: number;
  readonly by: Actor;
  readonly action: PropertyVersion['action'];
  /** Paths of the fields that differ from the version before. */
  readonly fields: readonly string[];
  readonly copyOf: number | null;
  /** The configuration's JSON; null once it is no longer kept. */
  readonly sealed: string | null;
}

/** What holds whatever the version. */
export interface PropertyRow {
  readonly id: string;
  readonly createdAt: number;
  readonly isRemoved: boolean;
}

/** How many versions are kept with their texts. */
const KEPT_VERSIONS = 50;

type Columns = Omit<VersionRow, 'fields' | 'by'> & { readonly fields: string; readonly by: string };

const COLUMNS = 'version, at, written_by AS by, action, fields, copy_of AS copyOf, sealed';

export class PropertyStorage {
  readonly due: Schedule;
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.due = tableSchedule(storage, () => false);
  }

  /** Undefined when nothing was ever stored. Reading must not create tables. */
  property(): PropertyRow | undefined {
    if (!this.#exists()) return undefined;
    const [row] = this.#storage.sql
      .exec<{ id: string; createdAt: number; isRemoved: number }>(
        'SELECT id, created_at AS createdAt, is_removed AS isRemoved FROM property',
      )
      .toArray();
    return row === undefined ? undefined : { ...row, isRemoved: row.isRemoved === 1 };
  }

  /** The newest version; undefined when nothing was ever stored. */
  newest(): VersionRow | undefined {
    return this.versions({ before: null, limit: 1 })[0];
  }

  find(version: number): VersionRow | undefined {
    return this.versions({ before: version + 1, limit: 1 }).find((row) => row.version === version);
  }

  /** Versions before one, the newest first. */
  versions({ before, limit }: { readonly before: number | null; readonly limit: number }): VersionRow[] {
    if (!this.#exists()) return [];
    return this.#storage.sql
      .exec<{ [Name in keyof Columns]: Columns[Name] }>(
        `SELECT ${COLUMNS} FROM version WHERE version < ? ORDER BY version DESC LIMIT ?`,
        before ?? Number.MAX_SAFE_INTEGER,
        limit,
      )
      .toArray()
      .map((row) => ({ ...row, fields: JSON.parse(row.fields) as string[], by: JSON.parse(row.by) as Actor }));
  }

  /** Stores a version, and what it makes of the property, in the caller's commit. */
  add({ id, createdAt, isRemoved }: PropertyRow, row: VersionRow): void {
    const { sql } = this.#storage;
    sql.exec(
      'INSERT OR REPLACE INTO property (k, id, created_at, is_removed) VALUES (1, ?, ?, ?)',
      id,
      createdAt,
      isRemoved ? 1 : 0,
    );
    sql.exec(
      'INSERT INTO version (version, at, written_by, action, fields, copy_of, sealed) VALUES (?, ?, ?, ?, ?, ?, ?)',
      row.version,
      row.at,
      JSON.stringify(row.by),
      row.action,
      JSON.stringify(row.fields),
      row.copyOf,
      row.sealed,
    );
    sql.exec('UPDATE version SET sealed = NULL WHERE version <= ?', row.version - KEPT_VERSIONS);
  }

  /** Puts another sealed form of the same text in the place of one, also where it was copied meanwhile. */
  reseal({ before, after }: { readonly before: string; readonly after: string }): void {
    this.#storage.sql.exec('UPDATE version SET sealed = ? WHERE sealed = ?', after, before);
  }

  /** Forgets every text. What was changed when, and by whom, stays. */
  eraseTexts(): void {
    this.#storage.sql.exec('UPDATE version SET sealed = NULL');
  }

  /** Makes the tables. Call it outside of a transaction, whose failure would undo it. */
  prepare(): void {
    makeTables(
      this.#storage.sql,
      `CREATE TABLE IF NOT EXISTS property (k INTEGER PRIMARY KEY CHECK (k = 1), id TEXT NOT NULL, created_at INTEGER NOT NULL, is_removed INTEGER NOT NULL);
       CREATE TABLE IF NOT EXISTS version (version INTEGER PRIMARY KEY, at INTEGER NOT NULL, written_by TEXT NOT NULL, action TEXT NOT NULL, fields TEXT NOT NULL, copy_of INTEGER, sealed TEXT);
       ${SCHEDULE_TABLE}`,
    );
  }

  transaction(write: () => void): void {
    this.due.transaction(() => this.#storage.transactionSync(write));
  }

  #exists(): boolean {
    return hasTable(this.#storage.sql, 'version');
  }
}
