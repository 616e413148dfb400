/**
 * One property's books: the order of its events, their deliveries, and the lists. The other objects own what happened;
 * this one owns that it is told exactly once in the feed and at least once to every webhook.
 */
import { DurableObject } from 'cloudflare:workers';
import { propertiesOf, type Settings } from '../config/settings.ts';
import { type Outcome, refuse } from '../problem.ts';
import { type DueRow, DueTable } from './due-table.ts';
import { IntentTable } from './intent-table.ts';
import { LedgerStorage, type ListedResource, type ListPage, type ListQuery } from './ledger-storage.ts';
import { UnplannedTable } from './unplanned-table.ts';
import { deliver, endpointKey } from './webhook-delivery.ts';

/** News of one transition. Sending it again changes nothing. */
export interface LedgerUpdate {
  /** Derived from resource and version, so the same on every attempt. */
  readonly eventId: string;
  /** Type in the feed; null for a transition that is no news to a merchant. */
  readonly type: string | null;
  readonly at: number;
  readonly resource: ListedResource;
  /** True once a charge has ended without money, so that the same one may be made again. */
  readonly endsIntent?: boolean;
  /** When a charge that has succeeded no longer keeps the same one from being made. */
  readonly keepsIntentUntil?: number;
}

const DAY_MS = 24 * 60 * 60_000;
/** How long an event is kept. */
const EVENT_RETENTION_MS: number = 90 * DAY_MS;
/** How long a listed resource is kept, the same as the resource itself. */
const RESOURCE_RETENTION_MS: number = 400 * DAY_MS;
/** Between two batches of forgetting, so that others have their turn. */
const FORGET_PAUSE_MS = 1_000;
/** Deliveries to one endpoint in one alarm; the rest follows in the next. */
const BATCH = 8;
const BROKEN_PROPERTY_DELAY_MS = 10 * 60_000;

/** Owns one property's feed, lists and webhook deliveries. Its name is the property's id. */
export class LedgerObject extends DurableObject<Settings> {
  readonly #due: DueTable;
  readonly #store: LedgerStorage;
  readonly #intents: IntentTable;
  readonly #unplanned: UnplannedTable;

  constructor(ctx: DurableObjectState, env: Settings) {
    super(ctx, env);
    this.#due = new DueTable(ctx.storage);
    this.#store = new LedgerStorage(ctx.storage);
    this.#intents = new IntentTable(ctx.storage.sql);
    this.#unplanned = new UnplannedTable(ctx.storage.sql);
  }

  /** Takes over news. Returns once they are stored for good. */
  async append(propertyId: string, updates: readonly LedgerUpdate[]): Promise<void> {
    const endpoints = await this.#endpoints(propertyId);
    this.#store.prepare(propertyId);
    this.ctx.storage.transactionSync(() => {
      for (const update of updates) {
        this.#store.upsertResource(update.resource);
        if (update.endsIntent === true) this.#intents.drop(update.resource.id);
        if (update.keepsIntentUntil !== undefined) this.#intents.keep(update.resource.id, update.keepsIntentUntil);
        if (update.type === null) continue;
        const position = this.#store.appendEvent(update.eventId, update.type, update);
        // Known already: its deliveries are on their way or done.
        if (position === undefined) continue;
        this.#unplanned.add(position);
      }
      if (endpoints !== undefined) this.#planDeliveries(endpoints);
      this.#plan();
    });
  }

  /** Events after a position, oldest first, as JSON texts. */
  async events(after: number, limit: number): Promise<{ items: string[]; nextAfter: number }> {
    return this.#store.exists() ? this.#store.listEvents(after, limit) : { items: [], nextAfter: after };
  }

  /** Resources, newest first. */
  async list(query: ListQuery): Promise<ListPage> {
    return this.#store.exists() ? this.#store.list(query, 'newest') : { items: [], nextCursor: null };
  }

  /** Resources of a stretch of time, oldest first. */
  async range(query: ListQuery): Promise<ListPage> {
    return this.#store.exists() ? this.#store.list(query, 'oldest') : { items: [], nextCursor: null };
  }

  /** Announces a charge before it is written down; answers with the same ones announced before it. */
  async claimIntent(propertyId: string, id: string, meaning: string): Promise<string[]> {
    let earlier: string[] = [];
    this.#store.prepare(propertyId);
    this.ctx.storage.transactionSync(() => {
      earlier = this.#intents.claim(id, meaning, Date.now());
      this.#plan();
    });
    return earlier;
  }

  /** Forgets an announced charge: it is decided, or was refused. */
  async dropIntent(id: string): Promise<void> {
    this.#intents.drop(id);
  }

  /** Sends an event to every endpoint again, those that had said 410 included. Answers with the event's JSON. */
  async redeliver(propertyId: string, eventId: string): Promise<Outcome<string>> {
    const event = this.#store.exists() ? this.#store.findEvent(eventId) : undefined;
    if (event === undefined) return refuse('not_found', { detail: 'There is no event with this id' });
    const endpoints = await this.#endpoints(propertyId);
    this.ctx.storage.transactionSync(() => {
      if (endpoints === undefined) this.#unplanned.add(event.position);
      for (const endpoint of endpoints ?? []) {
        this.#store.enable(endpoint);
        this.#store.planDelivery(event.position, endpoint, Date.now());
      }
      this.#plan();
    });
    return { ok: true, value: event.body };
  }

  /** Delivers what is due and forgets what is old. */
  override async alarm(): Promise<void> {
    if (!this.#store.exists()) return;
    await this.#due.run(Date.now(), (row) => this.#runDue(row));
  }

  async #runDue(row: DueRow): Promise<void> {
    if (row.kind === 'deliver') return this.#deliverDue();
    if (row.kind === 'retention') {
      const isMoreOld = this.#store.forget({
        eventsBefore: Date.now() - EVENT_RETENTION_MS,
        resourcesBefore: Date.now() - RESOURCE_RETENTION_MS,
      });
      this.#intents.forget({ now: Date.now(), announcedBefore: Date.now() - RESOURCE_RETENTION_MS });
      return this.#due.set('retention', Date.now() + (isMoreOld ? FORGET_PAUSE_MS : DAY_MS));
    }
    this.#due.clear(row.kind);
  }

  async #deliverDue(): Promise<void> {
    const property = propertiesOf(this.env).find(this.#store.property());
    if (property === undefined || property.broken) {
      return this.#due.set('deliver', Date.now() + BROKEN_PROPERTY_DELAY_MS);
    }
    const endpoints = await Promise.all(
      property.webhooks.map(async (webhook) => ({ ...webhook, key: await endpointKey(webhook.url) })),
    );
    this.ctx.storage.transactionSync(() => {
      this.#planDeliveries(endpoints.map(({ key }) => key));
      this.#store.keepEndpoints(endpoints.map(({ key }) => key));
    });
    await Promise.all(
      endpoints.flatMap((endpoint) =>
        this.#store.dueDeliveries(endpoint.key, Date.now(), BATCH).map(async (delivery) => {
          const outcome = await deliver(endpoint, delivery, property.id);
          if (outcome.verdict === 'disable') this.#store.disable(endpoint.key, Date.now());
          else if (outcome.verdict === 'accepted' || outcome.nextAt === undefined) this.#store.endDelivery(delivery);
          else this.#store.postponeDelivery(delivery, outcome.nextAt);
        }),
      ),
    );
    this.#plan();
  }

  /** Keys of the property's endpoints; undefined while its configuration cannot be read. */
  async #endpoints(propertyId: string): Promise<string[] | undefined> {
    const property = propertiesOf(this.env).find(propertyId);
    if (property === undefined || property.broken) return undefined;
    return Promise.all(property.webhooks.map(({ url }) => endpointKey(url)));
  }

  /** Plans the deliveries of all events that have none yet: the newest, and those of a time without configuration. */
  #planDeliveries(endpoints: readonly string[]): void {
    for (const position of this.#unplanned.take()) {
      for (const endpoint of endpoints) {
        if (!this.#store.isDisabled(endpoint)) this.#store.planDelivery(position, endpoint, Date.now());
      }
    }
  }

  #plan(): void {
    const waiting = this.#unplanned.isEmpty() ? undefined : Date.now() + BROKEN_PROPERTY_DELAY_MS;
    const next = this.#store.nextDeliveryAt() ?? waiting;
    if (next === undefined) this.#due.clear('deliver');
    else this.#due.set('deliver', next);
    if (this.#due.get('retention') === undefined) this.#due.set('retention', Date.now() + DAY_MS);
    this.#due.arm();
  }
}
