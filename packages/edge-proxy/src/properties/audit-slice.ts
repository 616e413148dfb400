/** A part of an audit that is stored in several places, each of which gives its own entries in order. */
import type { AuditRow } from './audit-row.ts';

/** The place of an entry. Instants in milliseconds. */
export interface AuditPlace {
  readonly at: number;
  readonly id: string;
}

/** From an instant to another, which is not included. */
export interface AuditSlice {
  readonly from: number;
  readonly to: number;
  /** Only what comes after this entry, in the order that is wanted. */
  readonly cursor: AuditPlace | null;
  readonly isAscending: boolean;
  readonly limit: number;
}

/** The first entries of what several places gave. */
export function inOrder(rows: readonly AuditRow[], { isAscending, limit }: AuditSlice): AuditRow[] {
  const sign = isAscending ? 1 : -1;
  return [...rows].sort((one, other) => sign * compare(one, other)).slice(0, limit);
}

/** Whether an entry is in a slice. */
export function isInSlice(row: AuditPlace, { from, to, cursor, isAscending }: AuditSlice): boolean {
  if (row.at < from || row.at >= to) return false;
  return cursor === null || compare(row, cursor) * (isAscending ? 1 : -1) > 0;
}

function compare(one: AuditPlace, other: AuditPlace): number {
  return one.at - other.at || (one.id < other.id ? -1 : Number(one.id > other.id));
}

/** Rows of a table in the order of a slice, no more than it wants. `what`: columns, table and a condition; `at`: the column of the time. */
export function selectSlice<Row extends Record<string, SqlStorageValue>>(
  sql: SqlStorage,
  { from, to, cursor, isAscending, limit }: AuditSlice,
  { what, at = 'at', bindings = [] }: SliceSource,
): Row[] {
  const start = cursor ?? { at: isAscending ? from : to, id: '' };
  const inSlice = isAscending ? `${at} < ? AND (${at}, id) > (?, ?)` : `${at} >= ? AND (${at}, id) < (?, ?)`;
  const order = isAscending ? `${at}, id` : `${at} DESC, id DESC`;
  const bound = [...bindings, isAscending ? to : from, start.at, start.id, limit];
  return sql.exec<Row>(`SELECT ${what} AND ${inSlice} ORDER BY ${order} LIMIT ?`, ...bound).toArray();
}

interface SliceSource {
  readonly what: string;
  readonly at?: 'at' | 'created_at';
  readonly bindings?: readonly string[];
}
