/** The tables of a ledger as the version before its indices made them. */
export const EARLIER_TABLES: string = `
  CREATE TABLE ledger (property TEXT PRIMARY KEY, last_position INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE resource (id TEXT PRIMARY KEY, kind TEXT NOT NULL, seq INTEGER NOT NULL, status TEXT NOT NULL,
    reference TEXT NOT NULL, created_at INTEGER NOT NULL, body TEXT NOT NULL) WITHOUT ROWID;
  CREATE INDEX resource_by_time ON resource (kind, created_at DESC, id DESC);
  CREATE TABLE event (position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, body TEXT NOT NULL);
  CREATE TABLE delivery (position INTEGER NOT NULL, endpoint TEXT NOT NULL, at INTEGER NOT NULL, failures INTEGER NOT NULL,
    PRIMARY KEY (position, endpoint)) WITHOUT ROWID;
  CREATE INDEX delivery_by_time ON delivery (endpoint, at);
  CREATE TABLE disabled_endpoint (endpoint TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE due (kind TEXT PRIMARY KEY, at INTEGER NOT NULL, attempt INTEGER NOT NULL,
    planned_at INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
  INSERT INTO ledger (property, last_position) VALUES ('earlier', 0);`;
