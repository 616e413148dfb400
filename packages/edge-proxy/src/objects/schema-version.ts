/** Which version of the stored data this code writes, and knows. What a newer one has stored is left alone. */

/** Grows by one with a change that an older version cannot read. From 1 on, every later version reads what was stored. */
export const SCHEMA_VERSION = 1;

/** A newer version has stored this. Nothing was touched. */
export class NewerDataError extends Error {
  override readonly name = 'NewerDataError';

  constructor(stored: number) {
    super(
      `A newer version of the proxy stored this (version ${stored}; this proxy knows ${SCHEMA_VERSION}): deploy the newer one again`,
    );
  }
}

export function isNewerDataError(error: unknown): error is NewerDataError {
  return error instanceof Error && error.name === 'NewerDataError';
}

/** Refuses what a newer version has stored. Undefined: nothing was stored yet. */
export function refuseNewer(version: number | undefined): void {
  if (version !== undefined && version > SCHEMA_VERSION) throw new NewerDataError(version);
}

/** Whether the object has a table. Refuses tables that a newer version has written. */
export function hasTable(sql: SqlStorage, name: string): boolean {
  refuseNewerTables(sql);
  return sql.exec('SELECT 1 FROM sqlite_master WHERE name = ?', name).toArray().length > 0;
}

/** Makes tables, and beside them the row with their version. Call it outside of a transaction, whose failure would undo it. */
export function makeTables(sql: SqlStorage, statements: string): void {
  refuseNewerTables(sql);
  sql.exec(statements);
  sql.exec('CREATE TABLE IF NOT EXISTS schema_version (k INTEGER PRIMARY KEY CHECK (k = 1), version INTEGER NOT NULL)');
  sql.exec('INSERT OR IGNORE INTO schema_version (k, version) VALUES (1, ?)', SCHEMA_VERSION);
}

function refuseNewerTables(sql: SqlStorage): void {
  try {
    refuseNewer(sql.exec<{ version: number }>('SELECT version FROM schema_version').toArray()[0]?.version);
  } catch (error) {
    if (!String(error).includes('no such table: schema_version')) throw error;
  }
}
