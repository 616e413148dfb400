/** The desk sessions of a hotel. A call with the secret of one reads its row. */
import type { StoredDeskSession } from '../properties/desk-session.ts';

export class DeskSessionTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Adds one, or replaces it. */
  put(session: StoredDeskSession): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO desk_session (id, expires_at, body) VALUES (?, ?, ?)',
      session.id,
      session.expiresAt,
      JSON.stringify(session),
    );
  }

  find(id: string): StoredDeskSession | undefined {
    return this.#read('WHERE id = ?', id)[0];
  }

  /** The newest first: ids sort by time. */
  list(before: string | null, limit: number): StoredDeskSession[] {
    return this.#read('WHERE id < ? ORDER BY id DESC LIMIT ?', before ?? 'ds_~', limit);
  }

  /** Deletes those that ended before an instant. */
  forget(before: number): void {
    this.#sql.exec('DELETE FROM desk_session WHERE expires_at < ?', before);
  }

  #read(which: string, ...bindings: (string | number)[]): StoredDeskSession[] {
    return this.#sql
      .exec<{ body: string }>(`SELECT body FROM desk_session ${which}`, ...bindings)
      .toArray()
      .map(({ body }) => JSON.parse(body) as StoredDeskSession);
  }
}
