/**
 * The storage of one object: SQLite in memory, with the runtime's transactions. What is written without waiting in
 * between becomes one commit; a commit counts once it was flushed, and what was not flushed is gone after a crash.
 */
import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite';

type Value = string | number | null | ArrayBuffer | Uint8Array;
type Row = Record<string, SQLOutputValue>;

/** When the things that an object writes become certain. */
export interface CommitPolicy {
  /**
   * Asked after the turn in which something was written first. Calls `flush` when the disk has it, now or later.
   * @param flush does nothing when the object has crashed in between
   */
  schedule(flush: () => void): void;
  /** Told when the alarm changed for good. */
  alarmChanged(): void;
}

/** How SQLite carries out each query that an object has run, by its text. */
export const queryPlans: Map<string, readonly string[]> = new Map();

interface Prepared {
  readonly statement: StatementSync;
  readonly isWrite: boolean;
  /** Whether it answers with rows. */
  readonly hasRows: boolean;
}

/** What is stored of one object, whatever happens to its instances. */
export class ObjectStore {
  /** The alarm as it is on disk; null when there is none. */
  alarm: number | null = null;
  readonly #sqlite = new DatabaseSync(':memory:');
  readonly #prepared = new Map<string, Prepared>();
  readonly #policy: CommitPolicy;
  #pendingAlarm: number | null | undefined;
  #isOpen = false;
  #depth = 0;
  #waiting: (() => void)[] = [];
  /** Grows with every crash: a flush of an earlier life must not commit what a later one writes. */
  #life = 0;

  constructor(policy: CommitPolicy) {
    this.#policy = policy;
  }

  /** Calls back once everything written so far is certain; at once when it is. Never after a crash. */
  whenFlushed(done: () => void): void {
    if (this.#isOpen) this.#waiting.push(done);
    else done();
  }

  /** Runs SQL, one statement or several. */
  run(query: string, bindings: readonly Value[]): Cursor {
    const prepared = this.#prepared.get(query);
    if (prepared === undefined && bindings.length === 0 && /;\s*\S/.test(query)) {
      this.#write();
      this.#sqlite.exec(query);
      return new Cursor([], 0);
    }
    const { statement, isWrite, hasRows } = prepared ?? this.#prepare(query);
    if (isWrite) this.#write();
    const given = bindings.map(toSqlite);
    if (!hasRows) return new Cursor([], Number(statement.run(...given).changes));
    const rows = statement.all(...given);
    return new Cursor(rows, isWrite ? rows.length : 0);
  }

  #prepare(query: string): Prepared {
    const isWrite = !/^\s*(SELECT|EXPLAIN|PRAGMA)\b/i.test(query);
    const hasRows = !isWrite || /\bRETURNING\b/i.test(query);
    const prepared = { statement: this.#sqlite.prepare(query), isWrite, hasRows };
    this.#prepared.set(query, prepared);
    if (!queryPlans.has(query)) queryPlans.set(query, this.#planOf(query));
    return prepared;
  }

  #planOf(query: string): string[] {
    if (!/^\s*(SELECT|UPDATE|DELETE|INSERT)\b/i.test(query)) return [];
    const steps = this.#sqlite.prepare(`EXPLAIN QUERY PLAN ${query}`).all();
    return steps.map(({ detail }) => String(detail));
  }

  /** The first row of a query; undefined when there is none, or no such table. */
  peek(query: string): Row | undefined {
    try {
      return this.#sqlite.prepare(query).get();
    } catch {
      return undefined;
    }
  }

  /** Bytes of the pages in use, that in which the runtime keeps what is its own among them. */
  size(): number {
    const [row] = this.run(
      'SELECT (page_count - freelist_count + 1) * page_size AS bytes FROM pragma_page_count, pragma_freelist_count, pragma_page_size',
      [],
    );
    return Number(row?.bytes);
  }

  /** Runs a closure whose writes happen all or not at all; they are part of the commit under way. */
  transaction<Result>(change: () => Result): Result {
    this.#write();
    const name = `s${++this.#depth}`;
    const alarm = this.#pendingAlarm;
    this.#sqlite.exec(`SAVEPOINT ${name}`);
    try {
      const result = change();
      this.#sqlite.exec(`RELEASE ${name}`);
      return result;
    } catch (error) {
      this.#sqlite.exec(`ROLLBACK TO ${name}; RELEASE ${name}`);
      this.#pendingAlarm = alarm;
      throw error;
    } finally {
      this.#depth -= 1;
    }
  }

  get alarmAsWritten(): number | null {
    return this.#pendingAlarm === undefined ? this.alarm : this.#pendingAlarm;
  }

  set alarmAsWritten(at: number | null) {
    this.#write();
    this.#pendingAlarm = at;
  }

  /** Drops every table, and the alarm. */
  deleteAll(): void {
    this.#write();
    for (const { name } of this.#sqlite.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()) {
      if (!String(name).startsWith('sqlite_')) this.#sqlite.exec(`DROP TABLE "${String(name)}"`);
    }
    this.#pendingAlarm = null;
  }

  /** The instance is gone: what was not flushed never happened. */
  crash(): void {
    this.#life += 1;
    this.#waiting = [];
    this.#depth = 0;
    this.#pendingAlarm = undefined;
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#sqlite.exec('ROLLBACK');
  }

  /** Ends the memory that the database takes. */
  close(): void {
    this.crash();
    this.#sqlite.close();
  }

  #write(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#sqlite.exec('BEGIN');
    const life = this.#life;
    queueMicrotask(() => {
      if (life === this.#life) this.#policy.schedule(() => life === this.#life && this.#flush());
    });
  }

  #flush(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#sqlite.exec('COMMIT');
    const alarm = this.#pendingAlarm;
    this.#pendingAlarm = undefined;
    if (alarm !== undefined) {
      this.alarm = alarm;
      this.#policy.alarmChanged();
    }
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const done of waiting) done();
  }
}

export class Cursor {
  readonly rowsWritten: number;
  readonly rowsRead: number;
  readonly #rows: Row[];

  constructor(rows: readonly Row[], rowsWritten: number) {
    this.#rows = rows.map(asHandedOut);
    this.rowsRead = rows.length;
    this.rowsWritten = rowsWritten;
  }

  toArray(): Row[] {
    return this.#rows.splice(0);
  }

  one(): Row {
    const [row, ...others] = this.toArray();
    if (row !== undefined && others.length === 0) return row;
    throw new Error(
      `Expected exactly one result from SQL query, but got ${row === undefined ? 'no' : 'multiple'} results.`,
    );
  }

  *raw(): IterableIterator<SQLOutputValue[]> {
    for (const row of this.toArray()) yield Object.values(row);
  }

  *[Symbol.iterator](): IterableIterator<Row> {
    for (let row = this.#rows.shift(); row !== undefined; row = this.#rows.shift()) yield row;
  }
}

/** A row as the runtime hands it out: an ordinary object, binary values as buffers. */
function asHandedOut(row: Row): Row {
  const copy = { ...row };
  for (const [name, value] of Object.entries(copy)) {
    if (value instanceof Uint8Array) copy[name] = new Uint8Array(value).buffer as unknown as SQLOutputValue;
  }
  return copy;
}

function toSqlite(value: Value): string | number | null | Uint8Array {
  return value instanceof ArrayBuffer ? new Uint8Array(value) : value;
}
