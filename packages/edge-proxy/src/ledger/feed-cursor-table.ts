/** How much of a hotel's feed each platform has been told. */
export class FeedCursorTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Position of the last event that the platform's feed has taken over; 0 when there is none. */
  position(platform: string): number {
    const [row] = this.#sql
      .exec<{ position: number }>('SELECT position FROM feed_cursor WHERE platform = ?', platform)
      .toArray();
    return row?.position ?? 0;
  }

  move(platform: string, position: number): void {
    this.#sql.exec('INSERT OR REPLACE INTO feed_cursor (platform, position) VALUES (?, ?)', platform, position);
  }
}
