/** What an object has to do later. It has one alarm, which is set to the earliest task. Instants in milliseconds. */
import { log } from '../http/log.ts';

export interface Task {
  readonly kind: string;
  readonly at: number;
}

export interface StoredSchedule {
  readonly tasks: Readonly<Record<string, number>>;
  /** When something was planned last, by the clock of then. */
  readonly plannedAt: number;
}

export interface ScheduleStore {
  /** Undefined: nothing was planned yet. */
  read(): StoredSchedule | undefined;
  write(schedule: StoredSchedule): void;
  /**
   * Whether a task may stay stored once it is done or has moved to a later time, which saves a row: running it again does no harm.
   * Without this function no task may.
   */
  isRepeatable?(kind: string): boolean;
  /**
   * When a stored task is due that lies before the alarm that calls: it was moved without being written. Undefined: not at all.
   * Without this function it counts as due.
   */
  moved?(task: Task, calledFor: number): number | undefined;
  /** Whether another object calls when a task is due, which then sets no alarm, and is not run. Without this function none does. */
  isCalledFor?(kind: string): boolean;
}

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 5 * 60_000;
/** How long a task under way is left alone. */
const LEASE_MS = 30_000;

/** The schedule of one object. Only {@link arm} stores it, and only when a later instance would otherwise go wrong. */
export class Schedule {
  readonly #alarm: Pick<DurableObjectStorage, 'setAlarm' | 'deleteAlarm'>;
  readonly #store: ScheduleStore;
  #stored: StoredSchedule | undefined;
  #tasks: Map<string, number> | undefined;
  #plannedAt = 0;
  /** The alarm as this instance last set it; undefined: not known. */
  #armedAt: number | null | undefined;
  /** When tasks under way are due again should this instance die, once an alarm is set while they run. */
  readonly #leases = new Map<string, number>();
  readonly #failures = new Map<string, number>();

  constructor(alarm: Pick<DurableObjectStorage, 'setAlarm' | 'deleteAlarm'>, store: ScheduleStore) {
    this.#alarm = alarm;
    this.#store = store;
  }

  get(kind: string): number | undefined {
    return this.#known().get(kind);
  }

  isDue(kind: string): boolean {
    return (this.get(kind) ?? Number.POSITIVE_INFINITY) <= Date.now();
  }

  /** Plans a task, or moves it to another time. */
  set(kind: string, at: number): void {
    this.#leases.delete(kind);
    if (this.get(kind) === at) return;
    this.#known().set(kind, at);
    this.#plannedAt = Math.max(this.#plannedAt, Date.now());
  }

  /** Plans a task no later than this. */
  setEarlier(kind: string, at: number): void {
    this.set(kind, Math.min(at, this.get(kind) ?? at));
  }

  clear(kind: string): void {
    this.#leases.delete(kind);
    this.#known().delete(kind);
  }

  /** All or nothing: what a failure undoes is not remembered. */
  transaction<Result>(change: () => Result): Result {
    const before = new Map(this.#known());
    const stored = this.#stored;
    try {
      return change();
    } catch (error) {
      this.#tasks = before;
      this.#stored = stored;
      this.#armedAt = undefined;
      throw error;
    }
  }

  /** Forgets everything: the object was erased. */
  reset(): void {
    this.#tasks = undefined;
    this.#stored = undefined;
    this.#armedAt = undefined;
  }

  /** The schedule for whoever stores it together with something else. */
  toStored(): StoredSchedule {
    for (const [kind, until] of this.#leases) this.#known().set(kind, until);
    this.#leases.clear();
    this.#stored = { tasks: Object.fromEntries(this.#known()), plannedAt: this.#plannedAt };
    return this.#stored;
  }

  /**
   * Follows a clock that went back: every task stays as far ahead as it was. Whoever touches the object calls it; its
   * alarm may be as far away as the clock went back.
   * @param calledFor when the alarm that calls was set for; undefined: not known, or no alarm calls
   */
  followClock(calledFor?: number): void {
    const tasks = this.#known(calledFor);
    const behind = this.#plannedAt - Date.now();
    if (behind <= 0) return;
    for (const [kind, at] of tasks) tasks.set(kind, at - behind);
    this.#plannedAt -= behind;
    this.#store.write(this.toStored());
    this.arm();
  }

  /** Sets the alarm to the earliest task. Call it in the same turn as the writes it belongs to. */
  arm(): void {
    const tasks = this.#known();
    const stored = this.#stored?.tasks ?? {};
    const kinds = [...tasks.keys(), ...Object.keys(stored)];
    if (this.#leases.size > 0 || kinds.some((kind) => !this.#isCovered(kind, stored[kind]))) {
      this.#store.write(this.toStored());
    }
    if (this.#earliest() === this.#armedAt) return;
    this.#catchUp();
    const at = this.#earliest();
    this.#armedAt = at;
    void (at === null ? this.#alarm.deleteAlarm() : this.#alarm.setAlarm(at));
  }

  #earliest(): number | null {
    const times = this.#alarming().map(([, at]) => at);
    return times.length === 0 ? null : Math.min(...times);
  }

  #alarming(): [kind: string, at: number][] {
    return [...this.#known()].filter(([kind]) => this.#store.isCalledFor?.(kind) !== true);
  }

  /** The runtime moves an alarm of the past to now. What is overdue moves with it, or it would count as moved since. */
  #catchUp(): void {
    const now = Date.now();
    const overdue = this.#alarming().filter(([, at]) => at < now);
    if (overdue.length === 0) return;
    for (const [kind] of overdue) this.#known().set(kind, now);
    this.#store.write(this.toStored());
  }

  /**
   * Runs what is due, each task independently. Each moves or clears itself; one that fails is tried again later. Never throws: the
   * runtime gives up on an alarm that throws a few times.
   * @param calledFor as in {@link followClock}
   */
  async run(handle: (task: Task) => Promise<void>, calledFor?: number): Promise<void> {
    this.followClock(calledFor);
    // The alarm that calls is used up, but comes again should this instance die before another one is set.
    this.#armedAt = undefined;
    const now = Date.now();
    const due = this.#alarming().filter(([, at]) => at <= now);
    await Promise.all(due.map(([kind, at]) => this.#attempt({ kind, at }, handle)));
    this.arm();
  }

  async #attempt(task: Task, handle: (task: Task) => Promise<void>): Promise<void> {
    const { kind } = task;
    this.#leases.set(kind, Date.now() + LEASE_MS);
    try {
      await handle(task);
      this.#failures.delete(kind);
    } catch (error) {
      const failures = this.#failures.get(kind) ?? 0;
      this.#failures.set(kind, failures + 1);
      this.set(kind, Date.now() + Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures));
      log('error', 'due_failed', { kind, error: String(error) });
    } finally {
      this.#leases.delete(kind);
    }
  }

  #isCovered(kind: string, stored: number | undefined): boolean {
    const at = this.get(kind);
    if (at === stored) return true;
    const isLater = stored !== undefined && (at === undefined || at > stored);
    return isLater && this.#store.isRepeatable?.(kind) === true;
  }

  #known(calledFor?: number): Map<string, number> {
    if (this.#tasks !== undefined) return this.#tasks;
    this.#stored = this.#store.read();
    const { tasks = {}, plannedAt = 0 } = this.#stored ?? {};
    this.#plannedAt = plannedAt;
    // Once the clock went back, nothing can be concluded from when the alarm was set for.
    const isComparable = calledFor !== undefined && plannedAt <= calledFor && calledFor <= Date.now();
    const { moved } = this.#store;
    const known = Object.entries(tasks).map(([kind, at]): [string, number | undefined] => [
      kind,
      isComparable && at < calledFor && moved !== undefined ? moved({ kind, at }, calledFor) : at,
    ]);
    this.#tasks = new Map(known.filter((task): task is [string, number] => task[1] !== undefined));
    return this.#tasks;
  }
}

/**
 * A schedule in a table of its own.
 * @param isRepeatable see {@link ScheduleStore}
 */
export function tableSchedule(storage: DurableObjectStorage, isRepeatable: (kind: string) => boolean): Schedule {
  const { sql } = storage;
  return new Schedule(storage, {
    read() {
      const [row] = sql.exec<{ body: string }>('SELECT body FROM schedule').toArray();
      return row === undefined ? undefined : (JSON.parse(row.body) as StoredSchedule); // Written only below.
    },
    write(schedule) {
      sql.exec('INSERT OR REPLACE INTO schedule (k, body) VALUES (1, ?)', JSON.stringify(schedule));
    },
    isRepeatable,
  });
}

/** The table of {@link tableSchedule}. */
export const SCHEDULE_TABLE: string =
  'CREATE TABLE IF NOT EXISTS schedule (k INTEGER PRIMARY KEY CHECK (k = 1), body TEXT NOT NULL);';
