/** The SQLite tables of one property's ledger. Every row is described in STORAGE.md. */
import { SCHEDULE_TABLE } from '../objects/schedule.ts';
import { hasTable, makeTables } from '../objects/schema-version.ts';

export type ListOrder = 'created_at' | 'completed_at';

export type ListFilter = 'status' | 'reference';

const FILTERS: readonly (readonly ListFilter[])[] = [[], ['status'], ['reference'], ['reference', 'status']];

/** The index that a list reads. There is one for each filter and order, so that a list reads only what it shows. */
export function indexOf(filters: readonly ListFilter[], order: ListOrder): string {
  return filters.length === 0 && order === 'created_at'
    ? 'resource_by_time'
    : `resource_by_${[...filters, order].join('_')}`;
}

const INDICES = FILTERS.flatMap((filters) => [
  `CREATE INDEX ${indexOf(filters, 'created_at')} ON resource (${['kind', ...filters, 'created_at', 'id']});`,
  `CREATE INDEX ${indexOf(filters, 'completed_at')} ON resource (${['kind', ...filters, 'completed_at', 'id']})
    WHERE completed_at IS NOT NULL;`,
]).join('\n');

/** The condition for a session that has stored a card. */
export const IS_CARD = "kind = 'checkout_session' AND status = 'succeeded' AND body ->> '$.kind' = 'card'";

/**
 * `resource` is not WITHOUT ROWID: there a body of more than 1 kB takes a page of its own. Its `completed_at` is computed from
 * the body, so that no write can forget it. Triggers count what waits for each endpoint and what is stored of each kind: a count
 * reads every row. `failed_position` is the event that failed last: null when none did since the last success, 0 when several
 * did. `platform` is whose endpoint it is; `feed_cursor` how much of the feed each platform has been told. `reference` is null
 * once redacted; an event names its `resource` only where its id cannot be derived from it. `payment` has the places that
 * `payment-entries.ts` makes; its only index is the table, so each is one row.
 */
const TABLES = `
  CREATE TABLE ledger (property TEXT PRIMARY KEY, last_position INTEGER NOT NULL, retention_days INTEGER) WITHOUT ROWID;
  CREATE TABLE resource (id TEXT PRIMARY KEY, kind TEXT NOT NULL, seq INTEGER NOT NULL, status TEXT NOT NULL,
    reference TEXT, created_at INTEGER NOT NULL, request_id TEXT NOT NULL, network TEXT, body TEXT NOT NULL,
    completed_at TEXT GENERATED ALWAYS AS (json_extract(body, '$.completedAt')) VIRTUAL);
  ${INDICES}
  CREATE INDEX card_session ON resource (id) WHERE ${IS_CARD};
  CREATE TABLE payment (list TEXT NOT NULL, at INTEGER NOT NULL, id TEXT NOT NULL, attempt INTEGER NOT NULL, currency TEXT,
    amount INTEGER, PRIMARY KEY (list, at, id, attempt)) WITHOUT ROWID;
  CREATE TABLE event (position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, body TEXT NOT NULL, resource TEXT);
  CREATE INDEX event_by_resource ON event (resource) WHERE resource IS NOT NULL;
  CREATE INDEX event_by_time ON event (at);
  CREATE TABLE unplanned (position INTEGER PRIMARY KEY);
  CREATE TABLE delivery (endpoint TEXT NOT NULL, position INTEGER NOT NULL, retry_at INTEGER NOT NULL, failures INTEGER NOT NULL,
    PRIMARY KEY (endpoint, position)) WITHOUT ROWID;
  CREATE INDEX delivery_by_time ON delivery (endpoint, retry_at, position);
  CREATE TABLE disabled_endpoint (endpoint TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE endpoint (key TEXT PRIMARY KEY, host TEXT NOT NULL DEFAULT '', waiting INTEGER NOT NULL DEFAULT 0,
    failures INTEGER NOT NULL DEFAULT 0, failed_position INTEGER, paused_at INTEGER, probe_at INTEGER,
    probes INTEGER NOT NULL DEFAULT 0, given_up INTEGER NOT NULL DEFAULT 0, last_success_at INTEGER,
    last_failure_at INTEGER, last_failure_status INTEGER, platform TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
  CREATE TRIGGER delivery_planned AFTER INSERT ON delivery BEGIN
    INSERT INTO endpoint (key, waiting) VALUES (NEW.endpoint, 1) ON CONFLICT (key) DO UPDATE SET waiting = waiting + 1; END;
  CREATE TRIGGER delivery_ended AFTER DELETE ON delivery BEGIN
    UPDATE endpoint SET waiting = waiting - 1 WHERE key = OLD.endpoint; END;
  CREATE TABLE stored (kind TEXT PRIMARY KEY, rows INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TRIGGER resource_stored AFTER INSERT ON resource BEGIN
    INSERT INTO stored (kind, rows) VALUES (NEW.kind, 1) ON CONFLICT (kind) DO UPDATE SET rows = rows + 1; END;
  CREATE TRIGGER resource_forgotten AFTER DELETE ON resource BEGIN
    UPDATE stored SET rows = rows - 1 WHERE kind = OLD.kind; END;
  CREATE TABLE audit (at INTEGER NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (at, id)) WITHOUT ROWID;
  CREATE TABLE reversal_limit (id TEXT PRIMARY KEY, key TEXT NOT NULL, person TEXT, day TEXT NOT NULL, currency TEXT NOT NULL,
    amount INTEGER NOT NULL, epoch INTEGER NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX reversal_limit_by_day ON reversal_limit (day, key, currency, amount);
  CREATE INDEX reversal_limit_by_person ON reversal_limit (day, person, currency, amount) WHERE person IS NOT NULL;
  CREATE TABLE desk_session (id TEXT PRIMARY KEY, expires_at INTEGER NOT NULL, body TEXT NOT NULL) WITHOUT ROWID;
  CREATE INDEX desk_session_by_end ON desk_session (expires_at);
  CREATE TABLE feed_cursor (platform TEXT PRIMARY KEY, position INTEGER NOT NULL) WITHOUT ROWID;
  ${SCHEDULE_TABLE}`;

/** An event as it is told: with the hotel, which need not be stored with each. */
export const EVENT_BODY = `'{"property":' || json_quote((SELECT property FROM ledger)) || ',' || substr(event.body, 2)`;

/** Whether there are tables. Refuses those of a newer version. */
export function hasLedger(sql: SqlStorage): boolean {
  return hasTable(sql, 'ledger');
}

export function makeLedger(sql: SqlStorage, property: string): void {
  makeTables(sql, TABLES);
  sql.exec('INSERT INTO ledger (property, last_position) VALUES (?, 0)', property);
}
