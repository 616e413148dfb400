/** The SQLite tables of an account's token. Every row is described in STORAGE.md. */
import { hasTable, makeTables } from '../objects/schema-version.ts';

/** What is stored of a token; one JSON row. Instants in milliseconds. */
export interface TokenRecord {
  /** The token; null when there is none. */
  readonly sealed: string | null;
  readonly expiresAt: number;
  readonly renewAt: number;
  /** Logins refused in a row. */
  readonly refusals: number;
  readonly blockedUntil: number;
  /** Mark of the password they were tried with. */
  readonly credential: string;
  /** Whose login it is. Older versions leave it out. */
  readonly property?: string;
  /** The sessions whose starts were refused since one was taken, as many as decide. Older versions leave it out. */
  readonly refusedStarts?: readonly string[] | undefined;
}

export const NO_TOKEN = { sealed: null, expiresAt: 0, renewAt: 0 } as const;

/** One session may have something that the payment service refuses, and its hotel may try it again as another. */
const ENOUGH_STARTS = 3;

/** How many codes are kept at most: a service that makes them up must not fill the storage. */
const MAX_RETURN_CODES = 1_000;

export function readToken(sql: SqlStorage): TokenRecord | undefined {
  // Of a hotel that nobody has used yet nothing is stored, however often its status is read.
  if (!hasTable(sql, 'access_token')) return undefined;
  const [row] = sql.exec<{ record: string }>('SELECT record FROM access_token').toArray();
  // Written only by `writeToken`.
  return row === undefined ? undefined : (JSON.parse(row.record) as TokenRecord);
}

export function writeToken(sql: SqlStorage, record: TokenRecord): void {
  makeTables(
    sql,
    'CREATE TABLE IF NOT EXISTS access_token (k INTEGER PRIMARY KEY CHECK (k = 1), record TEXT NOT NULL)',
  );
  sql.exec('INSERT OR REPLACE INTO access_token VALUES (1, ?)', JSON.stringify(record));
}

/** Remembers whether a start of a session was taken; returns those that were refused since one was. Writes only what changes something. */
export function noteStart(sql: SqlStorage, session: string, isTaken: boolean): TokenRecord['refusedStarts'] {
  const row = readToken(sql);
  const refused = row?.refusedStarts ?? [];
  if (row === undefined || (isTaken ? refused.length === 0 : refusesStarts(row) || refused.includes(session))) {
    return row?.refusedStarts;
  }
  const refusedStarts = isTaken ? undefined : [...refused, session];
  writeToken(sql, { ...row, refusedStarts });
  return refusedStarts;
}

/** Whether as many starts as show that it is not about one of them were refused, and none was taken since. */
export function refusesStarts(row: TokenRecord | undefined): boolean {
  return (row?.refusedStarts?.length ?? 0) >= ENOUGH_STARTS;
}

/** Remembers a code. Returns whether it came for the first time. */
export function noteReturnCode(sql: SqlStorage, returnCode: string): boolean {
  makeTables(
    sql,
    'CREATE TABLE IF NOT EXISTS return_code (code TEXT PRIMARY KEY, first_seen_at INTEGER NOT NULL) WITHOUT ROWID',
  );
  const [row] = sql.exec('SELECT 1 FROM return_code WHERE code = ?', returnCode).toArray();
  if (row !== undefined) return false;
  const { count } = sql.exec<{ count: number }>('SELECT count(*) AS count FROM return_code').one();
  if (count >= MAX_RETURN_CODES) return false;
  sql.exec('INSERT INTO return_code (code, first_seen_at) VALUES (?, ?)', returnCode, Date.now());
  return true;
}
