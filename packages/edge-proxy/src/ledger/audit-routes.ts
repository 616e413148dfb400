/** `/v1/audit`: who did what. What a resource or a version of the configuration records itself is read from there. */
import { type AuditEntry, AuditRangeSchema, ListAuditSchema } from '@innkeep/core/contract';
import type { InferOutput } from 'valibot';
import { describe } from '../http/describe.ts';
import { fromBase64Url, toBase64Url } from '../http/encoding.ts';
import { ProblemError } from '../http/problem.ts';
import { json } from '../http/response-headers.ts';
import { toTimestamp } from '../http/timestamp.ts';
import { query } from '../http/validate.ts';
import type { AuditRow } from '../properties/audit-row.ts';
import { type AuditPlace, type AuditSlice, inOrder } from '../properties/audit-slice.ts';
import type { MerchantContext } from '../properties/caller-env.ts';
import type { DirectoryDependencies } from '../properties/property-routes.ts';
import { merchantApp, platformApp } from '../properties/resource-app.ts';
import { toCsvRow } from './csv.ts';
import { csvFile, requireRange } from './export-routes.ts';
import { type LedgerDependencies, noteRead } from './lists.ts';

type AuditDependencies = LedgerDependencies & DirectoryDependencies;

/** How many entries one page of a filtered list looks through. */
const MAX_PASSED_OVER = 250;
const PAGE = 500;
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

export const audit = merchantApp<AuditDependencies>({ tag: 'Audit' }).get(
  '/',
  describe({ id: 'listAudit', scopes: ['audit'] }),
  query(ListAuditSchema),
  async (c) => {
    return json(c, await readPage(c.req.valid('query'), (slice) => read(c, slice)));
  },
);

/** `/v1/platform/audit`. */
export const platformAudit = platformApp<DirectoryDependencies>({ tag: 'Audit' }).get(
  '/',
  describe({ id: 'listPlatformAudit', scopes: ['audit'] }),
  query(ListAuditSchema),
  async (c) => {
    const { directory } = c.get('dependencies');
    const patterns = c.get('principal').key.properties;
    const page = await readPage(c.req.valid('query'), async (slice) =>
      (await directory.platformAudit(slice, patterns)).map(toEntry),
    );
    return json(c, page);
  },
);

/** `/v1/audit.csv`. */
export const auditTable = merchantApp<AuditDependencies>({ tag: 'Audit' }).get(
  '/',
  describe({ id: 'exportAudit', scopes: ['audit'] }),
  query(AuditRangeSchema),
  async (c) => {
    const range = requireRange(c.req.valid('query'), ['from', 'to']);
    await noteRead(c, { action: 'export.read', resource: null, route: 'GET /v1/audit.csv' });
    const rows = async function* (): AsyncGenerator<string> {
      yield toCsvRow(COLUMNS);
      for (let cursor: AuditPlace | null = null; ; ) {
        const page = await read(c, { ...range, cursor, isAscending: true, limit: PAGE });
        yield page.map(toRow).join('');
        const last = page.at(-1);
        if (last === undefined) return;
        cursor = { at: Date.parse(last.at), id: last.id };
      }
    };
    return csvFile(c, rows(), { name: `${c.get('property').id}-audit`, ...range });
  },
);

/** A page of what `readSlice` gives, filtered by the query. */
async function readPage(
  { from = 0, to = LAST_INSTANT, limit, cursor, ...filter }: InferOutput<typeof ListAuditSchema>,
  readSlice: (slice: AuditSlice) => Promise<AuditEntry[]>,
) {
  if (to <= from) throw new ProblemError('invalid_request', { detail: 'Must be after "from"', param: 'to' });
  const place = cursor === undefined ? null : parseCursor(cursor);
  const passedOver = Object.keys(filter).length > 0 ? MAX_PASSED_OVER : limit;
  const found = await readSlice({ from, to, cursor: place, isAscending: false, limit: passedOver + 1 });
  const seen = found.slice(0, passedOver);
  const fitting = seen.filter((entry) => isMeant(entry, filter));
  const data = fitting.slice(0, limit);
  const last = fitting.length > limit ? data.at(-1) : found.length > passedOver ? seen.at(-1) : undefined;
  return { object: 'list', data, nextCursor: last === undefined ? null : toCursor(last) };
}

async function read(c: MerchantContext<AuditDependencies>, slice: AuditSlice): Promise<AuditEntry[]> {
  const { ledger, directory } = c.get('dependencies');
  const property = c.get('property').id;
  const parts = await Promise.all([ledger(property).audit(slice), directory.audit(property, slice)]);
  return inOrder(parts.flat(), slice).map((row) => toEntry({ property, ...row }));
}

function toEntry(row: AuditRow & { readonly property: string }): AuditEntry {
  return { object: 'audit_entry', ...row, at: toTimestamp(row.at) };
}

function isMeant(
  { action, by, resource }: AuditEntry,
  filter: Pick<InferOutput<typeof ListAuditSchema>, 'action' | 'key' | 'person' | 'resource'>,
): boolean {
  const has = { action, key: by.key, person: by.person, resource };
  return (Object.keys(has) as (keyof typeof has)[]).every((name) => (filter[name] ?? has[name]) === has[name]);
}

function toCursor({ at, id }: AuditEntry): string {
  return toBase64Url(new TextEncoder().encode(`${Date.parse(at)}:${id}`));
}

function parseCursor(cursor: string): AuditPlace {
  let text = '';
  try {
    text = new TextDecoder().decode(fromBase64Url(cursor));
  } catch {
    // Not Base64, so not a cursor.
  }
  const [, at, id] = /^(\d{1,15}):(au_\w{1,60})$/.exec(text) ?? [];
  if (id !== undefined) return { at: Number(at), id };
  throw new ProblemError('invalid_request', { detail: 'Not a cursor of this list', param: 'cursor' });
}

const COLUMNS = [
  'at',
  'action',
  'resource',
  'key',
  'person',
  'via',
  'network',
  'request_id',
  'status',
  'by_author',
  'version',
  'route',
  'code',
  'count',
  'id',
] as const;

function toRow({ by, requestId, byAuthor, ...entry }: AuditEntry): string {
  const cells = { ...entry, ...by, request_id: requestId, by_author: byAuthor };
  return toCsvRow(COLUMNS.map((name) => cells[name]));
}
