/** What a ledger does once a day: it deletes what is old, and has old payments erased, some at a time. */
import { log } from '../http/log.ts';
import type { Schedule } from '../objects/schedule.ts';
import { type PropertyBindings, propertiesOf } from '../properties/properties.ts';
import { isGone, MAX_RETENTION_MS, RECORD_RETENTION_MS } from '../records/retention.ts';
import type { AuditTable } from './audit-table.ts';
import type { DeskSessionTable } from './desk-session-table.ts';
import type { IntentTable } from './intent-table.ts';
import type { LedgerSpace } from './ledger-capacity.ts';
import type { LedgerStorage } from './ledger-storage.ts';
import { erasePayments, eraseWords, type KeptBindings } from './old-payments.ts';
import type { ReversalLimitTable } from './reversal-limit-table.ts';

const DAY_MS = 24 * 60 * 60_000;
/** How long events are kept. */
export const EVENT_RETENTION_MS: number = 90 * DAY_MS;
/** Pause between two batches of deletions, so that other requests get their turn. */
const FORGET_PAUSE_MS = 1_000;
/** Pause between two batches of objects: each keeps its files open for ten seconds, after which the ledger forgets how far it has come. */
const ERASE_PAUSE_MS = 5_000;
/** How long a hotel that is gone keeps what it kept before: a secret may have been lost by mistake. */
const GONE_GRACE_MS: number = 30 * DAY_MS;

export interface CleanUpBindings extends PropertyBindings, KeptBindings {}

interface CleanedLedger {
  readonly store: LedgerStorage;
  readonly audit: AuditTable;
  readonly intents: IntentTable;
  readonly limits: ReversalLimitTable;
  readonly deskSessions: DeskSessionTable;
  space(): LedgerSpace;
}

export class LedgerCleanUp {
  readonly #env: CleanUpBindings;
  readonly #due: Schedule;
  readonly #ledger: CleanedLedger;
  readonly #words: ReturnType<typeof eraseWords>;
  readonly #records: ReturnType<typeof erasePayments>;
  /** Whether the pass over the records is done, and their words come next. */
  #areWordsNext = false;

  constructor(env: CleanUpBindings, sql: SqlStorage, due: Schedule, ledger: CleanedLedger) {
    this.#env = env;
    this.#due = due;
    this.#ledger = ledger;
    this.#words = eraseWords(env, sql);
    this.#records = erasePayments(env, sql, (old) => ledger.store.forgetResource(old));
  }

  /** Plans the next one. */
  plan(): void {
    // Not later than this, even after a clock that was ahead was set back.
    this.#due.setEarlier('retention', Date.now() + DAY_MS);
    this.#due.arm();
  }

  /** Deletes a batch of what is old. Returns what erases old payments next; undefined when there is more to delete first. */
  async deleteOld(): Promise<(() => Promise<void>) | undefined> {
    const { store, audit, intents, limits, deskSessions } = this.#ledger;
    const property = await propertiesOf(this.#env).find(store.property());
    const now = Date.now();
    if (property?.invalid === false) store.keepRetentionDays(property.retentionDays);
    // Only the ledger still knows the retention of a removed hotel. It applies until the hotel has been gone for a month.
    const wordsMs = (store.retentionDays() ?? Number.POSITIVE_INFINITY) * DAY_MS;
    const isOver = store.goneSince(isGone(property), now) <= now - GONE_GRACE_MS;
    const recordsMs = Math.max(RECORD_RETENTION_MS, Math.min(wordsMs, isOver ? 0 : MAX_RETENTION_MS));
    const before = now - recordsMs;
    const isMoreTold = store.forgetEvents(now - EVENT_RETENTION_MS);
    const isMoreOld = audit.forget(before) || isMoreTold;
    intents.forget({ now, pendingBefore: now - RECORD_RETENTION_MS });
    limits.forget(now);
    deskSessions.forget(now - DAY_MS);
    this.#due.set('retention', now + (isMoreOld ? FORGET_PAUSE_MS : DAY_MS));
    return isMoreOld ? undefined : () => this.#erase(before, now - wordsMs);
  }

  /** A record that is kept no longer than its words loses both at once. Passes take turns: one called after its end would begin again. */
  async #erase(recordsBefore: number, wordsBefore: number): Promise<void> {
    const property = this.#ledger.store.property();
    this.#areWordsNext ||= !(await this.#records.pass(property, recordsBefore));
    const isMore =
      !this.#areWordsNext || (wordsBefore > recordsBefore && (await this.#words.pass(property, wordsBefore)));
    this.#areWordsNext &&= isMore;
    if (!isMore) return this.#warnOfSpace();
    this.#due.setEarlier('retention', Date.now() + ERASE_PAUSE_MS);
    this.#due.arm();
  }

  /** Once a day, after the clean-up. */
  #warnOfSpace(): void {
    const { status, bytes, percent } = this.#ledger.space();
    if (status === 'ok') return;
    log('warn', 'ledger_nearly_full', { property: this.#ledger.store.property(), bytes, percent });
  }
}
