/** The audit of one hotel: acts that no resource records itself, and, read from the resources, who made them. */
import type { Author } from '@innkeep/core/contract';
import { toCrockford } from '../http/encoding.ts';
import { sha256 } from '../http/hash.ts';
import type { AuditRow } from '../properties/audit-row.ts';
import { type AuditSlice, inOrder, selectSlice } from '../properties/audit-slice.ts';
import type { RefusedCall } from '../properties/caller-env.ts';
import { KINDS } from './ledger-storage.ts';

const HOUR_MS = 60 * 60_000;
const FORGET_BATCH = 500;
const PREFIXES = { checkout_session: 'cs', charge: 'ch', reversal: 'rv' } as const;

type Columns = { id: string; at: number };

export class AuditTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Adds an entry; false when it is there already. */
  add({ at, id, ...entry }: AuditRow): boolean {
    const { rowsWritten } = this.#sql.exec(
      'INSERT OR IGNORE INTO audit (at, id, body) VALUES (?, ?, ?)',
      at,
      id,
      JSON.stringify(entry),
    );
    return rowsWritten > 0;
  }

  /** Counts a refused call: one entry for each key, person of a desk, route, code and hour. Returns a new one. */
  async count(property: string, { by, route, code }: RefusedCall, now: number): Promise<AuditRow | undefined> {
    const { key, person } = by;
    const at = now - (now % HOUR_MS);
    const name = [property, at, key, route, code, ...(person === null ? [] : [person])];
    const id = `au_${toCrockford(await sha256(JSON.stringify(name)), 26)}`;
    const entry = { resource: null, by, requestId: null, network: null, route, code, count: 1 };
    const row: AuditRow = { id, at, action: 'request.refused', ...entry };
    if (this.add(row)) return row;
    this.#sql.exec(
      `UPDATE audit SET body = json_set(body, '$.count', json_extract(body, '$.count') + 1) WHERE at = ? AND id = ?`,
      row.at,
      id,
    );
    return undefined;
  }

  /** The first entries of a slice, in its order. Reads no more rows of each kind than the slice wants. */
  read(slice: AuditSlice): AuditRow[] {
    const acts = selectSlice<Columns & { body: string }>(this.#sql, slice, {
      what: 'id, at, body FROM audit WHERE TRUE',
    }).map(({ body, ...row }) => ({ ...row, ...(JSON.parse(body) as Omit<AuditRow, 'id' | 'at'>) }));
    const made = KINDS.flatMap((kind) =>
      selectSlice<Columns & { by: string; requestId: string; network: string | null }>(
        this.#sql,
        { ...slice, cursor: slice.cursor && { ...slice.cursor, id: slice.cursor.id.replace('au', PREFIXES[kind]) } },
        {
          what: `id, created_at AS at, json_extract(body, '$.by') AS by, request_id AS requestId, network
            FROM resource INDEXED BY resource_by_time WHERE kind = '${kind}'`,
          at: 'created_at',
        },
      ).map(({ id, by, ...row }) => ({
        ...row,
        id: id.replace(PREFIXES[kind], 'au'),
        action: `${kind}.created` as const,
        resource: id,
        by: JSON.parse(by) as Author,
      })),
    );
    return inOrder([...acts, ...made], slice);
  }

  /** Deletes a batch of what is old; true when there is more. */
  forget(before: number): boolean {
    const old = `SELECT at, id FROM audit WHERE at < ? ORDER BY at, id LIMIT ${FORGET_BATCH}`;
    const gone = this.#sql.exec(`DELETE FROM audit WHERE (at, id) IN (${old}) RETURNING 1`, before).toArray();
    return gone.length === FORGET_BATCH;
  }
}
