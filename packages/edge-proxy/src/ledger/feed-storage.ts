/** The SQLite tables of a platform's feed. Positions have no gaps, because only one object gives them. */
import { SCHEDULE_TABLE, type Schedule, tableSchedule } from '../objects/schedule.ts';
import { makeTables } from '../objects/schema-version.ts';
import { redactedText } from '../records/redacted.ts';

/** An event of a hotel: its position in the hotel's feed, and its JSON. */
export interface ForwardedEvent {
  readonly position: number;
  readonly body: string;
  /** Earlier events of the hotel whose words are to be erased. */
  readonly redacts?: readonly RedactedEvent[];
  /** It is told only where one of those is. */
  readonly isForErasure?: boolean;
  /** It is told nowhere: the platform no longer has the hotel. */
  readonly isUntold?: boolean;
}

/** An event whose words are to be erased, and when it happened. */
interface RedactedEvent {
  readonly position: number;
  readonly at: number;
  /** A ledger of an earlier version does not say it. */
  readonly id?: string;
}

/** Which events to show. */
export interface FeedQuery {
  readonly after: number;
  readonly limit: number;
  /** Of which hotels: ids, and beginnings of ids followed by `*`. */
  readonly patterns: readonly string[];
}

type Entry = { readonly position: number; readonly body: string };

/** How many events one page may pass over that are not of the hotels asked for. */
const MAX_PASSED_OVER = 5_000;
const FORGET_BATCH = 500;

export class FeedStorage {
  readonly due: Schedule;
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.due = tableSchedule(storage, () => true);
    makeTables(
      this.#sql,
      `CREATE TABLE IF NOT EXISTS entry (position INTEGER PRIMARY KEY, property TEXT NOT NULL, at INTEGER NOT NULL, body TEXT NOT NULL);
       CREATE TABLE IF NOT EXISTS source (property TEXT PRIMARY KEY, seq INTEGER NOT NULL) WITHOUT ROWID;
       CREATE TABLE IF NOT EXISTS feed (last_position INTEGER NOT NULL);
       INSERT INTO feed (last_position) SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM feed);
       ${SCHEDULE_TABLE}`,
    );
  }

  /** Adds what the feed does not have yet of a hotel's events. They come in order, and may come again. */
  append(property: string, events: readonly ForwardedEvent[], now: number): void {
    this.#storage.transactionSync(() => {
      const [known] = this.#sql.exec<{ seq: number }>('SELECT seq FROM source WHERE property = ?', property).toArray();
      let [seq, position] = [known?.seq ?? 0, this.lastPosition()];
      for (const event of events) {
        if (event.position <= seq && this.#has(property, event)) continue;
        const erased = (event.redacts ?? []).filter((earlier) => this.#redact(property, earlier));
        if (event.isUntold === true) continue;
        if (event.isForErasure === true && erased.length === 0) {
          // It was never stored, so nothing tells whether it comes a second time: what follows is not new for that.
          seq = Math.max(seq, event.position);
          continue;
        }
        seq = event.position;
        position += 1;
        this.#sql.exec(
          'INSERT INTO entry (position, property, at, body) VALUES (?, ?, ?, ?)',
          position,
          property,
          now,
          event.body,
        );
      }
      this.#sql.exec('INSERT OR REPLACE INTO source (property, seq) VALUES (?, ?)', property, seq);
      this.#sql.exec('UPDATE feed SET last_position = ?', position);
    });
  }

  /** Not only by its position: a ledger that was restored or began again gives positions a second time. */
  #has(property: string, { position: seq, body }: ForwardedEvent): boolean {
    const { id } = JSON.parse(body) as { readonly id: string };
    return this.#named(property, seq, id) !== undefined;
  }

  #named(property: string, seq: number, id: string): Entry | undefined {
    return this.#sql
      .exec<Entry>(
        `SELECT position, body FROM entry WHERE property = ? AND body ->> '$.seq' = ? AND body ->> '$.id' = ?
         ORDER BY position DESC LIMIT 1`,
        property,
        seq,
        id,
      )
      .toArray()[0];
  }

  /** Erases the words of an event; false when it is not here. */
  #redact(property: string, earlier: RedactedEvent): boolean {
    const found = this.#find(property, earlier);
    if (found === undefined) return false;
    this.#sql.exec('UPDATE entry SET body = ? WHERE position = ?', redactedText(found.body), found.position);
    return true;
  }

  /** Looks from when the event happened on, since a feed is told soon after; then from the start, since a clock may have gone back. */
  #find(property: string, { position: seq, at, id }: RedactedEvent): Entry | undefined {
    for (const start of [this.#firstSince(at), 0]) {
      // A hotel's events come in order.
      const [found] = this.#sql
        .exec<Entry & { seq: number; id: string }>(
          `SELECT position, body ->> '$.seq' AS seq, body ->> '$.id' AS id, body FROM entry
           WHERE position >= ? AND property = ? AND body ->> '$.seq' >= ? ORDER BY position LIMIT 1`,
          start,
          property,
          seq,
        )
        .toArray();
      if (found?.seq !== seq) continue;
      return id === undefined || found.id === id ? found : this.#named(property, seq, id);
    }
    return undefined;
  }

  /** The first position of what has come since an instant. */
  #firstSince(at: number): number {
    let [low, high] = [0, this.lastPosition() + 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const [entry] = this.#sql.exec<{ at: number }>('SELECT at FROM entry WHERE position = ?', middle).toArray();
      if ((entry?.at ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  lastPosition(): number {
    return this.#sql.exec<{ position: number }>('SELECT last_position AS position FROM feed').one().position;
  }

  /** Events after a position, oldest first. A page may be empty although more follow. */
  list({ after, limit, patterns }: FeedQuery): { items: string[]; nextAfter: number } {
    const [oldest] = this.#sql
      .exec<{ position: number }>('SELECT position FROM entry WHERE position > ? ORDER BY position LIMIT 1', after)
      .toArray();
    if (oldest === undefined) return { items: [], nextAfter: Math.min(after, this.lastPosition()) };
    const end = Math.min(oldest.position - 1 + MAX_PASSED_OVER, this.lastPosition());
    const rows = this.#sql
      .exec<{ position: number; body: string }>(
        `SELECT position, '{"position":' || position || ',' || substr(body, 2) AS body FROM entry
         WHERE position > ? AND position <= ? AND EXISTS (SELECT 1 FROM json_each(?) WHERE entry.property GLOB value)
         ORDER BY position LIMIT ?`,
        after,
        end,
        JSON.stringify(patterns),
        limit,
      )
      .toArray();
    const last = rows.length === limit ? rows.at(-1)?.position : undefined;
    return { items: rows.map(({ body }) => body), nextAfter: last ?? end };
  }

  /** Deletes a batch of what came before an instant, or of what is too much for the object; true when there may be more. */
  forget({ before, maxBytes }: { readonly before: number; readonly maxBytes: number }): boolean {
    const isFull = this.#sql.databaseSize > maxBytes;
    const old = `SELECT position FROM entry ORDER BY position LIMIT ${FORGET_BATCH}`;
    const gone = this.#sql
      .exec<{ at: number }>(
        `DELETE FROM entry WHERE position IN (${old}) AND at < ? RETURNING at`,
        isFull ? Number.MAX_SAFE_INTEGER : before,
      )
      .toArray();
    return gone.length === FORGET_BATCH;
  }

  isLarge(maxBytes: number): boolean {
    return this.#sql.databaseSize > maxBytes;
  }
}
