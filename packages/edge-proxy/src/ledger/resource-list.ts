/** The lists of a ledger's resources, page by page. */
import { fromBase64Url, toBase64Url } from '../http/encoding.ts';
import { indexOf, type ListFilter, type ListOrder } from './ledger-tables.ts';
import { DOUBTFUL_IDS } from './payment-table.ts';

/** Which resources to show. Instants in milliseconds. */
export interface ListQuery {
  readonly kind: string;
  readonly status?: string | null;
  readonly reference?: string | null;
  /** The time that `from` and `to` are about. @default 'created_at' */
  readonly by?: ListOrder;
  /** Inclusive. @default the beginning of time */
  readonly from?: number | null;
  /** Exclusive. @default the end of time */
  readonly to?: number | null;
  readonly limit: number;
  readonly cursor: string | null;
}

/** A page of a list; items as JSON texts. */
export interface ListPage {
  readonly items: string[];
  readonly nextCursor: string | null;
}

type ListRow = { readonly id: string; readonly at: number | string; readonly body: string };

/** From the small side: an index of all sessions would be read to its end. */
const DOUBTFUL_SESSIONS = `${DOUBTFUL_IDS} AS doubtful CROSS JOIN resource ON resource.id = doubtful.id`;
const FIRST_INSTANT = Date.parse('0000-01-01T00:00:00Z');
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

/** For any filter and page it reads no more rows than it returns, plus the few sessions that were paid and are also in doubt. */
export function listResources(sql: SqlStorage, query: ListQuery, direction: 'oldest' | 'newest'): ListPage {
  const { kind, by = 'created_at', status, limit } = query;
  const found = readRows(sql, query, direction);
  if (kind === 'checkout_session' && status === 'unknown') {
    found.push(...readRows(sql, { ...query, status: null }, direction, DOUBTFUL_SESSIONS));
    found.sort((one, other) => (isBefore(one, other) === (direction === 'oldest') ? -1 : 1));
  }
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  return { items: page.map(({ body }) => body), nextCursor: last === undefined ? null : toCursor(last, by) };
}

/** One row more than the limit, if there is one. */
function readRows(sql: SqlStorage, query: ListQuery, direction: 'oldest' | 'newest', source?: string): ListRow[] {
  const { kind, by = 'created_at', status = null, reference = null, limit } = query;
  const narrowed = { ...(reference === null ? {} : { reference }), ...(status === null ? {} : { status }) };
  const filters = Object.keys(narrowed) as ListFilter[]; // In the order of the index.
  const [from, to] = [query.from ?? FIRST_INSTANT, query.to ?? LAST_INSTANT];
  const cursor = parseCursor(query.cursor ?? '', by);
  const isAscending = direction === 'oldest';
  const start = cursor ?? { at: isAscending ? from : to, id: '' };
  return sql
    .exec<ListRow>(
      `SELECT resource.id, ${by} AS at, body FROM ${source ?? `resource INDEXED BY ${indexOf(filters, by)}`}
         WHERE kind = ?${filters.map((filter) => ` AND ${filter} = ?`).join('')}
           AND ${by} ${isAscending ? '<' : '>='} ? AND (${by}, resource.id) ${isAscending ? '>' : '<'} (?, ?)
         ORDER BY ${isAscending ? `${by}, resource.id` : `${by} DESC, resource.id DESC`} LIMIT ?`,
      kind,
      ...Object.values(narrowed),
      toColumn(isAscending ? to : from, by),
      toColumn(start.at, by),
      start.id,
      limit + 1,
    )
    .toArray();
}

function isBefore(one: ListRow, other: ListRow): boolean {
  return one.at === other.at ? one.id < other.id : one.at < other.at;
}

function toColumn(ms: number, order: ListOrder): number | string {
  return order === 'created_at' ? ms : new Date(ms).toISOString();
}

function toCursor({ at, id }: { readonly at: number | string; readonly id: string }, order: ListOrder): string {
  const place = order === 'created_at' ? String(at) : `c${Date.parse(String(at))}`;
  return toBase64Url(new TextEncoder().encode(`${place}:${id}`));
}

/** Reads a cursor; undefined for other text, or for a cursor of a list in another order. */
export function parseCursor(
  cursor: string,
  order: ListOrder,
): { readonly at: number; readonly id: string } | undefined {
  try {
    const text = new TextDecoder().decode(fromBase64Url(cursor));
    const [, mark, at, id = ''] = /^(c?)(\d{1,15}):([a-z]{2}_[0-9A-Z]{26})$/.exec(text) ?? [];
    return mark === (order === 'created_at' ? '' : 'c') ? { at: Number(at), id } : undefined;
  } catch {
    return undefined;
  }
}
