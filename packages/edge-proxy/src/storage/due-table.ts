/** What an object has to do later. An object has one alarm: the table holds all times, the alarm the earliest. */

export interface DueRow {
  readonly kind: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly attempt: number;
}

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 5 * 60_000;

/** The `due` table of one object. Writes join the caller's commit as long as nothing is awaited in between. */
export class DueTable {
  readonly #storage: DurableObjectStorage;
  /** The alarm as this instance last set it; undefined: not known. */
  #armedAt: number | null | undefined;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  static readonly SCHEMA: string =
    'CREATE TABLE IF NOT EXISTS due (kind TEXT PRIMARY KEY, at INTEGER NOT NULL, attempt INTEGER NOT NULL) WITHOUT ROWID;';

  /** Plans a thing, or moves it to another time. */
  set(kind: string, at: number, attempt = 0): void {
    this.#storage.sql.exec('INSERT OR REPLACE INTO due (kind, at, attempt) VALUES (?, ?, ?)', kind, at, attempt);
  }

  /** Plans a thing no later than this. */
  setEarlier(kind: string, at: number): void {
    const row = this.get(kind);
    if (row === undefined || row.at > at) this.set(kind, at);
  }

  clear(kind: string): void {
    this.#storage.sql.exec('DELETE FROM due WHERE kind = ?', kind);
  }

  get(kind: string): DueRow | undefined {
    return this.#rows('WHERE kind = ?', kind)[0];
  }

  isDue(kind: string): boolean {
    const row = this.get(kind);
    return row !== undefined && row.at <= Date.now();
  }

  /** Sets the object's alarm to the earliest thing. Call it in the same turn as the writes it belongs to. */
  arm(): void {
    const earliest = this.#rows('ORDER BY at LIMIT 1')[0]?.at ?? null;
    if (earliest === this.#armedAt) return;
    this.#armedAt = earliest;
    void (earliest === null ? this.#storage.deleteAlarm() : this.#storage.setAlarm(earliest));
  }

  /**
   * Runs what is due, each thing independently, and always arms the alarm again. A thing that fails is tried again
   * later. Never throws: the runtime gives up on an alarm that throws a few times.
   */
  async run(now: number, handle: (row: DueRow) => Promise<void>): Promise<void> {
    // The alarm that called us is used up.
    this.#armedAt = undefined;
    try {
      await Promise.allSettled(
        this.#rows('WHERE at <= ? ORDER BY at', now).map(async (row) => {
          try {
            await handle(row);
          } catch (error) {
            const delay = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** row.attempt);
            this.set(row.kind, Date.now() + delay, row.attempt + 1);
            console.error(
              JSON.stringify({ level: 'error', message: 'due_failed', kind: row.kind, error: String(error) }),
            );
          }
        }),
      );
    } finally {
      this.arm();
    }
  }

  #rows(which: string, ...bindings: (string | number)[]): DueRow[] {
    return this.#storage.sql
      .exec<{ kind: string; at: number; attempt: number }>(`SELECT kind, at, attempt FROM due ${which}`, ...bindings)
      .toArray();
  }
}
