/**
 * Durable Objects in one process: instances that come and go over storage that stays, calls between them by clone,
 * alarms at least once. What the runtime leaves open (when a message arrives, whether the disk was quick enough, who is
 * evicted) is asked of a host, so that a seed can decide it in a simulation and real time in an ordinary test.
 */
import { currentParty, endParty, type Party, runAs, untilFlushed } from './party.ts';
import { type Cursor, ObjectStore } from './storage.ts';

/** What an object's class looks like from here. */
export type ObjectClass = new (
  ctx: ObjectState,
  env: unknown,
) => { alarm?: (info: { retryCount: number; isRetry: boolean; scheduledTime: number }) => unknown } & Record<
  string,
  unknown
>;

/** Decides what the runtime leaves open. Labels name the object, as in `MONEY_OPERATIONS/ch_…`. */
export interface Host {
  /** Milliseconds since the epoch, as alarms count them. */
  now(): number;
  /** Calls back at a time; the returned function takes it back. */
  at(time: number, label: string, run: () => void): () => void;
  /**
   * Brings a message across: a call on its way, or its answer. May let it arrive late or never.
   * @param lose says that it never arrives
   */
  carry(label: string, arrive: () => void, lose: (reason: Error) => void): void;
  /** Decides when a commit is on disk, or whether the object crashes before or after it. */
  commit(object: StoredObject, flush: () => void): void;
  /** Whether an idle object is evicted right before it is called again. */
  evicts(label: string): boolean;
  /** When an alarm set for a time is delivered. */
  alarmTime(label: string, time: number): number;
  /** Whether the object crashes after its alarm ran and before that is certain: then it runs again. */
  repeatsAlarm(label: string): boolean;
}

/** The runtime gives up on an alarm that throws so often. */
const MAX_ALARM_RETRIES = 6;
const ALARM_RETRY_MS = 2_000;

/** The error that callers of an object that ended get. */
export function resetError(): Error {
  return Object.assign(new Error('The object was reset while it was called'), {
    retryable: true,
    remote: true,
    durableObjectReset: true,
  });
}

/** Every object of one deployment. */
export class ObjectRuntime {
  /** What instances are made with. */
  env: unknown = {};
  readonly host: Host;
  readonly #classes = new Map<string, ObjectClass>();
  readonly #objects = new Map<string, StoredObject>();

  constructor(host: Host) {
    this.host = host;
  }

  /** Adds a class and returns what its binding holds. */
  namespace(binding: string, objectClass: ObjectClass): Namespace {
    this.#classes.set(binding, objectClass);
    return new Namespace(this, binding, '');
  }

  /**
   * The process dies and comes back: every instance ends, what is on disk stays, overdue alarms come soon.
   * @param moved when an alarm comes instead, which the launcher has moved
   */
  restart(moved: (at: number) => number = (at) => at): void {
    for (const object of this.#objects.values()) {
      object.end(resetError());
      object.moveAlarm(moved);
    }
  }

  /** Every object of a binding that was ever called, by name. */
  objectsOf(binding: string): StoredObject[] {
    return [...this.#objects.values()].filter((object) => object.binding === binding);
  }

  get objects(): Iterable<StoredObject> {
    return this.#objects.values();
  }

  object(binding: string, name: string): StoredObject {
    const label = `${binding}/${name}`;
    let object = this.#objects.get(label);
    if (object === undefined) {
      const objectClass = this.#classes.get(binding);
      if (objectClass === undefined) throw new Error(`There is no binding ${binding}`);
      object = new StoredObject(this, { binding, name, objectClass });
      this.#objects.set(label, object);
    }
    return object;
  }

  close(): void {
    for (const object of this.#objects.values()) object.close();
    this.#objects.clear();
  }
}

/** What a binding holds. */
export class Namespace {
  readonly #runtime: ObjectRuntime;
  readonly #binding: string;
  readonly #place: string;

  constructor(runtime: ObjectRuntime, binding: string, place: string) {
    this.#runtime = runtime;
    this.#binding = binding;
    this.#place = place;
  }

  /** The same binding in a place: the same names lead to other objects there. */
  jurisdiction(place: string): Namespace {
    return new Namespace(this.#runtime, this.#binding, `${place}:`);
  }

  idFromName(name: string): ObjectId {
    return new ObjectId(`${this.#place}${name}`);
  }

  get(id: ObjectId): unknown {
    return toStub(this.#runtime.object(this.#binding, id.name));
  }

  getByName(name: string): unknown {
    return this.get(this.idFromName(name));
  }
}

export class ObjectId {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  toString(): string {
    return this.name;
  }

  equals(other: ObjectId): boolean {
    return other.name === this.name;
  }
}

const objectsOfStubs = new WeakMap<object, StoredObject>();

export function objectOf(stub: object): StoredObject {
  const object = objectsOfStubs.get(stub);
  if (object === undefined) throw new Error('This is no stub');
  return object;
}

function toStub(object: StoredObject): unknown {
  const stub = new Proxy(Object.create(null) as Record<string, unknown>, {
    get(_, method) {
      if (typeof method === 'symbol' || method === 'then') return undefined;
      if (method === 'name') return object.name;
      if (method === 'id') return new ObjectId(object.name);
      return (...args: unknown[]) => object.call(method, args);
    },
  });
  objectsOfStubs.set(stub, object);
  return stub;
}

/** One object: its storage, and its instance while it has one. */
export class StoredObject {
  readonly binding: string;
  readonly name: string;
  /** Binding and name. */
  readonly label: string;
  readonly store: ObjectStore;
  #instance: Instance | undefined;
  readonly #runtime: ObjectRuntime;
  readonly #class: ObjectClass;
  #cancelAlarm: (() => void) | undefined;
  #retries = 0;

  constructor(runtime: ObjectRuntime, about: { binding: string; name: string; objectClass: ObjectClass }) {
    this.#runtime = runtime;
    this.binding = about.binding;
    this.name = about.name;
    this.label = `${about.binding}/${about.name}`;
    this.#class = about.objectClass;
    this.store = new ObjectStore({
      schedule: (flush) => runtime.host.commit(this, flush),
      alarmChanged: () => {
        this.#retries = 0;
        this.#armAlarm(this.store.alarm);
      },
    });
  }

  get instance(): Instance {
    this.#instance ??= new Instance(this, this.#class, this.#runtime.env);
    return this.#instance;
  }

  /** A call of another party: its arguments cross by clone, and so does the result. */
  async call(method: string, args: readonly unknown[]): Promise<unknown> {
    const caller = currentParty();
    if (caller?.isAlive === false) return never();
    const sent = args.map(clone);
    const label = `${this.label}.${method}`;
    await untilFlushed(caller);
    return new Promise((resolve, reject) => {
      const answer = (deliver: () => void): void => {
        if (caller?.isAlive !== false) deliver();
      };
      const lose = (reason: Error): void => answer(() => reject(reason));
      this.#runtime.host.carry(
        label,
        () => {
          this.#receive(method, sent).then(
            (result) => this.#runtime.host.carry(`${label} answer`, () => answer(() => resolve(result)), lose),
            (error: Error) => this.#runtime.host.carry(`${label} answer`, () => lose(error), lose),
          );
        },
        lose,
      );
    });
  }

  async #receive(method: string, args: readonly unknown[]): Promise<unknown> {
    if (this.#instance?.isIdle === true && this.#runtime.host.evicts(this.label)) this.end(resetError());
    const { instance } = this;
    const result = await instance.enter(async () => {
      const handler = instance.object[method];
      if (typeof handler !== 'function') throw new TypeError(`The object has no method ${method}`);
      return (handler as (...given: readonly unknown[]) => unknown).apply(instance.object, [...args]);
    });
    return clone(result);
  }

  /** Ends the instance. What was not flushed is gone; calls under way fail. */
  end(reason: Error): void {
    const ended = this.#instance;
    this.#instance = undefined;
    this.store.crash();
    if (ended !== undefined) endParty(ended.party, reason);
    // An alarm that was running and is still on disk comes again.
    this.#armAlarm(this.store.alarm);
  }

  /** Delivers the alarm now, whenever it is due; false when there is none. One handler runs at a time. */
  async runAlarm(): Promise<boolean> {
    const at = this.store.alarm;
    if (at === null) return false;
    this.#cancelAlarm?.();
    this.#cancelAlarm = undefined;
    if (this.#instance?.isIdle === true && this.#runtime.host.evicts(this.label)) this.end(resetError());
    const { instance } = this;
    if (instance.isInAlarm) {
      instance.isAlarmWaiting = true;
      return true;
    }
    instance.isInAlarm = true;
    instance.alarmInHand = at;
    const retryCount = this.#retries;
    const alarm = async (): Promise<unknown> =>
      instance.object.alarm?.({ retryCount, isRetry: retryCount > 0, scheduledTime: at });
    const hasFailed = await instance.enter(alarm).then(
      () => false,
      () => true,
    );
    // Cut off in the middle: whoever ended the instance has seen to the alarm.
    if (!instance.party.isAlive) return true;
    const isUntouched = instance.alarmInHand === at;
    instance.isInAlarm = false;
    instance.alarmInHand = undefined;
    if (hasFailed) {
      if (isUntouched) this.#retryAlarm();
    } else if (this.#runtime.host.repeatsAlarm(this.label)) {
      this.end(resetError());
    } else if (isUntouched) {
      // Nobody has set another one: it has done its work.
      this.store.alarm = null;
    }
    if (instance.isAlarmWaiting) {
      instance.isAlarmWaiting = false;
      this.#armAlarm(this.store.alarm);
    }
    return true;
  }

  #retryAlarm(): void {
    this.#retries += 1;
    if (this.#retries > MAX_ALARM_RETRIES) {
      this.store.alarm = null;
      this.hasGivenUp = true;
    } else this.#armAlarm(this.#runtime.host.now() + ALARM_RETRY_MS * 2 ** (this.#retries - 1));
  }

  /** Whether an alarm failed so often that the runtime gave it up. */
  hasGivenUp = false;

  /** What is on disk, for whoever looks from outside: the first row; undefined when there is none. */
  peek(query: string): Readonly<Record<string, unknown>> | undefined {
    return this.store.peek(query);
  }

  /** Changes the alarm on disk, as nobody but the launcher does. */
  moveAlarm(moved: (at: number) => number): void {
    if (this.store.alarm === null) return;
    this.store.alarm = moved(this.store.alarm);
    this.#armAlarm(this.store.alarm);
  }

  close(): void {
    this.#cancelAlarm?.();
    const ended = this.#instance;
    this.#instance = undefined;
    if (ended !== undefined) ended.party.isAlive = false;
    this.store.close();
  }

  #armAlarm(at: number | null): void {
    this.#cancelAlarm?.();
    this.#cancelAlarm = undefined;
    if (at === null) return;
    const time = this.#runtime.host.alarmTime(this.label, at);
    this.#cancelAlarm = this.#runtime.host.at(time, `${this.label} alarm`, () => void this.runAlarm());
  }
}

/** One life of an object. */
export class Instance {
  readonly object: InstanceType<ObjectClass>;
  readonly party: Party;
  readonly ctx: ObjectState;
  isInAlarm = false;
  /** Whether another alarm came due while one was handled. */
  isAlarmWaiting = false;
  /** The time of the alarm that is being handled, until the object sets or deletes one. */
  alarmInHand: number | undefined;
  #running = 0;

  constructor(owner: StoredObject, objectClass: ObjectClass, env: unknown) {
    this.party = {
      name: owner.label,
      isAlive: true,
      whenFlushed: (done) => this.party.isAlive && owner.store.whenFlushed(done),
      onEnd: new Set(),
    };
    this.ctx = new ObjectState(owner, this);
    this.object = runAs(this.party, () => new objectClass(this.ctx, env));
  }

  /** True while nothing of it runs or waits. */
  get isIdle(): boolean {
    return this.#running === 0;
  }

  /** Runs a call, an alarm or whatever else comes in. Resolves when it has ended and its writes are certain. */
  enter<Result>(work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (!this.party.isAlive) return reject(resetError());
      this.party.onEnd.add(reject);
      this.#running += 1;
      const end = (tell: () => void): void => {
        if (!this.party.isAlive) return;
        // The answer leaves when everything that was written before it is certain.
        this.party.whenFlushed(() => {
          this.party.onEnd.delete(reject);
          this.#running -= 1;
          tell();
        });
      };
      runAs(this.party, () => {
        work().then(
          (result) => end(() => resolve(result)),
          (error: unknown) => end(() => reject(error)),
        );
      });
    });
  }

  /** Keeps the instance from being evicted while work is under way. */
  hold(work: Promise<unknown>): void {
    this.#running += 1;
    const release = (): void => {
      this.#running -= 1;
    };
    work.then(release, release);
  }
}

/** `ctx`. */
export class ObjectState {
  readonly id: ObjectId;
  readonly storage: ObjectStorage;
  readonly #instance: Instance;
  readonly #owner: StoredObject;

  constructor(owner: StoredObject, instance: Instance) {
    this.id = new ObjectId(owner.name);
    this.storage = new ObjectStorage(owner, instance);
    this.#instance = instance;
    this.#owner = owner;
  }

  waitUntil(work: Promise<unknown>): void {
    this.#instance.hold(work);
  }

  /** Ends this instance; throws as the runtime does. */
  abort(reason?: string): never {
    const error = Object.assign(resetError(), reason === undefined ? {} : { message: reason });
    this.#owner.end(error);
    throw error;
  }
}

/** `ctx.storage.sql`. */
class ObjectSql {
  readonly #live: () => ObjectStore;

  constructor(live: () => ObjectStore) {
    this.#live = live;
  }

  exec(query: string, ...bindings: Parameters<ObjectStore['run']>[1]): Cursor {
    return this.#live().run(query, bindings);
  }

  /** Bytes in use. */
  get databaseSize(): number {
    return this.#live().size();
  }
}

/** `ctx.storage`, as far as SQLite objects use it. */
export class ObjectStorage {
  readonly sql: ObjectSql;
  readonly #owner: StoredObject;
  readonly #instance: Instance;

  constructor(owner: StoredObject, instance: Instance) {
    this.#owner = owner;
    this.#instance = instance;
    this.sql = new ObjectSql(() => this.#live());
  }

  transactionSync<Result>(change: () => Result): Result {
    return this.#live().transaction(change);
  }

  async sync(): Promise<void> {
    const store = this.#live();
    await new Promise<void>((resolve) => store.whenFlushed(resolve));
  }

  async getAlarm(): Promise<number | null> {
    const at = this.#live().alarmAsWritten;
    return at === this.#instance.alarmInHand ? null : at;
  }

  setAlarm(at: number | Date): Promise<void> {
    return this.#writeAlarm(Number(at));
  }

  deleteAlarm(): Promise<void> {
    return this.#writeAlarm(null);
  }

  async deleteAll(): Promise<void> {
    this.#live().deleteAll();
  }

  #writeAlarm(at: number | null): Promise<void> {
    if (!this.#instance.party.isAlive) return never();
    this.#owner.store.alarmAsWritten = at;
    this.#instance.alarmInHand = undefined;
    return Promise.resolve();
  }

  #live(): ObjectStore {
    if (this.#instance.party.isAlive) return this.#owner.store;
    throw resetError();
  }
}

/** By hand what is nearly everything that crosses, plain objects and arrays: `structuredClone` takes five times as long. */
function clone<Value>(value: Value): Value {
  if (typeof value === 'function') return structuredClone(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(clone) as Value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return structuredClone(value);
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) copy[name] = clone((value as Record<string, unknown>)[name]);
  return copy as Value;
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}
