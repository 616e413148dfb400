/**
 * The ledger of one property: the order of its events, their deliveries, and the lists. The other objects own what
 * happened; this one makes sure that it appears in the feed exactly once and reaches every webhook at least once.
 */
import type { Payment, PaymentTotals, PropertyStatus, WebhookEndpoint, WebhookEventType } from '@innkeep/core/contract';
import { isEqualConstantTime } from '../http/hash.ts';
import { newEventId, pairEventId } from '../http/ids.ts';
import { type Outcome, ok, refuse } from '../http/problem.ts';
import { PlacedObject } from '../objects/placed-object.ts';
import { type Schedule, type Task, tableSchedule } from '../objects/schedule.ts';
import type { Actor } from '../properties/actor.ts';
import { type Act, type AuditRow, auditRow, logAct } from '../properties/audit-row.ts';
import type { AuditSlice } from '../properties/audit-slice.ts';
import { openedPage, type StoredDeskSession, usedPage } from '../properties/desk-session.ts';
import { platformsOf } from '../properties/platforms.ts';
import { type PropertyBindings, propertiesOf } from '../properties/properties.ts';
import type { RefusedCall } from '../properties/resource-app.ts';
import type { LedgerUpdate } from '../records/ledger-update.ts';
import { redacted } from '../records/redacted.ts';
import { isGone, MAX_RETENTION_MS, RECORD_RETENTION_MS } from '../records/retention.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { telemetryOf } from '../telemetry/telemetry-of.ts';
import { AuditTable } from './audit-table.ts';
import { DeliveryTable, type Endpoint, unusedEndpoint } from './delivery-table.ts';
import { DeskSessionTable } from './desk-session-table.ts';
import { duplicatePayments, type ListedPayment } from './duplicate-payment.ts';
import { FeedForwarding } from './feed-forwarding.ts';
import { IntentTable } from './intent-table.ts';
import { type LedgerSpace, ledgerSpace } from './ledger-capacity.ts';
import { countLedger, countUnknown } from './ledger-counts.ts';
import { type EventContent, KINDS, LedgerStorage, type ListPage, type ListQuery } from './ledger-storage.ts';
import { erasePayments, eraseWords, type KeptBindings } from './old-payments.ts';
import { type PaidSession, type PaymentLines, type PaymentQuery, PaymentReader } from './payment-reader.ts';
import type { PaymentSearch } from './payment-search.ts';
import type { PaymentPlace, PaymentRange } from './payment-table.ts';
import { type FeedBindings, platformFeed } from './platform-feeds.ts';
import { NO_COUNTS, toPropertyStatus } from './property-status.ts';
import { type LimitClaim, ReversalLimitTable } from './reversal-limit-table.ts';
import { UnscheduledTable } from './unscheduled-table.ts';
import { endpointsOf } from './webhook-delivery.ts';
import { WebhookSender } from './webhook-sender.ts';

const DAY_MS = 24 * 60 * 60_000;
const EVENT_RETENTION_MS: number = 90 * DAY_MS;
/** Pause between two batches of deletions, so that other requests get their turn. */
const FORGET_PAUSE_MS = 1_000;
/** Pause between two batches of objects: each keeps its files open for ten seconds, after which the ledger forgets how far it has come. */
const ERASE_PAUSE_MS = 5_000;
/** How long a hotel that is gone keeps what it kept before: a secret may have been lost by mistake. */
const GONE_GRACE_MS: number = 30 * DAY_MS;
/** How often the alarm checks that deliveries under way have not died with their instance. */
const LOST_LOOP_MS = 5_000;
/** With how many payments of the same reference a new one is compared. */
const MAX_DUPLICATES = 20;
/** How often it is told how many outcomes are unknown, as long as one is. */
const UNRESOLVED_AGAIN_MS = 5 * 60_000;
const BROKEN_LOOP_DELAY_MS = 10_000;
const INVALID_PROPERTY_DELAY_MS = 10 * 60_000;

/** Keys of the endpoints that get an event; undefined: nobody can tell yet, or older events come first. */
type Receivers = readonly string[] | undefined;

interface LedgerBindings extends PropertyBindings, FeedBindings, KeptBindings {}

/** Owns one property's feed, lists and webhook deliveries. Its name is the property's id. */
export class LedgerObject extends PlacedObject<LedgerBindings> {
  readonly #due: Schedule;
  readonly #store: LedgerStorage;
  readonly #payments: PaymentReader;
  readonly #intents: IntentTable;
  readonly #unscheduled: UnscheduledTable;
  readonly #limits: ReversalLimitTable;
  readonly #auditTable: AuditTable;
  readonly #deskSessions: DeskSessionTable;
  readonly #deliveries: DeliveryTable;
  readonly #sender: WebhookSender;
  readonly #feeds: FeedForwarding;
  readonly #words: ReturnType<typeof eraseWords>;
  readonly #records: ReturnType<typeof erasePayments>;
  /** Whether all records were gone through, and their words come next. */
  #areWordsNext = false;
  readonly #telemetry: Telemetry | undefined;
  /** Whether the property's configuration could be read when it was last needed. */
  #isReadable = true;
  /** Whether real money moves, once the configuration was read: until then nobody who must not hear of it does. */
  #isLive: boolean | undefined;

  constructor(ctx: DurableObjectState, bindings: LedgerBindings) {
    super(ctx, bindings);
    const { env } = this;
    // A pass over all old payments is no small thing: the next instance must not begin another one the same day.
    this.#due = tableSchedule(ctx.storage, (kind) => kind !== 'retention');
    this.#store = new LedgerStorage(ctx.storage);
    this.#payments = new PaymentReader(ctx.storage.sql, this.#store);
    this.#intents = new IntentTable(ctx.storage.sql);
    this.#unscheduled = new UnscheduledTable(ctx.storage.sql);
    this.#limits = new ReversalLimitTable(ctx.storage.sql);
    this.#auditTable = new AuditTable(ctx.storage.sql);
    this.#deskSessions = new DeskSessionTable(ctx.storage.sql);
    this.#words = eraseWords(env, ctx.storage.sql);
    this.#records = erasePayments(env, ctx.storage.sql, (old) => this.#store.forgetResource(old));
    const telemetry = telemetryOf(env);
    this.#telemetry = telemetry;
    this.#deliveries = new DeliveryTable(ctx.storage.sql, {
      onChange: (change) => telemetry?.endpointChange(change, this.#store.property()),
      property: () => this.#store.property(),
    });
    this.#sender = new WebhookSender({
      table: this.#deliveries,
      endpoints: () => this.#endpoints(this.#store.property()),
      property: () => this.#store.property(),
      disable: (endpoint, status) => this.#disable(endpoint, status),
      rest: (isBroken) => this.#rest(isBroken),
      telemetry,
    });
    this.#feeds = new FeedForwarding({
      due: this.#due,
      store: this.#store,
      platforms: () => platformsOf(env).feedsWith({ id: this.#store.property(), livemode: this.#isLive ?? true }),
      possiblePlatforms: () =>
        this.#isLive === undefined ? platformsOf(env).feedsWith({ id: this.#store.property(), livemode: false }) : [],
      isLive: (platform) => this.#isLivePlatform(platform),
      feed: (platform) => platformFeed(env, platform),
    });
  }

  /** Stores updates. Returns once they are on disk. */
  async append(propertyId: string, updates: readonly LedgerUpdate[]): Promise<void> {
    // Most versions are for lists alone, and nobody is told of them.
    const hasChanged = updates.some(({ type }) => type !== null);
    const endpoints = hasChanged ? await this.#endpoints(propertyId) : undefined;
    this.#store.prepare(propertyId);
    this.ctx.storage.transactionSync(() => {
      const receivers = endpoints && this.#planDeliveries(endpoints);
      for (const update of updates) {
        const isSuccess = update.type !== null && update.resource.status === 'succeeded';
        const before = isSuccess ? this.#store.find(update.resource.id) : undefined;
        const isNewer = this.#store.upsertResource(update.resource);
        this.#audit(update, isNewer);
        if (update.endsIntent === true) this.#intents.drop(update.resource.id);
        if (update.keepsIntentUntil !== undefined) this.#intents.keep(update.resource.id, update.keepsIntentUntil);
        const erased = update.redacts && { redacted: this.#store.redact(update.resource.id, update.redacts) };
        // Told before, and its event forgotten: an object may keep as not told what was. What is not known here is rather told twice.
        const isForgotten = !isNewer && update.at < Date.now() - EVENT_RETENTION_MS;
        if (update.type === null || isForgotten) continue;
        const { eventId, type, at, duplicate, resource } = update;
        const body = JSON.parse(resource.body) as unknown;
        // Overtaken by a version that was redacted.
        const isErased = !isNewer && this.#store.find(resource.id)?.reference === null;
        const data = { object: isErased ? redacted(body) : body, ...(duplicate && { duplicate }), ...erased };
        this.#appendEvent(eventId, type, { at, data }, { receivers });
        if (isNewer && before?.status !== 'succeeded') this.#reportDuplicates(update, receivers);
      }
    });
    if (
      this.#due.get('unresolved') !== undefined ||
      updates.some(({ resource }) => resource.body.includes('"status":"unknown"'))
    ) {
      this.#reportUnresolved();
    }
    if (hasChanged) this.#send(endpoints);
    else this.#planRetention();
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

  /** What fits what somebody typed. */
  async searchPayments(search: PaymentSearch, limit: number, livemode?: boolean): Promise<Omit<PaymentLines, 'next'>> {
    return this.#store.exists() ? this.#payments.search(search, limit, livemode) : { data: [], position: 0 };
  }

  /** All that staff read of one payment. */
  async payment(id: string): Promise<Outcome<Payment>> {
    const payment = this.#store.exists() ? this.#payments.retrieve(id) : undefined;
    return payment === undefined ? refuse('not_found', { detail: 'There is no payment with this id' }) : ok(payment);
  }

  /** Ids of sessions that have stored a card, behind one of them. */
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
    this.#plan();
    return ok(earlier);
  }

  async dropIntent(id: string): Promise<void> {
    this.#intents.drop(id);
  }

  /** Counts a reversal against the limits of its key and its person before it is sent; refused when it would be above one. */
  async claimReversal(propertyId: string, claim: LimitClaim): Promise<Outcome<null>> {
    this.#store.prepare(propertyId);
    const claimed = this.#limits.claim(claim);
    this.#planRetention();
    return claimed;
  }

  /** Hears that a reversal has surely given nothing back. */
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
    this.#planRetention();
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
    this.#planRetention();
  }

  /** Counts a call that was refused for its key’s scopes. */
  async noteRefusal(propertyId: string, refusal: RefusedCall): Promise<void> {
    this.#store.prepare(propertyId);
    const first = await this.#auditTable.count(propertyId, refusal, Date.now());
    if (first !== undefined) this.#logAct(first);
    this.#planRetention();
  }

  /** Who did what, as far as it is not in the hotel’s configuration. */
  async audit(slice: AuditSlice): Promise<AuditRow[]> {
    return this.#store.exists() ? this.#auditTable.read(slice) : [];
  }

  /** Sends an event to every endpoint again, including those that answered 410. Returns the event's JSON. */
  async redeliver(propertyId: string, eventId: string): Promise<Outcome<string>> {
    const event = this.#store.exists() ? this.#store.findEvent(eventId) : undefined;
    if (event === undefined) return refuse('not_found', { detail: 'There is no event with this id' });
    const endpoints = await this.#endpoints(propertyId);
    this.ctx.storage.transactionSync(() => {
      // An address that is new takes over what waits, before anything is planned for it.
      if (endpoints !== undefined) this.#planDeliveries(endpoints);
      else this.#unscheduled.add(event.position);
      for (const { key } of endpoints ?? []) {
        this.#deliveries.enable(key, Date.now());
        this.#deliveries.plan(event.position, key, Date.now());
      }
    });
    this.#send(endpoints);
    return ok(event.body);
  }

  async webhookEndpoints(propertyId: string): Promise<WebhookEndpoint[]> {
    const endpoints = await this.#endpoints(propertyId);
    const table = this.#store.exists() ? this.#deliveries : undefined;
    if (table !== undefined) this.#followMoves(endpoints);
    return (endpoints ?? []).map((endpoint) => ({
      ...unusedEndpoint(endpoint),
      ...table?.view(endpoint),
      host: endpoint.host,
    }));
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
    if (kind === 'deliver') return this.#deliverDue();
    if (this.#isLive === undefined) await this.#endpoints(this.#store.property());
    if (this.#feeds.isItsOwn(kind)) return this.ctx.waitUntil(this.#feeds.resume(kind));
    if (kind === 'unresolved') return this.#reportUnresolved();
    if (kind === 'retention') return this.#forgetOld();
    this.#due.clear(kind);
  }

  async #forgetOld(): Promise<void> {
    const property = await propertiesOf(this.env).find(this.#store.property());
    const now = Date.now();
    if (property?.invalid === false) this.#store.keepRetentionDays(property.retentionDays);
    this.#followMoves(await this.#endpoints(this.#store.property()));
    // That of a hotel which was removed is known from before, here alone: it counts until the hotel has been gone for a month.
    const wordsMs = (this.#store.retentionDays() ?? Number.POSITIVE_INFINITY) * DAY_MS;
    const isOver = this.#store.goneSince(isGone(property), now) <= now - GONE_GRACE_MS;
    const recordsMs = Math.max(RECORD_RETENTION_MS, Math.min(wordsMs, isOver ? 0 : MAX_RETENTION_MS));
    const before = now - recordsMs;
    const isMoreTold = this.#store.forgetEvents(now - EVENT_RETENTION_MS);
    const isMoreOld = this.#auditTable.forget(before) || isMoreTold;
    this.#intents.forget({ now, pendingBefore: now - RECORD_RETENTION_MS });
    this.#limits.forget(now);
    this.#deskSessions.forget(now - DAY_MS);
    if (isMoreOld) return this.#due.set('retention', now + FORGET_PAUSE_MS);
    this.#due.set('retention', now + DAY_MS);
    this.#reportUnresolved();
    // A platform may have got this hotel, or its key, while nothing happened here.
    this.ctx.waitUntil(this.#feeds.start());
    this.ctx.waitUntil(this.#erase(before, now - wordsMs));
  }

  /** What is kept no longer than its words loses both at once. One after the other: each pass begins anew when it is called after its end. */
  async #erase(recordsBefore: number, wordsBefore: number): Promise<void> {
    const property = this.#store.property();
    this.#areWordsNext ||= !(await this.#records.pass(property, recordsBefore));
    const isMore =
      !this.#areWordsNext || (wordsBefore > recordsBefore && (await this.#words.pass(property, wordsBefore)));
    this.#areWordsNext &&= isMore;
    if (!isMore) return this.#warnOfSpace();
    this.#due.setEarlier('retention', Date.now() + ERASE_PAUSE_MS);
    this.#due.arm();
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

  /** Once a day, after the clean-up. */
  #warnOfSpace(): void {
    const { status, bytes, percent } = this.#space();
    if (status === 'ok') return;
    const fields = { property: this.#store.property(), bytes, percent };
    console.warn(JSON.stringify({ level: 'warn', message: 'ledger_nearly_full', ...fields }));
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

  async #deliverDue(): Promise<void> {
    const endpoints = await this.#endpoints(this.#store.property());
    if (endpoints === undefined) return this.#due.set('deliver', Date.now() + INVALID_PROPERTY_DELAY_MS);
    this.ctx.storage.transactionSync(() => this.#planDeliveries(endpoints));
    this.#send(endpoints);
  }

  /** Starts sending what is due, and plans the alarm for the rest. Nobody waits for it. */
  #send(endpoints: readonly Endpoint[] | undefined): void {
    this.ctx.waitUntil(this.#sender.start(endpoints ?? []));
    this.#plan();
    this.ctx.waitUntil(this.#feeds.start());
  }

  #rest(isBroken: boolean): void {
    this.#plan();
    if (isBroken) this.#due.set('deliver', Date.now() + BROKEN_LOOP_DELAY_MS);
    this.#due.arm();
  }

  /** The property's endpoints; undefined while its configuration cannot be read. */
  async #endpoints(propertyId: string): Promise<Endpoint[] | undefined> {
    const property = await propertiesOf(this.env).find(propertyId);
    this.#isReadable = property !== undefined && !property.invalid;
    if (property === undefined || property.invalid) return undefined;
    this.#isLive = property.livemode;
    const ofPlatforms = platformsOf(this.env).webhooksFor(property);
    return endpointsOf(property.webhooks, ofPlatforms, (platform) => this.#isLivePlatform(platform));
  }

  /** Whether a platform may hear of real money. */
  #isLivePlatform(platform: string): boolean {
    return platformsOf(this.env).all.some(({ id, livemode }) => id === platform && livemode);
  }

  /** Adds an event when a payment that has just succeeded has the same reference as another one. */
  #reportDuplicates({ at, resource: { kind, status, reference, body } }: LedgerUpdate, receivers: Receivers): void {
    if (kind !== 'checkout_session' || status !== 'succeeded' || reference === null) return;
    const others = { kind, status: 'succeeded', reference, limit: MAX_DUPLICATES + 1, cursor: null };
    const { items } = this.#store.list(others, 'newest');
    const read = (body: string): ListedPayment => JSON.parse(body);
    for (const { later, instants, duplicate } of duplicatePayments(read(body), items.map(read))) {
      const data = { object: later, duplicate };
      const about = { resource: later.id, receivers };
      this.#appendEvent(pairEventId(instants), 'checkout.duplicate_payment', { at, data }, about);
    }
  }

  #appendEvent(
    id: string,
    type: WebhookEventType,
    news: EventContent,
    { resource, receivers }: { readonly resource?: string; readonly receivers?: Receivers } = {},
  ): void {
    const position = this.#store.appendEvent(id, type, news, resource);
    if (position === undefined) return;
    if (receivers === undefined) this.#unscheduled.add(position);
    for (const key of receivers ?? []) this.#deliveries.plan(position, key);
  }

  /**
   * Adopts the endpoints of the configuration, and plans the deliveries of events that have none yet.
   * @returns whom a new event goes to
   */
  #planDeliveries(endpoints: readonly Endpoint[]): Receivers {
    const { invalid } = platformsOf(this.env);
    for (const object of this.#deliveries.keep(endpoints, invalid)) {
      console.warn(
        JSON.stringify({
          level: 'warn',
          message: 'webhook_endpoint_removed',
          property: this.#store.property(),
          to: object.host,
          waiting: object.waiting,
          firstSeq: object.firstWaitingSeq,
          lastSeq: object.lastWaitingSeq,
        }),
      );
      this.#appendEvent(newEventId(), 'webhook_endpoint.removed', { at: Date.now(), data: { object } });
    }
    const keys = [...endpoints.map(({ key }) => key), ...this.#deliveries.keysOf(invalid)];
    for (const position of this.#unscheduled.take()) {
      for (const key of keys) this.#deliveries.plan(position, key);
    }
    return this.#unscheduled.isEmpty() ? keys : undefined;
  }

  /** Sends what waits for an address to the one that has replaced it: without news, nothing else would. */
  #followMoves(endpoints: readonly Endpoint[] | undefined): void {
    if (endpoints === undefined || !this.#deliveries.hasGone(endpoints, platformsOf(this.env).invalid)) return;
    this.ctx.storage.transactionSync(() => this.#planDeliveries(endpoints));
    this.#send(endpoints);
  }

  #disable(endpoint: Endpoint, status: number): void {
    this.ctx.storage.transactionSync(() => {
      if (!this.#deliveries.disable(endpoint.key, { now: Date.now(), status })) return;
      const data = { object: this.#deliveries.view(endpoint) };
      this.#appendEvent(newEventId(), 'webhook_endpoint.disabled', { at: Date.now(), data });
    });
    this.ctx.waitUntil(this.#feeds.start());
  }

  #plan(): void {
    const now = Date.now();
    const { invalid } = platformsOf(this.env);
    const times = this.#deliveries.schedule().flatMap(({ key, platform, nextAt }) => {
      if (this.#sender.isSending(key)) return [now + LOST_LOOP_MS];
      if (nextAt === undefined) return [];
      const soonest = invalid.includes(platform) ? now + INVALID_PROPERTY_DELAY_MS : now;
      return [this.#sender.laterThan(key, Math.max(nextAt, soonest))];
    });
    if (!this.#unscheduled.isEmpty()) times.push(this.#isReadable ? now : now + INVALID_PROPERTY_DELAY_MS);
    if (times.length === 0) this.#due.clear('deliver');
    else this.#due.set('deliver', Math.min(...times));
    this.#planRetention();
  }

  #planRetention(): void {
    // No later, too, once a clock that was ahead was set back.
    this.#due.setEarlier('retention', Date.now() + DAY_MS);
    this.#due.arm();
  }
}
