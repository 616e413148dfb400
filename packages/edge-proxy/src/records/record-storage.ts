/**
 * What the objects with one record have in common: one row with the record, its schedule, the updates that the ledger has not taken
 * yet, and the shares of its reversals. A change of any of them is one write of that row.
 */
import { isEqualConstantTime } from '../http/hash.ts';
import { keyMismatch } from '../http/idempotency.ts';
import { type Outcome, ok, type Refusal, refuse } from '../http/problem.ts';
import { Schedule, type Task } from '../objects/schedule.ts';
import { SCHEMA_VERSION } from '../objects/schema-version.ts';
import { type Act, auditRow } from '../properties/audit-row.ts';
import type { LedgerInbox } from './ledger-update.ts';
import {
  asKept,
  parseRow,
  type RecordKind,
  type RecordRow,
  rowText,
  type StoredRecord,
  toUpdate,
  type UnsentUpdate,
  withoutWords,
} from './record-row.ts';
import { redacted } from './redacted.ts';
import type { Reservation } from './reservations.ts';

/** How updates reach the ledger. */
export interface LedgerLink {
  ledgerOf(property: string): LedgerInbox;
  /** Keeps the object alive for work that its caller does not wait for. */
  waitUntil(work: Promise<unknown>): void;
}

/** The task that sends again the updates that were not taken. */
const SEND_UPDATES = 'updates';
/** From when the record may be erased. The ledger calls then: the runtime keeps each alarm in memory. */
const ERASE = 'erase';
const TABLE = 'CREATE TABLE IF NOT EXISTS object (k INTEGER PRIMARY KEY CHECK (k = 1), body TEXT NOT NULL)';
/** How long the ledger may take before they are sent again. */
const RESEND_AFTER_MS = 30_000;

/** Typed access to the one row of an object. The table is made with it: an unknown id leaves nothing behind. */
export class RecordStorage<Stored extends StoredRecord, Beside extends object> {
  readonly due: Schedule;
  protected readonly storage: DurableObjectStorage;
  readonly #kind: RecordKind<Stored, Beside>;
  readonly #link: LedgerLink | undefined;
  #row: RecordRow<Stored, Beside> | undefined;
  /** Whether this instance has looked, and found nothing. */
  #isEmpty = false;
  /** Whether this instance knows that there is the table. */
  #hasTable = false;
  #isWritten = true;
  /** Whether the transaction under way adds an update. */
  #hasNewUpdate = false;
  #depth = 0;
  #sending: Promise<void> | undefined;

  constructor(storage: DurableObjectStorage, kind: RecordKind<Stored, Beside>, link?: LedgerLink) {
    this.storage = storage;
    this.#kind = kind;
    this.#link = link;
    this.due = new Schedule(storage, {
      read: () => this.#read()?.schedule,
      write: () => this.#write(),
      isRepeatable: (task) => task === SEND_UPDATES || kind.isRepeatable?.(task) === true,
      moved: (task, calledFor) => this.#moved(task, calledFor),
      isCalledFor: (task) => task === ERASE,
    });
  }

  /** For an object that is about to be made: a query without its table fails, and takes many times as long. */
  prepare(): void {
    if (!this.#hasTable) this.storage.sql.exec(TABLE);
    this.#hasTable = true;
  }

  /** Whether anything was ever stored here. Reading must not make tables. */
  exists(): boolean {
    return this.#read() !== undefined;
  }

  /** The record; undefined when there is none. Whatever is asked of the object reads it, so it follows the clock here. */
  load(calledFor?: number): Stored | undefined {
    const record = this.#read()?.record ?? undefined;
    if (record !== undefined) this.due.followClock(calledFor);
    return record;
  }

  ofProperty(property: string): Outcome<Stored> {
    const record = this.load();
    return record?.property === property ? ok(record) : this.notFound();
  }

  notFound(): Refusal {
    return refuse('not_found', { detail: `There is no ${this.#kind.noun} with this id` });
  }

  /** Refuses any request but the one that made the record. */
  refuseOther(record: Stored, fingerprint: string): Refusal | undefined {
    return isEqualConstantTime(this.#current.fingerprint, fingerprint) ? undefined : keyMismatch(record.id);
  }

  get reservations(): readonly Reservation[] {
    return this.#current.reservations;
  }

  /** Whether a reversal of it has no outcome yet. */
  get hasHeldShares(): boolean {
    return this.reservations.some(({ state }) => state === 'held');
  }

  set reservations(reservations: readonly Reservation[]) {
    this.#change({ reservations });
  }

  get beside(): Beside {
    return this.#current.beside;
  }

  /** Changes what is kept beside the record. Call it in a transaction. */
  protected setBeside(changes: Partial<Beside>): void {
    this.#change({ beside: { ...this.beside, ...changes } });
  }

  /** Stores the first version and tells the ledger. Call it in a transaction. */
  create(asked: Stored, fingerprint: string): void {
    const record = asKept(asked);
    this.#change({ record, fingerprint });
    this.#tell(record, record.createdAt);
  }

  /**
   * Changes the record, in one commit with its ledger update and what is due next.
   * @param act what somebody did, for the audit; undefined: nobody did it
   * @returns the new record; undefined when `change` made none, and then nothing happened
   */
  commit(
    change: (record: Stored, now: number) => Stored | undefined,
    plan: (next: Stored, now: number) => void,
    act?: Act,
  ): Stored | undefined {
    const record = this.load();
    const now = Date.now();
    const changed = record && change(record, now);
    if (record === undefined || changed === undefined) return undefined;
    const next = asKept(changed);
    this.transaction(() => {
      this.save(record.seq, next);
      this.#tell(next, now, act && { audit: auditRow(act, next.id, now) });
      plan(next, now);
    });
    return next;
  }

  /** Saves a version that lists show and the feed does not. Call it in a transaction. */
  saveForLists(previousSeq: number, next: Stored): void {
    this.save(previousSeq, next);
    this.#tell(asKept(next), Date.now(), { type: null });
  }

  /** Erases the words of the record, of what the ledger has not taken yet, and of all that comes later. Call it in a transaction. */
  redact(act: Act | undefined): void {
    const { record, unsent } = this.#current;
    if (record === null) return;
    const now = Date.now();
    const next = redacted({ ...record, redactedAt: now, seq: record.seq + 1 });
    this.#change({ record: next, unsent: unsent.map(withoutWords) });
    this.tellRedaction(act);
  }

  /** Tells the ledger that the words of the record were erased. Call it in a transaction. */
  tellRedaction(act?: Act): void {
    const { record } = this.#current;
    if (record === null) return;
    const now = Date.now();
    this.#tell(record, now, { type: 'payment.redacted', ...(act && { audit: auditRow(act, record.id, now) }) });
  }

  /** Tells the audit of what somebody did that leaves the record as it is. Call it in a transaction. */
  tellAudit(act: Act): void {
    const { record } = this.#current;
    const now = Date.now();
    if (record !== null) this.#tell(record, now, { type: null, audit: auditRow(act, record.id, now) });
  }

  /** Replaces the record. Throws when it has changed since it was read. */
  save(previousSeq: number, next: Stored): void {
    if (this.#current.record?.seq !== previousSeq) throw new Error(`${next.id} moved on from version ${previousSeq}`);
    this.#change({ record: asKept(next) });
  }

  /** All or nothing, in one write of the row, after which the alarm is set and the ledger is told. */
  transaction<Result>(change: () => Result): Result {
    const before = { row: this.#row, isWritten: this.#isWritten };
    this.#depth += 1;
    try {
      return this.due.transaction(() => {
        const result = change();
        if (this.#depth === 1) this.#flush();
        return result;
      });
    } catch (error) {
      this.#row = before.row;
      this.#isWritten = before.isWritten;
      throw error;
    } finally {
      this.#depth -= 1;
    }
  }

  /** Sends what the ledger has not taken yet; one at a time, whoever asks. What it does not take is sent again later. */
  sendUpdates(): Promise<void> {
    if ((this.#row?.unsent ?? []).length === 0) this.due.clear(SEND_UPDATES);
    else this.#sending ??= this.#send();
    return this.#sending ?? Promise.resolve();
  }

  /** Runs what is due. Resolves once the ledger has been told, too. */
  async runDue(handle: (task: Task) => Promise<void>, calledFor?: number): Promise<void> {
    await this.due.run((task) => (task.kind === SEND_UPDATES ? this.sendUpdates() : handle(task)), calledFor);
    await this.sendUpdates();
  }

  /**
   * Erases a record whose time is over; false when it is needed for longer. One that does not exist counts as gone.
   * @param before what was made or completed later is kept
   * @param isFinal whether its outcome is certain
   */
  async eraseIfOver(before: number, isFinal: (record: Stored) => boolean): Promise<boolean> {
    const record = this.load();
    if (record === undefined) return true;
    const { createdAt, completedAt } = this.#kind.timesOf?.(record) ?? record;
    const isOld = Math.max(createdAt, completedAt ?? 0) < before && (this.due.get(ERASE) ?? 0) <= Date.now();
    if (!isOld || !isFinal(record) || this.hasHeldShares) return false;
    await this.erase();
    return true;
  }

  async erase(): Promise<void> {
    this.#row = undefined;
    this.#isWritten = true;
    this.#hasTable = false;
    this.due.reset();
    // Its alarm goes with it, in the same step.
    await this.storage.deleteAll();
  }

  async #send(): Promise<void> {
    try {
      while (this.#row !== undefined && this.#row.unsent.length > 0) {
        const { unsent } = this.#row;
        const property = this.#row.record?.property ?? '';
        const updates = await Promise.all(unsent.map(toUpdate));
        await this.#link?.ledgerOf(property).append(property, updates);
        // A transition may have added one meanwhile.
        if (this.#row === undefined) break;
        this.#row = { ...this.#row, unsent: this.#row.unsent.filter((update) => !unsent.includes(update)) };
      }
      // In the same turn as the last look: what comes later finds nothing under way.
      this.#sending = undefined;
      this.due.clear(SEND_UPDATES);
      this.due.arm();
    } catch {
      this.#sending = undefined;
      if (this.#row !== undefined) this.#resendLater();
    }
  }

  /** Stored, too: a later instance takes what is due before its alarm as sent. */
  #resendLater(): void {
    this.transaction(() => {
      this.#change({});
      this.due.set(SEND_UPDATES, Date.now() + RESEND_AFTER_MS);
    });
  }

  #tell(record: Stored, at: number, changes?: Partial<Pick<UnsentUpdate, 'type' | 'audit'>>): void {
    const { duplicate, ...entry } = this.#kind.toEntry(record);
    // It is news of the record itself, and of nothing that is told of it besides.
    const isNews = changes?.type === undefined && duplicate !== undefined;
    const update = { ...entry, ...(isNews && { duplicate }), at, ...changes };
    this.#change({ unsent: [...this.#current.unsent, update] });
    this.due.setEarlier(SEND_UPDATES, Date.now() + RESEND_AFTER_MS);
    this.#hasNewUpdate = true;
  }

  get #current(): RecordRow<Stored, Beside> {
    const { beside } = this.#kind;
    const empty = { schema: SCHEMA_VERSION, record: null, fingerprint: '', unsent: [], reservations: [], beside };
    return this.#read() ?? empty;
  }

  #change(changes: Partial<RecordRow<Stored, Beside>>): void {
    this.#row = { ...this.#current, ...changes };
    this.#isWritten = false;
  }

  #flush(): void {
    if (!this.#isWritten) this.#write();
    this.due.arm();
    if (this.#hasNewUpdate) this.#link?.waitUntil(this.sendUpdates());
    this.#hasNewUpdate = false;
  }

  #read(): RecordRow<Stored, Beside> | undefined {
    if (this.#row !== undefined) return this.#row;
    const stored = this.#isEmpty ? undefined : this.#readBody();
    this.#isEmpty = stored === undefined;
    if (stored === undefined) return undefined;
    this.#row = parseRow(stored, this.#kind);
    return this.#row;
  }

  /** One query: asking first whether there is a table takes as long as reading it. */
  #readBody(): string | undefined {
    try {
      const [row] = this.storage.sql.exec<{ body: string }>('SELECT body FROM object').toArray();
      this.#hasTable = true;
      return row?.body;
    } catch (error) {
      if (String(error).includes('no such table: object')) return undefined;
      throw error;
    }
  }

  #write(): void {
    const body = rowText(this.#current, this.due.toStored());
    this.prepare();
    this.#isEmpty = false;
    this.storage.sql.exec('INSERT OR REPLACE INTO object (k, body) VALUES (1, ?)', body);
    this.#isWritten = true;
  }

  #moved(task: Task, calledFor: number): number | undefined {
    // It was sent: otherwise the alarm would have come for it.
    if (task.kind === SEND_UPDATES) {
      if (this.#row !== undefined) this.#row = { ...this.#row, unsent: [] };
      return undefined;
    }
    const record = this.#row?.record ?? null;
    const { isRepeatable, moved } = this.#kind;
    if (record === null || isRepeatable?.(task.kind) !== true) return task.at;
    return moved?.(record, task, calledFor);
  }
}
