/** The SQLite tables of one property's ledger. Every row is described in STORAGE.md. */

import type { WebhookEventType } from '@innkeep/core/contract';
import { log } from '../http/log.ts';
import type { ListedResource } from '../records/ledger-update.ts';
import { redactedText } from '../records/redacted.ts';
import type { ForwardedEvent } from './feed-storage.ts';
import { EVENT_BODY, hasLedger, IS_CARD, makeLedger } from './ledger-tables.ts';
import { paymentEntries } from './payment-entries.ts';
import type { Listed } from './payment-lines.ts';
import { PaymentTable } from './payment-table.ts';
import { type ListPage, type ListQuery, listResources } from './resource-list.ts';

export interface EventContent {
  readonly at: number;
  readonly data: { readonly object: unknown; readonly duplicate?: unknown; readonly redacted?: readonly number[] };
}

export class LedgerStorage {
  readonly #sql: SqlStorage;
  readonly #payments: PaymentTable;
  #isPrepared = false;
  #property: string | undefined;
  #hasLive = false;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#payments = new PaymentTable(storage.sql);
  }

  /** Whether anything was ever stored. Reading must not create tables. */
  exists(): boolean {
    this.#isPrepared ||= hasLedger(this.#sql);
    return this.#isPrepared;
  }

  /** Makes the tables. Call it outside of a transaction, whose failure would undo it. */
  prepare(property: string): void {
    if (this.exists()) return;
    makeLedger(this.#sql, property);
  }

  property(): string {
    this.#property ??= this.#sql.exec<{ property: string }>('SELECT property FROM ledger').one().property;
    return this.#property;
  }

  /** Stores a version; false when it, or a newer one, is there already. */
  upsertResource(resource: ListedResource): boolean {
    const [before] = this.#sql
      .exec<{ seq: number; createdAt: number; body: string }>(
        'SELECT seq, created_at AS createdAt, body FROM resource WHERE id = ?',
        resource.id,
      )
      .toArray();
    // Its key was used again once it had been erased: another resource, which counts its versions from 1.
    const isAnother = before !== undefined && before.seq >= resource.seq && before.createdAt < resource.createdAt;
    if (isAnother) this.#sql.exec('DELETE FROM resource WHERE id = ?', resource.id);
    const { rowsWritten } = this.#sql.exec(
      `INSERT INTO resource (id, kind, seq, status, reference, created_at, request_id, network, body)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, status = excluded.status, body = excluded.body
       WHERE excluded.seq > resource.seq`,
      resource.id,
      resource.kind,
      resource.seq,
      resource.status,
      resource.reference,
      resource.createdAt,
      resource.madeBy.requestId,
      resource.madeBy.network,
      resource.body,
    );
    if (rowsWritten === 0) return false;
    this.#noteMode(resource.body);
    const { id } = resource;
    const after = paymentEntries({ ...resource, ...(before && !isAnother && { createdAt: before.createdAt }) });
    this.#payments.replace(before === undefined ? [] : paymentEntries({ id, ...before }), after);
    return true;
  }

  /** Notes that there is real money, and until when there may have been test money: once a day, since each row written costs. */
  #noteMode(body: string): void {
    const now = Date.now();
    if (body.includes('"livemode":true'))
      this.#sql.exec("INSERT OR IGNORE INTO stored (kind, rows) VALUES ('live', 0), ('test_until', ?)", now);
    else
      this.#sql.exec(
        `INSERT INTO stored (kind, rows) VALUES ('test_until', ?)
         ON CONFLICT (kind) DO UPDATE SET rows = excluded.rows WHERE rows < ?`,
        now + DAY_MS,
        now,
      );
  }

  /** Whether test money may have moved since then. Unknown for what was stored before that was noted. */
  mayHaveTest(since: number): boolean {
    return since <= (this.#stored('test_until') ?? Number.POSITIVE_INFINITY);
  }

  #stored(kind: string): number | undefined {
    return this.#sql.exec<{ rows: number }>('SELECT rows FROM stored WHERE kind = ?', kind).toArray()[0]?.rows;
  }

  /** The stored version of a resource; undefined when there is none. */
  find(id: string): { readonly status: string; readonly reference: string | null } | undefined {
    return this.#sql
      .exec<{ status: string; reference: string | null }>('SELECT status, reference FROM resource WHERE id = ?', id)
      .toArray()[0];
  }

  /** Whether anything was of real money. If that was not noted: whether the first or the last of a kind is. */
  hasLive(): boolean {
    this.#hasLive ||=
      this.#stored('live') !== undefined ||
      KINDS.some((kind) =>
        ['ASC', 'DESC'].some((order) =>
          this.#sql
            .exec<{ live: number }>(
              `SELECT body ->> '$.livemode' AS live FROM resource INDEXED BY resource_by_time
               WHERE kind = ? ORDER BY created_at ${order} LIMIT 1`,
              kind,
            )
            .toArray()
            .some(({ live }) => live === 1),
        ),
      );
    return this.#hasLive;
  }

  /** A resource as its lists have it; undefined when there is none. */
  resource(id: string): Listed | undefined {
    const [row] = this.#sql.exec<{ body: string }>('SELECT body FROM resource WHERE id = ?', id).toArray();
    return row && (JSON.parse(row.body) as Listed);
  }

  /** Position of the last event of the feed. */
  position(): number {
    return this.#sql.exec<{ position: number }>('SELECT last_position AS position FROM ledger').one().position;
  }

  /**
   * Erases the words of the events about a resource that was redacted. Returns the positions of those events.
   * @param ids of the events that can be told from the resource
   */
  redact(resource: string, ids: readonly string[]): number[] {
    this.#sql.exec('UPDATE resource SET reference = NULL WHERE id = ?', resource);
    const events = this.#sql
      .exec<{ position: number; body: string }>(
        'SELECT position, body FROM event WHERE id IN (SELECT value FROM json_each(?)) OR resource = ? ORDER BY position',
        JSON.stringify(ids),
        resource,
      )
      .toArray();
    for (const { position, body } of events) {
      this.#sql.exec('UPDATE event SET body = ? WHERE position = ?', redactedText(body), position);
    }
    return events.map(({ position }) => position);
  }

  /**
   * Gives an event the next position; undefined when it has one already.
   * @param resource whose it is, when its id does not tell that
   */
  appendEvent(id: string, type: WebhookEventType, news: EventContent, resource?: string): number | undefined {
    if (this.findEvent(id) !== undefined) return undefined;
    const { position } = this.#sql
      .exec<{ position: number }>(
        'UPDATE ledger SET last_position = last_position + 1 RETURNING last_position AS position',
      )
      .one();
    const event = { id, type, timestamp: new Date(news.at).toISOString(), seq: position, data: news.data };
    this.#sql.exec(
      'INSERT INTO event (position, id, at, body, resource) VALUES (?, ?, ?, ?, ?)',
      position,
      id,
      news.at,
      JSON.stringify(event),
      resource ?? null,
    );
    return position;
  }

  findEvent(id: string): { position: number; body: string } | undefined {
    return this.#sql
      .exec<{ position: number; body: string }>(`SELECT position, ${EVENT_BODY} AS body FROM event WHERE id = ?`, id)
      .toArray()[0];
  }

  /** Events after a position, oldest first. */
  eventsAfter(after: number, limit: number): { position: number; body: string }[] {
    return this.#sql
      .exec<{ position: number; body: string }>(
        `SELECT position, ${EVENT_BODY} AS body FROM event WHERE position > ? ORDER BY position LIMIT ?`,
        after,
        limit,
      )
      .toArray();
  }

  /** The same for a platform's feed, with the events that it has to redact. */
  eventsToForward(platform: string, limit: number): ForwardedEvent[] {
    return this.eventsAfter(this.feedPosition(platform), limit).map((event) => {
      if (!event.body.includes('"type":"payment.redacted"')) return event;
      const { redacted } = (JSON.parse(event.body) as { readonly data: EventContent['data'] }).data;
      const redacts = this.#sql
        .exec<{ position: number; at: number; id: string }>(
          'SELECT position, at, id FROM event WHERE position IN (SELECT value FROM json_each(?))',
          JSON.stringify(redacted ?? []),
        )
        .toArray();
      return { ...event, redacts };
    });
  }

  /** Platforms whose feeds have taken over events. */
  toldPlatforms(): string[] {
    const rows = this.#sql.exec<{ platform: string }>(
      "SELECT platform FROM feed_cursor WHERE instr(platform, ':') = 0",
    );
    return rows.toArray().map(({ platform }) => platform);
  }

  /** Position of the last event that a platform's feed has taken over; 0 when there is none. */
  feedPosition(platform: string): number {
    const [row] = this.#sql
      .exec<{ position: number }>('SELECT position FROM feed_cursor WHERE platform = ?', platform)
      .toArray();
    return row?.position ?? 0;
  }

  moveFeed(platform: string, position: number): void {
    this.#sql.exec('INSERT OR REPLACE INTO feed_cursor (platform, position) VALUES (?, ?)', platform, position);
  }

  /** A position beyond the feed leads to its end: it comes from a ledger that was lost since. */
  listEvents(after: number, limit: number): { items: string[]; nextAfter: number } {
    const rows = this.eventsAfter(after, limit);
    const nextAfter = rows.at(-1)?.position ?? Math.min(after, this.position());
    return { items: rows.map(({ body }) => body), nextAfter };
  }

  list(query: ListQuery, direction: 'oldest' | 'newest'): ListPage {
    return listResources(this.#sql, query, direction);
  }

  /** Ids of sessions that have stored a card, after one of them. */
  cardSessions(after: string, limit: number): string[] {
    return this.#sql
      .exec<{ id: string }>(`SELECT id FROM resource WHERE ${IS_CARD} AND id > ? ORDER BY id LIMIT ?`, after, limit)
      .toArray()
      .map(({ id }) => id);
  }

  /** How long the hotel keeps its payments' words, as far as it was ever known. */
  retentionDays(): number | null {
    return this.#sql.exec<{ days: number | null }>('SELECT retention_days AS days FROM ledger').one().days;
  }

  keepRetentionDays(days: number): void {
    this.#sql.exec('UPDATE ledger SET retention_days = ? WHERE retention_days IS NOT ?', days, days);
  }

  /** When its hotel was first noticed to be gone; infinite while it exists. */
  goneSince(isGone: boolean, now: number): number {
    if (isGone) this.#sql.exec("INSERT OR IGNORE INTO stored (kind, rows) VALUES ('gone_since', ?)", now);
    else this.#sql.exec("DELETE FROM stored WHERE kind = 'gone_since'");
    return this.#stored('gone_since') ?? Number.POSITIVE_INFINITY;
  }

  /** Deletes a batch of old events; true when there are more. */
  forgetEvents(before: number): boolean {
    const old = `SELECT position FROM event INDEXED BY event_by_time WHERE at < ? ORDER BY at, position LIMIT ${FORGET_BATCH}`;
    this.#sql.exec(`DELETE FROM unplanned WHERE position IN (${old})`, before);
    const undelivered = this.#sql
      .exec<{ endpoint: string }>(
        `DELETE FROM delivery WHERE endpoint IN (SELECT key FROM endpoint) AND position IN (${old}) RETURNING endpoint`,
        before,
      )
      .toArray();
    for (const { endpoint } of undelivered) {
      this.#sql.exec('UPDATE endpoint SET given_up = given_up + 1 WHERE key = ?', endpoint);
    }
    if (undelivered.length > 0) {
      log('warn', 'webhooks_given_up', { property: this.property(), deliveries: undelivered.length });
    }
    const events = this.#sql.exec(`DELETE FROM event WHERE position IN (${old}) RETURNING 1`, before).toArray();
    return events.length === FORGET_BATCH;
  }

  /** Forgets a resource whose object is gone; not a later one with the same id. */
  forgetResource({ id, createdAt }: { readonly id: string; readonly createdAt: number }): void {
    const gone = this.#sql
      .exec<{ id: string; createdAt: number; body: string }>(
        'DELETE FROM resource WHERE id = ? AND created_at = ? RETURNING id, created_at AS createdAt, body',
        id,
        createdAt,
      )
      .toArray();
    for (const resource of gone) this.#payments.replace(paymentEntries(resource), []);
  }
}

/** Kinds of resources, in the order of an export. */
export const KINDS = ['checkout_session', 'charge', 'reversal'] as const;

const FORGET_BATCH = 500;
const DAY_MS = 24 * 60 * 60_000;
