/** What an object has to do later. An object has one alarm: the table holds all times, the alarm the earliest. */

export interface DueRow {
  readonly kind: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly attempt: number;
}

interface PlannedRow {
  readonly row: DueRow;
  /** By the clock of then. */
  readonly plannedAt: number;
}

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 5 * 60_000;

/**
 * The `due` table of one object. Writes join the caller's commit as long as nothing is awaited in between. The rows are
 * kept in memory, since nobody else writes them; an alarm trusts the disk alone.
 */
export class DueTable {
  readonly #storage: DurableObjectStorage;
  #known: Map<string, PlannedRow> | undefined;
  /** The alarm as this instance last set it; undefined: not known. */
  #armedAt: number | null | undefined;
  #isRunning = false;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  static readonly SCHEMA: string =
    'CREATE TABLE IF NOT EXISTS due (kind TEXT PRIMARY KEY, at INTEGER NOT NULL, attempt INTEGER NOT NULL, planned_at INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;';

  /** All or nothing, for changes that plan something: what a failure undoes is not remembered. */
  transaction<Result>(change: () => Result): Result {
    try {
      return this.#storage.transactionSync(change);
    } catch (error) {
      this.reload();
      this.#armedAt = undefined;
      throw error;
    }
  }

  /** Forgets what it knows, which the next question then reads. */
  reload(): void {
    this.#known = undefined;
  }

  /** Plans a thing, or moves it to another time. */
  set(kind: string, at: number, attempt = 0): void {
    const row = this.get(kind);
    if (row?.at === at && row.attempt === attempt) return;
    const plannedAt = Date.now();
    const rows = this.#rows();
    this.#storage.sql.exec(
      'INSERT OR REPLACE INTO due (kind, at, attempt, planned_at) VALUES (?, ?, ?, ?)',
      kind,
      at,
      attempt,
      plannedAt,
    );
    rows.set(kind, { row: { kind, at, attempt }, plannedAt });
  }

  /** Plans a thing no later than this. */
  setEarlier(kind: string, at: number): void {
    const row = this.get(kind);
    if (row === undefined || row.at > at) this.set(kind, at);
  }

  clear(kind: string): void {
    if (this.get(kind) === undefined) return;
    this.#storage.sql.exec('DELETE FROM due WHERE kind = ?', kind);
    this.#rows().delete(kind);
  }

  get(kind: string): DueRow | undefined {
    return this.#rows().get(kind)?.row;
  }

  /**
   * Follows a clock that went back: what was planned later than it is now is due as long from now as it was from then. Whoever
   * touches the object calls it; its alarm may be as far away as the clock went back.
   */
  followClock(): void {
    const now = Date.now();
    const late = [...this.#rows().values()].filter(({ plannedAt }) => plannedAt > now);
    if (late.length === 0) return;
    for (const { row, plannedAt } of late) this.set(row.kind, row.at - (plannedAt - now), row.attempt);
    this.arm();
  }

  isDue(kind: string): boolean {
    const row = this.get(kind);
    return row !== undefined && row.at <= Date.now();
  }

  /**
   * Sets the object's alarm to the earliest thing. Call it in the same turn as the writes it belongs to. During a run nothing is
   * set: the alarm that called stays on disk until the run has ended, and comes again should it be cut off.
   */
  arm(): void {
    if (this.#isRunning) return;
    const [earliest] = this.#inOrder();
    const at = earliest?.at ?? null;
    if (at === this.#armedAt) return;
    this.#armedAt = at;
    void (at === null ? this.#storage.deleteAlarm() : this.#storage.setAlarm(at));
  }

  /**
   * Runs what is due, each thing independently, then what that has made due, each thing once; and always arms the alarm again. A
   * thing that fails is tried again later. Never throws: the runtime gives up on an alarm that throws a few times.
   */
  async run(now: number, handle: (row: DueRow) => Promise<void>): Promise<void> {
    this.reload();
    this.followClock();
    const handled = new Set<string>();
    const dueAt = (time: number) => this.#inOrder().filter(({ kind, at }) => at <= time && !handled.has(kind));
    this.#isRunning = true;
    try {
      for (let rows = dueAt(now); rows.length > 0; rows = dueAt(Date.now())) {
        for (const { kind } of rows) handled.add(kind);
        await Promise.allSettled(rows.map((row) => this.#attempt(row, handle)));
      }
    } finally {
      this.#isRunning = false;
      // The alarm that called us is used up.
      this.#armedAt = undefined;
      this.arm();
    }
  }

  async #attempt(row: DueRow, handle: (row: DueRow) => Promise<void>): Promise<void> {
    try {
      await handle(row);
    } catch (error) {
      const delay = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** row.attempt);
      this.set(row.kind, Date.now() + delay, row.attempt + 1);
      console.error(JSON.stringify({ level: 'error', message: 'due_failed', kind: row.kind, error: String(error) }));
    }
  }

  #inOrder(): DueRow[] {
    return [...this.#rows().values()].map(({ row }) => row).sort((one, other) => one.at - other.at);
  }

  #rows(): Map<string, PlannedRow> {
    this.#known ??= new Map(
      this.#storage.sql
        .exec<{ kind: string; at: number; attempt: number; planned_at: number }>(
          'SELECT kind, at, attempt, planned_at FROM due',
        )
        .toArray()
        .map(({ planned_at: plannedAt, ...row }) => [row.kind, { row, plannedAt }]),
    );
    return this.#known;
  }
}
