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
  readonly isNumbered: boolean;
  /** Whether it answers with rows. */
  readonly hasRows: boolean;
}

/** What the text of a query says; many objects ask the same ones very often. */
interface Kind {
  readonly isWrite: boolean;
  readonly makesTables: boolean;
  /** It puts rows into new tables, too, and can run again: an emptied database lacks them. */
  readonly fillsTables: boolean;
  readonly isSeveral: boolean;
}

const kinds = new Map<string, Kind>();

function kindOf(query: string): Kind {
  let kind = kinds.get(query);
  if (kind === undefined) {
    kind = {
      isWrite: !/^\s*(SELECT|EXPLAIN|PRAGMA)\b/i.test(query),
      makesTables: /^\s*(CREATE|ALTER|DROP)\b/i.test(query),
      fillsTables: /;\s*INSERT\b/i.test(query) && !/\bCREATE TABLE (?!IF NOT EXISTS)/i.test(query),
      isSeveral: /;\s*\S/.test(query),
    };
    kinds.set(query, kind);
  }
  return kind;
}

/**
 * A database and what was prepared on it. Making tables and preparing statements costs far more than running them, so
 * an empty database is kept for the next object that begins with the same tables.
 */
class Database {
  readonly sqlite = new DatabaseSync(':memory:');
  readonly prepared = new Map<string, Prepared>();
  readonly #emptying = new Map<string, StatementSync>();
  /** The first tables made in it; null when it has none, or others than the next object would expect. */
  schema: string | null = null;
  isReusable = true;

  prepare(query: string): Prepared {
    let prepared = this.prepared.get(query);
    if (prepared === undefined) {
      const statement = this.sqlite.prepare(query);
      const hasRows = !kindOf(query).isWrite || /\bRETURNING\b/i.test(query);
      // Objects of SQLite's have no prototype, and have to be made a second time.
      if (hasRows) statement.setReturnArrays(true);
      prepared = { statement, isNumbered: /\?\d/.test(query), hasRows };
      this.prepared.set(query, prepared);
      if (!queryPlans.has(query)) queryPlans.set(query, this.#planOf(query));
    }
    return prepared;
  }

  /** Empties a table. */
  empty(table: string): void {
    let statement = this.#emptying.get(table);
    if (statement === undefined) {
      statement = this.sqlite.prepare(`DELETE FROM "${table}"`);
      this.#emptying.set(table, statement);
    }
    statement.run();
  }

  #planOf(query: string): string[] {
    if (!/^\s*(SELECT|UPDATE|DELETE|INSERT)\b/i.test(query)) return [];
    const steps = this.sqlite.prepare(`EXPLAIN QUERY PLAN ${query}`).all();
    return steps.map(({ detail }) => String(detail));
  }
}

/** Databases to be used again, by their first tables; those without any under the empty text. */
const spare = new Map<string, Database[]>();

function takeSpare(schema: string): Database | undefined {
  return spare.get(schema)?.pop();
}

function giveBack(database: Database): void {
  if (!database.isReusable) {
    database.sqlite.close();
    return;
  }
  if (database.schema !== null) {
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").statement.all();
    for (const [name] of tables as unknown as string[][]) database.empty(String(name));
  }
  const key = database.schema ?? '';
  const others = spare.get(key);
  if (others === undefined) spare.set(key, [database]);
  else others.push(database);
}

/** What is stored of one object, whatever happens to its instances. */
export class ObjectStore {
  /** The alarm as it is on disk; null when there is none. */
  alarm: number | null = null;
  #database: Database;
  readonly #policy: CommitPolicy;
  #pendingAlarm: number | null | undefined;
  #isOpen = false;
  #depth = 0;
  /** At which depth of transactions the first tables were made, while that is not certain. */
  #madeTablesAt: number | undefined;
  /** Whether they came with a kept database: then they stay, whatever is undone. */
  #tablesAreKept = false;
  #waiting: (() => void)[] = [];
  /** Grows with every crash: a flush of an earlier life must not commit what a later one writes. */
  #life = 0;

  constructor(policy: CommitPolicy) {
    this.#database = takeSpare('') ?? new Database();
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
    const { isWrite, makesTables, isSeveral } = kindOf(query);
    if (bindings.length === 0 && makesTables) {
      this.#makeTables(query);
      return new Cursor([], [], 0);
    }
    if (isWrite) this.#write();
    if (bindings.length === 0 && isSeveral) {
      this.#database.sqlite.exec(query);
      return new Cursor([], [], 0);
    }
    const { statement, isNumbered, hasRows } = this.#database.prepare(query);
    const values = bindings.map(toSqlite);
    const given = isNumbered ? [Object.fromEntries(values.map((value, at) => [`?${at + 1}`, value]))] : values;
    // Its overloads take the same at run time.
    if (hasRows) {
      const all = statement.all as unknown as (...given: unknown[]) => SQLOutputValue[][];
      const rows = all.apply(statement, given);
      return new Cursor(rows, () => statement.columns().map(({ name }) => name), isWrite ? rows.length : 0);
    }
    const run = statement.run as (...given: unknown[]) => { changes: number | bigint };
    return new Cursor([], [], Number(run.apply(statement, given).changes));
  }

  #makeTables(query: string): void {
    this.#write();
    if (this.#database.schema !== null || !this.#database.isReusable) {
      // A table that may be there is no surprise to the next object; any other change would be.
      if (!/^\s*CREATE (TABLE|INDEX) IF NOT EXISTS\b/i.test(query)) this.#database.isReusable = false;
      this.#database.sqlite.exec(query);
      return;
    }
    const ready = takeSpare(query);
    if (ready !== undefined) this.#replace(ready);
    if (ready === undefined || kindOf(query).fillsTables) this.#database.sqlite.exec(query);
    this.#database.schema = query;
    this.#madeTablesAt = this.#depth;
    this.#tablesAreKept = ready !== undefined;
  }

  /** Goes on with another database, which has nothing in it yet. */
  #replace(next: Database): void {
    const last = this.#database;
    last.sqlite.exec('ROLLBACK');
    giveBack(last);
    this.#database = next;
    next.sqlite.exec('BEGIN');
    for (let depth = 1; depth <= this.#depth; depth++) next.sqlite.exec(`SAVEPOINT s${depth}`);
  }

  /** The first row of a query; undefined when there is none, or no such table. */
  peek(query: string): Row | undefined {
    try {
      return this.#database.sqlite.prepare(query).get();
    } catch {
      return undefined;
    }
  }

  /** Bytes of the pages in use, that in which the runtime keeps what is its own among them. */
  size(): number {
    const { statement } = this.#database.prepare(
      'SELECT (page_count - freelist_count + 1) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size',
    );
    const [[bytes] = []] = statement.all() as unknown as number[][];
    return Number(bytes);
  }

  /** Runs a closure whose writes happen all or not at all; they are part of the commit under way. */
  transaction<Result>(change: () => Result): Result {
    this.#write();
    const name = `s${++this.#depth}`;
    const alarm = this.#pendingAlarm;
    this.#database.prepare(`SAVEPOINT ${name}`).statement.run();
    try {
      const result = change();
      this.#database.prepare(`RELEASE ${name}`).statement.run();
      if (this.#madeTablesAt !== undefined) this.#madeTablesAt = Math.min(this.#madeTablesAt, this.#depth - 1);
      return result;
    } catch (error) {
      this.#database.sqlite.exec(`ROLLBACK TO ${name}; RELEASE ${name}`);
      this.#pendingAlarm = alarm;
      if (this.#madeTablesAt !== undefined && this.#madeTablesAt >= this.#depth) {
        this.#madeTablesAt = undefined;
        if (this.#tablesAreKept) {
          this.#replace(takeSpare('') ?? new Database());
          this.#database.sqlite.exec(`RELEASE ${name}`);
        } else {
          this.#database.schema = null;
        }
      }
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
    const { sqlite } = this.#database;
    this.#database.isReusable = false;
    for (const { name } of sqlite.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()) {
      if (!String(name).startsWith('sqlite_')) sqlite.exec(`DROP TABLE "${String(name)}"`);
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
    this.#database.prepare('ROLLBACK').statement.run();
    if (this.#madeTablesAt === undefined) return;
    this.#madeTablesAt = undefined;
    if (!this.#tablesAreKept) {
      this.#database.schema = null;
      return;
    }
    giveBack(this.#database);
    this.#database = takeSpare('') ?? new Database();
  }

  /** Ends the memory that the database takes. */
  close(): void {
    this.crash();
    giveBack(this.#database);
  }

  #write(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#database.prepare('BEGIN').statement.run();
    const life = this.#life;
    queueMicrotask(() => {
      if (life === this.#life) this.#policy.schedule(() => life === this.#life && this.#flush());
    });
  }

  #flush(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#database.prepare('COMMIT').statement.run();
    this.#madeTablesAt = undefined;
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
  readonly #rows: SQLOutputValue[][];
  readonly #columns: readonly string[] | (() => readonly string[]);
  #names: readonly string[] | undefined;
  #next = 0;

  constructor(rows: SQLOutputValue[][], columns: readonly string[] | (() => readonly string[]), rowsWritten: number) {
    this.#rows = rows;
    this.#columns = columns;
    this.rowsRead = rows.length;
    this.rowsWritten = rowsWritten;
  }

  get columnNames(): readonly string[] {
    this.#names ??= typeof this.#columns === 'function' ? this.#columns() : this.#columns;
    return this.#names;
  }

  next(): { done: boolean; value?: Row } {
    const row = this.#rows[this.#next];
    if (row === undefined) return { done: true };
    this.#next += 1;
    return { done: false, value: this.#toObject(row) };
  }

  toArray(): Row[] {
    const rows = this.#rows.slice(this.#next).map((row) => this.#toObject(row));
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

  /** As the runtime hands rows out: an ordinary object, binary values as buffers. */
  #toObject(row: SQLOutputValue[]): Row {
    const names = this.columnNames;
    const object: Row = {};
    for (let at = 0; at < names.length; at++) {
      const value = row[at] ?? null;
      object[names[at] ?? ''] =
        value instanceof Uint8Array ? (new Uint8Array(value).buffer as unknown as SQLOutputValue) : value;
    }
    return object;
  }
}

function toSqlite(value: Value): string | number | null | Uint8Array {
  return value instanceof ArrayBuffer ? new Uint8Array(value) : value;
}
