/** The SQLite tables of one property's ledger. Every row is described in STORAGE.md. */
import { DueTable } from './due-table.ts';

const TABLES = `
  CREATE TABLE ledger (property TEXT PRIMARY KEY, last_position INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE resource (id TEXT PRIMARY KEY, kind TEXT NOT NULL, seq INTEGER NOT NULL, status TEXT NOT NULL,
    reference TEXT NOT NULL, created_at INTEGER NOT NULL, body TEXT NOT NULL) WITHOUT ROWID;
  CREATE INDEX resource_by_time ON resource (kind, created_at DESC, id DESC);
  CREATE TABLE event (position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, body TEXT NOT NULL);
  CREATE TABLE delivery (position INTEGER NOT NULL, endpoint TEXT NOT NULL, at INTEGER NOT NULL, failures INTEGER NOT NULL,
    PRIMARY KEY (position, endpoint)) WITHOUT ROWID;
  CREATE INDEX delivery_by_time ON delivery (endpoint, at);
  CREATE TABLE disabled_endpoint (endpoint TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
  ${DueTable.SCHEMA}`;

/**
 * Computed from the body, so that it stays right when an older version, which does not know the column, writes the row.
 * Older versions did not note the time of completion of operations, but decided within seconds, or by hand.
 */
const COMPLETED_AT = `
  ALTER TABLE resource ADD COLUMN completed_at TEXT GENERATED ALWAYS AS (coalesce(json_extract(body, '$.completedAt'),
    CASE WHEN kind <> 'checkout_session' AND status IN ('succeeded', 'declined', 'failed')
    THEN coalesce(json_extract(body, '$.resolution.at'), json_extract(body, '$.createdAt')) END)) VIRTUAL;`;

export type ListOrder = 'created_at' | 'completed_at';

export type ListFilter = 'status' | 'reference';

const FILTERS: readonly (readonly ListFilter[])[] = [[], ['status'], ['reference'], ['reference', 'status']];

/** The index that a list reads. There is one for each filter and order, so that a list reads only what it shows. */
export function indexOf(filters: readonly ListFilter[], order: ListOrder): string {
  return filters.length === 0 && order === 'created_at'
    ? 'resource_by_time'
    : `resource_by_${[...filters, order].join('_')}`;
}

const INDICES = [
  ...FILTERS.flatMap((filters) => [
    `CREATE INDEX IF NOT EXISTS ${indexOf(filters, 'created_at')} ON resource (${['kind', ...filters, 'created_at', 'id']});`,
    `CREATE INDEX IF NOT EXISTS ${indexOf(filters, 'completed_at')} ON resource (${['kind', ...filters, 'completed_at', 'id']})
      WHERE completed_at IS NOT NULL;`,
  ]),
  'CREATE TABLE IF NOT EXISTS unplanned (position INTEGER PRIMARY KEY);',
  'CREATE INDEX IF NOT EXISTS event_by_time ON event (at);',
].join('\n');

/**
 * The state of each endpoint. The triggers count what waits, also for older versions. `failed_position` is the event that
 * failed last: null when none did since the last success, 0 when several did.
 */
const ENDPOINTS = `
  CREATE INDEX IF NOT EXISTS delivery_by_position ON delivery (endpoint, position);
  CREATE TABLE IF NOT EXISTS endpoint (key TEXT PRIMARY KEY, host TEXT NOT NULL DEFAULT '', waiting INTEGER NOT NULL DEFAULT 0,
    failures INTEGER NOT NULL DEFAULT 0, failed_position INTEGER, paused_at INTEGER, probe_at INTEGER,
    probes INTEGER NOT NULL DEFAULT 0, given_up INTEGER NOT NULL DEFAULT 0, last_success_at INTEGER,
    last_failure_at INTEGER, last_failure_status INTEGER) WITHOUT ROWID;
  CREATE TRIGGER IF NOT EXISTS delivery_planned AFTER INSERT ON delivery BEGIN
    INSERT INTO endpoint (key, waiting) VALUES (NEW.endpoint, 1) ON CONFLICT (key) DO UPDATE SET waiting = waiting + 1; END;
  CREATE TRIGGER IF NOT EXISTS delivery_ended AFTER DELETE ON delivery BEGIN
    UPDATE endpoint SET waiting = waiting - 1 WHERE key = OLD.endpoint; END;
  INSERT OR IGNORE INTO endpoint (key, waiting) SELECT endpoint, count(*) FROM delivery GROUP BY endpoint;
  INSERT OR IGNORE INTO endpoint (key) SELECT endpoint FROM disabled_endpoint;`;

/** How many resources there are of each kind, counted by triggers, also for older versions: a count reads every row. */
const STORED = `
  CREATE TABLE IF NOT EXISTS stored (kind TEXT PRIMARY KEY, rows INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TRIGGER IF NOT EXISTS resource_stored AFTER INSERT ON resource BEGIN
    INSERT INTO stored (kind, rows) VALUES (NEW.kind, 1) ON CONFLICT (kind) DO UPDATE SET rows = rows + 1; END;
  CREATE TRIGGER IF NOT EXISTS resource_forgotten AFTER DELETE ON resource BEGIN
    UPDATE stored SET rows = rows - 1 WHERE kind = OLD.kind; END;
  INSERT OR IGNORE INTO stored (kind, rows) SELECT kind, count(*) FROM resource GROUP BY kind;`;

/** Whose endpoint it is, for those of platforms; and how much of the feed each platform has been told. */
const PLATFORMS = `
  ALTER TABLE endpoint ADD COLUMN platform TEXT NOT NULL DEFAULT '';
  CREATE TABLE IF NOT EXISTS feed_cursor (platform TEXT PRIMARY KEY, position INTEGER NOT NULL) WITHOUT ROWID;`;

/** An event as it is told: with the hotel, which need not be stored with each. */
export const EVENT_BODY = `'{"property":' || json_quote((SELECT property FROM ledger)) || ',' || substr(event.body, 2)`;

/** Whether there are tables. Tables of an older version get what is new; nothing is removed, so that it can be rolled back to. */
export function hasTables(sql: SqlStorage): boolean {
  const names = new Set(
    sql
      .exec<{ name: string }>(
        "SELECT name FROM sqlite_master WHERE name IN ('ledger', 'event_by_time', 'resource_by_completed_at', 'endpoint', 'stored', 'feed_cursor')",
      )
      .toArray()
      .map(({ name }) => name),
  );
  if (!names.has('ledger')) return false;
  if (!names.has('resource_by_completed_at')) sql.exec(COMPLETED_AT);
  if (!names.has('event_by_time')) sql.exec(INDICES);
  if (!names.has('endpoint')) sql.exec(ENDPOINTS);
  if (!names.has('stored')) sql.exec(STORED);
  if (!names.has('feed_cursor')) sql.exec(PLATFORMS);
  return true;
}

export function makeTables(sql: SqlStorage, property: string): void {
  sql.exec(`${TABLES}${COMPLETED_AT}${INDICES}${ENDPOINTS}${STORED}${PLATFORMS}`);
  sql.exec('INSERT INTO ledger (property, last_position) VALUES (?, 0)', property);
}
