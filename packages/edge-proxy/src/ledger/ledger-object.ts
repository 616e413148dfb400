/**
 * The ledger of one property: the order of its events, their deliveries, and the lists. The other objects own what
 * happened; this one makes sure that it appears in the feed exactly once and reaches every webhook at least once.
 */
import type { Payment, PaymentTotals, PropertyStatus, WebhookEndpoint } from '@innkeep/core/contract';
import { isEqualConstantTime } from '../http/hash.ts';
import { type Outcome, ok, refuse } from '../http/problem.ts';
import { PlacedObject } from '../objects/placed-object.ts';
import { type Schedule, type Task, tableSchedule } from '../objects/schedule.ts';
import type { Actor } from '../properties/actor.ts';
import { type Act, type AuditRow, auditRow, logAct } from '../properties/audit-row.ts';
import type { AuditSlice } from '../properties/audit-slice.ts';
import type { RefusedCall } from '../properties/caller-env.ts';
import { openedPage, type StoredDeskSession, usedPage } from '../properties/desk-session.ts';
import type { LedgerUpdate } from '../records/ledger-update.ts';
import { redacted } from '../records/redacted.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { telemetryOf } from '../telemetry/telemetry-of.ts';
import { AuditTable } from './audit-table.ts';
import { DeskSessionTable } from './desk-session-table.ts';
import { IntentTable } from './intent-table.ts';
import { type LedgerSpace, ledgerSpace } from './ledger-capacity.ts';
import { type CleanUpBindings, EVENT_RETENTION_MS, LedgerCleanUp } from './ledger-clean-up.ts';
import { countLedger, countUnknown } from './ledger-counts.ts';
import { type EventBindings, LedgerEvents } from './ledger-events.ts';
import { KINDS, LedgerStorage } from './ledger-storage.ts';
import { type PaidSession, type PaymentLines, type PaymentQuery, PaymentReader } from './payment-reader.ts';
import type { PaymentSearch } from './payment-search.ts';
import type { PaymentPlace, PaymentRange } from './payment-table.ts';
import { NO_COUNTS, toPropertyStatus } from './property-status.ts';
import type { ListPage, ListQuery } from './resource-list.ts';
import { type LimitClaim, ReversalLimitTable } from './reversal-limit-table.ts';

/** How often the number of unknown outcomes is reported while there is one. */
const UNRESOLVED_AGAIN_MS = 5 * 60_000;

interface LedgerBindings extends EventBindings, CleanUpBindings {}

/** Owns one property's feed, lists and webhook deliveries. Its name is the property's id. */
export class LedgerObject extends PlacedObject<LedgerBindings> {
  readonly #due: Schedule;
  readonly #store: LedgerStorage;
  readonly #payments: PaymentReader;
  readonly #intents: IntentTable;
  readonly #limits: ReversalLimitTable;
  readonly #auditTable: AuditTable;
  readonly #deskSessions: DeskSessionTable;
  readonly #cleanUp: LedgerCleanUp;
  readonly #events: LedgerEvents;
  readonly #telemetry: Telemetry | undefined;

  constructor(ctx: DurableObjectState, bindings: LedgerBindings) {
    super(ctx, bindings);
    const { env } = this;
    // A pass over all old payments is costly: the next instance must not begin another one the same day.
    this.#due = tableSchedule(ctx.storage, (kind) => kind !== 'retention');
    this.#store = new LedgerStorage(ctx.storage);
    this.#payments = new PaymentReader(ctx.storage.sql, this.#store);
    this.#intents = new IntentTable(ctx.storage.sql);
    this.#limits = new ReversalLimitTable(ctx.storage.sql);
    this.#auditTable = new AuditTable(ctx.storage.sql);
    this.#deskSessions = new DeskSessionTable(ctx.storage.sql);
    this.#telemetry = telemetryOf(env);
    this.#cleanUp = new LedgerCleanUp(env, ctx.storage.sql, this.#due, {
      store: this.#store,
      audit: this.#auditTable,
      intents: this.#intents,
      limits: this.#limits,
      deskSessions: this.#deskSessions,
      space: () => this.#space(),
    });
    this.#events = new LedgerEvents(ctx, env, {
      due: this.#due,
      store: this.#store,
      planCleanUp: () => this.#cleanUp.plan(),
    });
  }

  /** Stores updates. Returns once they are on disk. */
  async append(propertyId: string, updates: readonly LedgerUpdate[]): Promise<void> {
    // Most versions are only for lists, and nobody is told of them.
    const hasChanged = updates.some(({ type }) => type !== null);
    const endpoints = hasChanged ? await this.#events.endpoints(propertyId) : undefined;
    this.#store.prepare(propertyId);
    this.ctx.storage.transactionSync(() => {
      const receivers = endpoints && this.#events.planDeliveries(endpoints);
      for (const update of updates) {
        const isSuccess = update.type !== null && update.resource.status === 'succeeded';
        const before = isSuccess ? this.#store.find(update.resource.id) : undefined;
        const isNewer = this.#store.upsertResource(update.resource);
        this.#audit(update, isNewer);
        if (update.endsIntent === true) this.#intents.drop(update.resource.id);
        if (update.keepsIntentUntil !== undefined) this.#intents.keep(update.resource.id, update.keepsIntentUntil);
        const erased = update.redacts && { redacted: this.#store.redact(update.resource.id, update.redacts) };
        // Told before, and its event is forgotten: an object may not know that it was told. In doubt, it is told twice.
        const isForgotten = !isNewer && update.at < Date.now() - EVENT_RETENTION_MS;
        if (update.type === null || isForgotten) continue;
        const { eventId, type, at, duplicate, resource } = update;
        const body = JSON.parse(resource.body) as unknown;
        // Overtaken by a version that was redacted.
        const isErased = !isNewer && this.#store.find(resource.id)?.reference === null;
        const data = { object: isErased ? redacted(body) : body, ...(duplicate && { duplicate }), ...erased };
        this.#events.append(eventId, type, { at, data }, { receivers });
        if (isNewer && before?.status !== 'succeeded') this.#events.appendDuplicates(update, receivers);
      }
    });
    const isUnknown = updates.some(({ resource }) => resource.body.includes('"status":"unknown"'));
    if (isUnknown || this.#due.get('unresolved') !== undefined) this.#reportUnresolved();
    const isErasure = updates.some(({ redacts }) => redacts);
    if (hasChanged) this.#events.send(endpoints, isErasure);
    else this.#cleanUp.plan();
  }

  /** Events after a position, oldest first, as JSON texts. */
  async events(after: number, limit: number): Promise<{ items: string[]; nextAfter: number }> {
    return this.#store.exists() ? this.#store.listEvents(after, limit) : { items: [], nextAfter: 0 };
  }

  /** Whether it has heard of a resource. */
  async has(id: string): Promise<boolean> {
    return this.#store.exists() && this.#store.find(id) !== undefined;
  }

  /** Whether any of its payments is of real money. */
  async hasLivePayments(): Promise<boolean> {
    return this.#store.exists() && this.#store.hasLive();
  }

  async list(query: ListQuery): Promise<ListPage> {
    return this.#store.exists() ? this.#store.list(query, 'newest') : { items: [], nextCursor: null };
  }

  async range(query: ListQuery): Promise<ListPage> {
    return this.#store.exists() ? this.#store.list(query, 'oldest') : { items: [], nextCursor: null };
  }

  /** See {@link PaymentReader.paidSessions}. */
  async paidSessions(range: PaymentRange, cursor: PaymentPlace | null, limit: number): Promise<PaidSession[]> {
    return this.#store.exists() ? this.#payments.paidSessions(range, cursor, limit) : [];
  }

  /** A page of payments, and what was taken and refunded in the range. */
  async payments({
    withTotals,
    ...query
  }: PaymentQuery & { readonly withTotals: boolean }): Promise<
    PaymentLines & { readonly totals: PaymentTotals[] | null }
  > {
    if (!this.#store.exists()) return { data: [], next: null, position: 0, totals: withTotals ? [] : null };
    const { from, to, livemode } = query;
    const hasTotals = withTotals && from !== null && to !== null;
    return { ...this.#payments.list(query), totals: hasTotals ? this.#payments.totals({ from, to }, livemode) : null };
  }

  /** Payments that match what somebody typed. */
  async searchPayments(search: PaymentSearch, limit: number, livemode?: boolean): Promise<Omit<PaymentLines, 'next'>> {
    return this.#store.exists() ? this.#payments.search(search, limit, livemode) : { data: [], position: 0 };
  }

  /** One payment as staff read it. */
  async payment(id: string): Promise<Outcome<Payment>> {
    const payment = this.#store.exists() ? this.#payments.retrieve(id) : undefined;
    return payment === undefined ? refuse('not_found', { detail: 'There is no payment with this id' }) : ok(payment);
  }

  /** Ids of sessions that have stored a card, after one of them. */
  async cardSessions(after: string, limit: number): Promise<string[]> {
    return this.#store.exists() ? this.#store.cardSessions(after, limit) : [];
  }

  /**
   * Announces a charge before it is written down. Returns the ids of identical charges announced before it. Refuses when
   * the ledger is full: what is left is for outcomes.
   */
  async claimIntent(propertyId: string, id: string, meaning: string): Promise<Outcome<string[]>> {
    if (this.#space().status === 'full') {
      return refuse('ledger_full', { detail: 'This hotel’s ledger is full: nothing was stored, and nothing was sent' });
    }
    this.#store.prepare(propertyId);
    const earlier = this.ctx.storage.transactionSync(() => this.#intents.claim(id, meaning, Date.now()));
    this.#cleanUp.plan();
    return ok(earlier);
  }

  async dropIntent(id: string): Promise<void> {
    this.#intents.drop(id);
  }

  /** Counts a reversal against the limits of its key and its person before it is sent; refused when it would exceed one. */
  async claimReversal(propertyId: string, claim: LimitClaim): Promise<Outcome<null>> {
    this.#store.prepare(propertyId);
    const claimed = this.#limits.claim(claim);
    this.#cleanUp.plan();
    return claimed;
  }

  /** Hears that a reversal has certainly refunded nothing. */
  async releaseReversal(id: string, epoch: number): Promise<void> {
    if (this.#store.exists()) this.#limits.release(id, epoch);
  }

  /** Keeps a new desk session. */
  async addDeskSession(propertyId: string, session: StoredDeskSession, actor: Actor): Promise<void> {
    this.#store.prepare(propertyId);
    this.ctx.storage.transactionSync(() => {
      this.#deskSessions.put(session);
      this.#note({ action: 'desk_session.created', actor }, session.id);
    });
    this.#cleanUp.plan();
  }

  /** A desk session; null when there is none of this id. */
  async deskSession(id: string): Promise<StoredDeskSession | null> {
    return this.#findDeskSession(id) ?? null;
  }

  /** Desk sessions, the newest first. */
  async listDeskSessions(before: string | null, limit: number): Promise<StoredDeskSession[]> {
    return this.#store.exists() ? this.#deskSessions.list(before, limit) : [];
  }

  /**
   * Opens the page of a desk session: its code, known by its hash, is used up, and from now on `hash` is that of its secret. Null when the
   * code is wrong, was used or is too old.
   */
  async openDeskPage(id: string, code: string, hash: string): Promise<StoredDeskSession | null> {
    const session = this.#findDeskSession(id);
    if (session === undefined || !isEqualConstantTime(session.hash, code)) return null;
    const opened = openedPage(session, hash, Date.now());
    if (opened !== undefined) this.#deskSessions.put(opened);
    return opened ?? null;
  }

  /** Writes down that the page of a desk session is being used, so that it does not end. */
  async noteDeskUse(id: string): Promise<void> {
    const session = this.#findDeskSession(id);
    const used = session && usedPage(session, Date.now());
    if (used !== undefined) this.#deskSessions.put(used);
  }

  /** Ends a desk session at once. Once more changes nothing. */
  async revokeDeskSession(id: string, actor: Actor): Promise<Outcome<StoredDeskSession>> {
    const session = this.#findDeskSession(id);
    if (session === undefined) return refuse('not_found', { detail: 'There is no desk session with this id' });
    if (session.revokedAt !== null) return ok(session);
    const revoked = { ...session, revokedAt: Date.now() };
    this.ctx.storage.transactionSync(() => {
      this.#deskSessions.put(revoked);
      this.#note({ action: 'desk_session.revoked', actor }, id);
    });
    return ok(revoked);
  }

  /** Writes down what somebody reads. Returns once it is on disk. */
  async noteAct(propertyId: string, { resource, ...act }: Act & { readonly resource: string | null }): Promise<void> {
    this.#store.prepare(propertyId);
    this.#note(act, resource);
    this.#cleanUp.plan();
  }

  /** Counts a call that was refused for its key’s scopes. */
  async noteRefusal(propertyId: string, refusal: RefusedCall): Promise<void> {
    this.#store.prepare(propertyId);
    const first = await this.#auditTable.count(propertyId, refusal, Date.now());
    if (first !== undefined) this.#logAct(first);
    this.#cleanUp.plan();
  }

  /** Who did what, as far as it is not in the hotel’s configuration. */
  async audit(slice: AuditSlice): Promise<AuditRow[]> {
    return this.#store.exists() ? this.#auditTable.read(slice) : [];
  }

  /** Sends an event to every endpoint again, including those that answered 410. Returns the event's JSON. */
  async redeliver(propertyId: string, eventId: string): Promise<Outcome<string>> {
    return this.#events.redeliver(propertyId, eventId);
  }

  async webhookEndpoints(propertyId: string): Promise<WebhookEndpoint[]> {
    return this.#events.webhookEndpoints(propertyId);
  }

  /** How the property is doing, as far as its ledger knows. Reads little, however much is stored. */
  async status(propertyId: string): Promise<Omit<PropertyStatus, 'server' | 'upstream'>> {
    const endpoints = await this.webhookEndpoints(propertyId);
    const counts = this.#store.exists() ? countLedger(this.ctx.storage.sql) : NO_COUNTS;
    return toPropertyStatus(propertyId, { ledger: this.#space(), counts, endpoints });
  }

  /** Delivers what is due and deletes what is old. */
  protected override async runAlarm(): Promise<void> {
    if (!this.#store.exists()) return;
    await this.#due.run((task) => this.#runDue(task));
  }

  async #runDue({ kind }: Task): Promise<void> {
    if (kind === 'deliver') return this.#events.sendDue();
    if (await this.#events.resumeFeed(kind)) return;
    if (kind === 'unresolved') return this.#reportUnresolved();
    if (kind === 'retention') return this.#deleteOld();
    this.#due.clear(kind);
  }

  async #deleteOld(): Promise<void> {
    this.#events.followMoves(await this.#events.endpoints(this.#store.property()));
    const erase = await this.#cleanUp.deleteOld();
    if (erase === undefined) return;
    this.#reportUnresolved();
    // A platform may have got this hotel, or its key, while nothing happened here.
    this.#events.forward(true);
    this.ctx.waitUntil(erase());
  }

  /** What an update says of somebody: that they made the resource, which is in the resource, or did something to it. */
  #audit({ audit, resource: { id, kind, seq, createdAt, madeBy } }: LedgerUpdate, isNewer: boolean): void {
    if (seq === 1 && isNewer) this.#logAct({ at: createdAt, action: `${kind}.created`, resource: id, ...madeBy });
    if (audit !== undefined && this.#auditTable.add(audit)) this.#logAct(audit);
  }

  // Read and changed without a pause in between: a code opens one page, and what was revoked stays so.
  #findDeskSession(id: string): StoredDeskSession | undefined {
    return this.#store.exists() ? this.#deskSessions.find(id) : undefined;
  }

  #note(act: Act, resource: string | null): void {
    const row = auditRow(act, resource, Date.now());
    this.#auditTable.add(row);
    this.#logAct(row);
  }

  #logAct(act: Omit<AuditRow, 'id'>): void {
    logAct(this.#store.property(), act);
  }

  #space(): LedgerSpace {
    return ledgerSpace(this.ctx.storage.sql.databaseSize, this.env.LEDGER_MAX_BYTES);
  }

  /** Tells a collector how many outcomes are unknown, and plans to tell it again while there is one. */
  #reportUnresolved(): void {
    let total = 0;
    for (const kind of this.#telemetry === undefined ? [] : KINDS) {
      const count = countUnknown(this.ctx.storage.sql, kind);
      this.#telemetry?.unresolvedOutcomes(kind, this.#store.property(), count);
      total += count;
    }
    if (total > 0) this.#due.set('unresolved', Date.now() + UNRESOLVED_AGAIN_MS);
    else this.#due.clear('unresolved');
  }
}
