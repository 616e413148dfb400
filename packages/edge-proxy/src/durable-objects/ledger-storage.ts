/** The SQLite tables of one property's ledger. Every row is described in STORAGE.md. */
import { fromBase64Url, toBase64Url } from '../crypto/encoding.ts';
import { DueTable } from './due-table.ts';

/** A resource as lists show it. */
export interface ListedResource {
  readonly id: string;
  readonly kind: string;
  readonly seq: number;
  readonly status: string;
  readonly reference: string;
  readonly createdAt: number;
  /** JSON of the resource as a merchant sees it, secrets reduced. */
  readonly body: string;
}

/** Which resources to export. Instants in milliseconds, `to` not included. */
export interface RangeQuery {
  readonly kind: string;
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  readonly cursor: string | null;
}

/** One event on its way to one endpoint. */
export interface Delivery {
  readonly position: number;
  readonly endpoint: string;
  readonly failures: number;
  readonly eventId: string;
  /** The event's JSON, sent as it is. */
  readonly body: string;
}

/** Typed access to the tables. */
export class LedgerStorage {
  readonly #sql: SqlStorage;
  #isPrepared = false;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /** Whether anything was ever stored: reading an empty ledger must not create one. */
  exists(): boolean {
    this.#isPrepared ||= this.#sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'ledger'").toArray().length > 0;
    return this.#isPrepared;
  }

  /** Creates the tables of a property's ledger. */
  prepare(property: string): void {
    if (this.exists()) return;
    this.#sql.exec(
      `CREATE TABLE ledger (property TEXT PRIMARY KEY, last_position INTEGER NOT NULL) WITHOUT ROWID;
       CREATE TABLE resource (id TEXT PRIMARY KEY, kind TEXT NOT NULL, seq INTEGER NOT NULL, status TEXT NOT NULL,
         reference TEXT NOT NULL, created_at INTEGER NOT NULL, body TEXT NOT NULL) WITHOUT ROWID;
       CREATE INDEX resource_by_time ON resource (kind, created_at DESC, id DESC);
       CREATE TABLE event (position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, body TEXT NOT NULL);
       CREATE TABLE delivery (position INTEGER NOT NULL, endpoint TEXT NOT NULL, at INTEGER NOT NULL, failures INTEGER NOT NULL,
         PRIMARY KEY (position, endpoint)) WITHOUT ROWID;
       CREATE INDEX delivery_by_time ON delivery (endpoint, at);
       CREATE TABLE disabled_endpoint (endpoint TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
       ${DueTable.SCHEMA}`,
    );
    this.#sql.exec('INSERT INTO ledger (property, last_position) VALUES (?, 0)', property);
    this.#isPrepared = true;
  }

  /** Whose ledger this is. */
  property(): string {
    return this.#sql.exec<{ property: string }>('SELECT property FROM ledger').one().property;
  }

  /** Stores a version unless a newer one is there already. */
  upsertResource(resource: ListedResource): void {
    this.#sql.exec(
      `INSERT INTO resource (id, kind, seq, status, reference, created_at, body) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, status = excluded.status, body = excluded.body
       WHERE excluded.seq > resource.seq`,
      resource.id,
      resource.kind,
      resource.seq,
      resource.status,
      resource.reference,
      resource.createdAt,
      resource.body,
    );
  }

  /** Gives an event the next position; undefined when it has one already. */
  appendEvent(
    id: string,
    type: string,
    news: { readonly at: number; readonly resource: ListedResource },
  ): number | undefined {
    if (this.findEvent(id) !== undefined) return undefined;
    const { position } = this.#sql
      .exec<{ position: number }>(
        'UPDATE ledger SET last_position = last_position + 1 RETURNING last_position AS position',
      )
      .one();
    const event = {
      id,
      type,
      timestamp: new Date(news.at).toISOString(),
      seq: position,
      data: { object: JSON.parse(news.resource.body) as unknown },
    };
    this.#sql.exec(
      'INSERT INTO event (position, id, at, body) VALUES (?, ?, ?, ?)',
      position,
      id,
      news.at,
      JSON.stringify(event),
    );
    return position;
  }

  findEvent(id: string): { position: number; body: string } | undefined {
    return this.#sql
      .exec<{ position: number; body: string }>('SELECT position, body FROM event WHERE id = ?', id)
      .toArray()[0];
  }

  listEvents(after: number, limit: number): { items: string[]; nextAfter: number } {
    const rows = this.#sql
      .exec<{ position: number; body: string }>(
        'SELECT position, body FROM event WHERE position > ? ORDER BY position LIMIT ?',
        after,
        limit,
      )
      .toArray();
    return { items: rows.map(({ body }) => body), nextAfter: rows.at(-1)?.position ?? after };
  }

  listResources(query: {
    readonly kind: string;
    readonly status: string | null;
    readonly reference: string | null;
    readonly limit: number;
    readonly cursor: string | null;
  }): { items: string[]; nextCursor: string | null } {
    const from = query.cursor === null ? undefined : parseCursor(query.cursor);
    const rows = this.#sql
      .exec<{ id: string; created_at: number; body: string }>(
        `SELECT id, created_at, body FROM resource
         WHERE kind = ?1 AND (?2 IS NULL OR status = ?2) AND (?3 IS NULL OR reference = ?3)
           AND (?4 IS NULL OR (created_at, id) < (?4, ?5))
         ORDER BY created_at DESC, id DESC LIMIT ?6`,
        query.kind,
        query.status,
        query.reference,
        from?.createdAt ?? null,
        from?.id ?? '',
        query.limit + 1,
      )
      .toArray();
    const page = rows.slice(0, query.limit);
    const last = page.at(-1);
    return {
      items: page.map(({ body }) => body),
      nextCursor: rows.length > page.length && last !== undefined ? toCursor(last.created_at, last.id) : null,
    };
  }

  /** Resources of one kind created in a range, oldest first. */
  listRange(query: RangeQuery): { items: string[]; nextCursor: string | null } {
    const after = query.cursor === null ? undefined : parseCursor(query.cursor);
    const rows = this.#sql
      .exec<{ id: string; created_at: number; body: string }>(
        `SELECT id, created_at, body FROM resource
         WHERE kind = ? AND created_at >= ? AND created_at < ? AND (created_at, id) > (?, ?)
         ORDER BY created_at, id LIMIT ?`,
        query.kind,
        query.from,
        query.to,
        after?.createdAt ?? 0,
        after?.id ?? '',
        query.limit,
      )
      .toArray();
    const last = rows.length < query.limit ? undefined : rows.at(-1);
    const nextCursor = last === undefined ? null : toCursor(last.created_at, last.id);
    return { items: rows.map(({ body }) => body), nextCursor };
  }

  planDelivery(position: number, endpoint: string, at: number): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO delivery (position, endpoint, at, failures) VALUES (?, ?, ?, 0)',
      position,
      endpoint,
      at,
    );
  }

  postponeDelivery(delivery: Delivery, at: number): void {
    this.#sql.exec(
      'UPDATE delivery SET at = ?, failures = failures + 1 WHERE position = ? AND endpoint = ?',
      at,
      delivery.position,
      delivery.endpoint,
    );
  }

  endDelivery(delivery: Delivery): void {
    this.#sql.exec('DELETE FROM delivery WHERE position = ? AND endpoint = ?', delivery.position, delivery.endpoint);
  }

  dueDeliveries(endpoint: string, now: number, limit: number): Delivery[] {
    return this.#sql
      .exec<{ position: number; endpoint: string; failures: number; eventId: string; body: string }>(
        `SELECT delivery.position, endpoint, failures, event.id AS eventId, body FROM delivery JOIN event USING (position)
         WHERE endpoint = ? AND delivery.at <= ? ORDER BY delivery.at, delivery.position LIMIT ?`,
        endpoint,
        now,
        limit,
      )
      .toArray();
  }

  nextDeliveryAt(): number | undefined {
    return this.#sql.exec<{ at: number | null }>('SELECT min(at) AS at FROM delivery').one().at ?? undefined;
  }

  isDisabled(endpoint: string): boolean {
    return this.#sql.exec('SELECT 1 FROM disabled_endpoint WHERE endpoint = ?', endpoint).toArray().length > 0;
  }

  /** Ends all deliveries to an endpoint and takes no new ones. */
  disable(endpoint: string, now: number): void {
    this.#sql.exec('INSERT OR REPLACE INTO disabled_endpoint (endpoint, at) VALUES (?, ?)', endpoint, now);
    this.#sql.exec('DELETE FROM delivery WHERE endpoint = ?', endpoint);
  }

  enable(endpoint: string): void {
    this.#sql.exec('DELETE FROM disabled_endpoint WHERE endpoint = ?', endpoint);
  }

  /** Drops deliveries to endpoints that are no longer configured. */
  keepEndpoints(endpoints: readonly string[]): void {
    const known = JSON.stringify(endpoints);
    this.#sql.exec('DELETE FROM delivery WHERE endpoint NOT IN (SELECT value FROM json_each(?))', known);
  }

  forget(limits: { readonly eventsBefore: number; readonly resourcesBefore: number }): void {
    this.#sql.exec(
      'DELETE FROM delivery WHERE position IN (SELECT position FROM event WHERE at < ?)',
      limits.eventsBefore,
    );
    this.#sql.exec('DELETE FROM event WHERE at < ?', limits.eventsBefore);
    this.#sql.exec('DELETE FROM resource WHERE created_at < ?', limits.resourcesBefore);
  }
}

function toCursor(createdAt: number, id: string): string {
  return toBase64Url(new TextEncoder().encode(`${createdAt}:${id}`));
}

/** Reads a cursor; undefined for text that is none. */
export function parseCursor(cursor: string): { readonly createdAt: number; readonly id: string } | undefined {
  try {
    const [, createdAt, id] =
      /^(\d{1,15}):([a-z]{2}_[0-9A-Z]{26})$/.exec(new TextDecoder().decode(fromBase64Url(cursor))) ?? [];
    return createdAt === undefined || id === undefined ? undefined : { createdAt: Number(createdAt), id };
  } catch {
    return undefined;
  }
}
