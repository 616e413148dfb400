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

/** Every query an object has run, so that a test can look at their plans; shared by all objects. */
export const queriesRun: Map<string, DatabaseSync> = new Map();

/** What is stored of one object, whatever happens to its instances. */
export class ObjectStore {
  /** The alarm as it is on disk; null when there is none. */
  alarm: number | null = null;
  readonly #db: DatabaseSync;
  readonly #policy: CommitPolicy;
  readonly #statements = new Map<string, { readonly statement: StatementSync; readonly isNumbered: boolean }>();
  #pendingAlarm: number | null | undefined;
  #isOpen = false;
  #depth = 0;
  #waiting: (() => void)[] = [];
  /** Grows with every crash: a flush of an earlier life must not commit what a later one writes. */
  #life = 0;

  constructor(policy: CommitPolicy) {
    this.#db = new DatabaseSync(':memory:');
    this.#policy = policy;
  }

  /** Whether something was written that is not certain yet. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Calls back once everything written so far is certain; at once when it is. Never after a crash. */
  whenFlushed(done: () => void): void {
    if (this.#isOpen) this.#waiting.push(done);
    else done();
  }

  /** Runs SQL, one statement or several. */
  run(query: string, bindings: readonly Value[]): Cursor {
    if (isWrite(query)) this.#write();
    if (bindings.length === 0 && isSeveral(query)) {
      this.#db.exec(query);
      return new Cursor([], [], 0);
    }
    let prepared = this.#statements.get(query);
    if (prepared === undefined) {
      prepared = { statement: this.#db.prepare(query), isNumbered: /\?\d/.test(query) };
      this.#statements.set(query, prepared);
      if (!queriesRun.has(query)) queriesRun.set(query, this.#db);
    }
    const { statement, isNumbered } = prepared;
    const values = bindings.map(toSqlite);
    const given = isNumbered ? [Object.fromEntries(values.map((value, at) => [`?${at + 1}`, value]))] : values;
    // Its two overloads take the same at run time.
    const all = (): Row[] => (statement.all as (...given: unknown[]) => Row[])(...given);
    if (!isWrite(query) || /\bRETURNING\b/i.test(query)) {
      const rows = all();
      return new Cursor(rows, () => statement.columns().map(({ name }) => name), isWrite(query) ? rows.length : 0);
    }
    const { changes } = (statement.run as (...given: unknown[]) => { changes: number | bigint })(...given);
    return new Cursor([], [], Number(changes));
  }

  /** Runs a closure whose writes happen all or not at all; they are part of the commit under way. */
  transaction<Result>(change: () => Result): Result {
    this.#write();
    const name = `s${++this.#depth}`;
    const alarm = this.#pendingAlarm;
    this.#db.exec(`SAVEPOINT ${name}`);
    try {
      const result = change();
      this.#db.exec(`RELEASE ${name}`);
      return result;
    } catch (error) {
      this.#db.exec(`ROLLBACK TO ${name}; RELEASE ${name}`);
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
    for (const { name } of this.#db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()) {
      if (!String(name).startsWith('sqlite_')) this.#db.exec(`DROP TABLE "${String(name)}"`);
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
    this.#db.exec('ROLLBACK');
  }

  /** Ends the memory that the database takes. */
  close(): void {
    this.crash();
    this.#db.close();
  }

  #write(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#db.exec('BEGIN');
    const life = this.#life;
    queueMicrotask(() => {
      if (life === this.#life) this.#policy.schedule(() => life === this.#life && this.#flush());
    });
  }

  #flush(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#db.exec('COMMIT');
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

/** What a query led to. */
export class Cursor {
  readonly rowsWritten: number;
  readonly rowsRead: number;
  readonly #rows: Row[];
  readonly #columns: readonly string[] | (() => readonly string[]);
  #next = 0;

  constructor(rows: Row[], columns: readonly string[] | (() => readonly string[]), rowsWritten: number) {
    this.#rows = rows;
    this.#columns = columns;
    this.rowsRead = rows.length;
    this.rowsWritten = rowsWritten;
  }

  get columnNames(): readonly string[] {
    return typeof this.#columns === 'function' ? this.#columns() : this.#columns;
  }

  next(): { done: boolean; value?: Row } {
    const row = this.#rows[this.#next];
    if (row === undefined) return { done: true };
    this.#next += 1;
    return { done: false, value: toPlain(row) };
  }

  toArray(): Row[] {
    const rows = this.#rows.slice(this.#next).map(toPlain);
    this.#next = this.#rows.length;
    return rows;
  }

  one(): Row {
    const rows = this.toArray();
    const [row] = rows;
    if (row === undefined || rows.length > 1) {
      throw new Error(
        `Expected exactly one result from SQL query, but got ${rows.length === 0 ? 'no' : 'multiple'} results.`,
      );
    }
    return row;
  }

  *raw(): IterableIterator<SQLOutputValue[]> {
    for (const row of this.toArray()) yield Object.values(row);
  }

  *[Symbol.iterator](): IterableIterator<Row> {
    for (let { value } = this.next(); value !== undefined; { value } = this.next()) yield value;
  }
}

function isWrite(query: string): boolean {
  return !/^\s*(SELECT|EXPLAIN|PRAGMA)\b/i.test(query);
}

function isSeveral(query: string): boolean {
  return /;\s*\S/.test(query);
}

function toSqlite(value: Value): string | number | null | Uint8Array {
  return value instanceof ArrayBuffer ? new Uint8Array(value) : value;
}

/** As the runtime hands rows out: an ordinary object, binary values as buffers. */
function toPlain(row: Row): Row {
  const plain: Row = {};
  for (const name of Object.keys(row)) {
    const value = row[name] ?? null;
    plain[name] = value instanceof Uint8Array ? (new Uint8Array(value).buffer as unknown as SQLOutputValue) : value;
  }
  return plain;
}
