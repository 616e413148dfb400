/** Writes a ledger's file without its runtime: through the ledger's own storage, over the SQLite of Node. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { IntentTable } from '../../src/ledger/intent-table.ts';
import { LedgerStorage } from '../../src/ledger/ledger-storage.ts';
import { type Kind, payment } from './payments.ts';

const DAY_MS = 24 * 60 * 60_000;
/** How long the ledger keeps a payment, less a day: the first clean-up would take the oldest. */
const RESOURCE_DAYS = 399;
const EVENT_DAYS = 89;

export type LedgerFile = ReturnType<typeof openLedger>;

/** Opens a ledger's file, or one in memory. */
export function openLedger(path: string) {
  const database = new DatabaseSync(path);
  // Nothing is lost by a crash but this run.
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -4000000');
  const prepared = new Map<string, StatementSync>();
  const exec = (query: string, ...bindings: SQLInputValue[]): { toArray(): unknown[]; one(): unknown } => {
    if (/^\s*(CREATE|ALTER)\b/.test(query)) {
      database.exec(query);
      return { toArray: () => [], one: () => undefined };
    }
    let statement = prepared.get(query);
    if (statement === undefined) {
      statement = database.prepare(query);
      prepared.set(query, statement);
    }
    const rows = statement.all(...bindings);
    return { toArray: () => rows, one: () => rows[0] };
  };
  // As much of it as the tables of a ledger use.
  const storage = { sql: { exec } } as unknown as ConstructorParameters<typeof LedgerStorage>[0];
  const store = new LedgerStorage(storage);
  store.prepare('bench');
  new IntentTable(storage.sql).drop('');
  const pragma = (name: string): number => Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
  // Bytes are all that is stored, and the free pages.
  return { database, store, bytes: () => pragma('page_count') * pragma('page_size'), close: () => database.close() };
}

/** Fills it with payments of the last 400 days, evenly, and the events of the last 90. */
export function fill({ store, database }: LedgerFile, payments: number, now: number): void {
  const oldest = now - RESOURCE_DAYS * DAY_MS;
  database.exec('BEGIN');
  for (let nth = 0; nth < payments; nth++) {
    const createdAt = Math.floor(oldest + ((now - oldest) * nth) / payments);
    // Of ten payments six are sessions and four charges; one in sixteen is refunded in part.
    add(store, nth, { kind: nth % 5 < 3 ? 'checkout_session' : 'charge', createdAt, now });
    if (nth % 16 === 0) add(store, nth, { kind: 'reversal', createdAt: createdAt + 1, now });
  }
  database.exec('COMMIT');
}

function add(
  store: LedgerStorage,
  nth: number,
  { kind, createdAt, now }: { readonly kind: Kind; readonly createdAt: number; readonly now: number },
): void {
  const { resource, eventId, type, at } = payment(nth, kind, createdAt);
  store.upsertResource(resource);
  if (type === null || createdAt < now - EVENT_DAYS * DAY_MS) return;
  store.appendEvent(eventId, type, { at, data: { object: JSON.parse(resource.body) } });
}

/** What a row of each kind takes on disk, its indices included, and its event. */
export function bytesPerRow(kind: Kind, rows: number): { resource: number; event: number } {
  const now = Date.now();
  const sizes = [now, 0].map((startAt) => {
    const ledger = openLedger(':memory:');
    const empty = ledger.bytes();
    ledger.database.exec('BEGIN');
    // Far in the past there are no events.
    for (let nth = 0; nth < rows; nth++) add(ledger.store, nth, { kind, createdAt: startAt + nth * 1_000, now });
    ledger.database.exec('COMMIT');
    const size = (ledger.bytes() - empty) / rows;
    ledger.close();
    return size;
  });
  const [withEvents = 0, resource = 0] = sizes;
  return { resource: Math.round(resource), event: Math.round(withEvents - resource) };
}
