/** The events of one ledger, and who is told them: each goes to every webhook and platform of its hotel, at least once. */

import type { WebhookEndpoint, WebhookEventType } from '@innkeep/core/contract';
import { newEventId, pairEventId } from '../http/ids.ts';
import { log } from '../http/log.ts';
import { type Outcome, ok, refuse } from '../http/problem.ts';
import type { Schedule } from '../objects/schedule.ts';
import { platformsOf } from '../properties/platforms.ts';
import { type PropertyBindings, propertiesOf } from '../properties/properties.ts';
import type { LedgerUpdate } from '../records/ledger-update.ts';
import { isGone } from '../records/retention.ts';
import { telemetryOf } from '../telemetry/telemetry-of.ts';
import { DeliveryTable } from './delivery-table.ts';
import { duplicatePayments, type ListedPayment } from './duplicate-payment.ts';
import { FeedForwarding } from './feed-forwarding.ts';
import type { EventContent, LedgerStorage } from './ledger-storage.ts';
import { type FeedBindings, platformFeed } from './platform-feeds.ts';
import { UnscheduledTable } from './unscheduled-table.ts';
import { endpointsOf } from './webhook-delivery.ts';
import type { Endpoint } from './webhook-endpoint.ts';
import { unusedEndpoint } from './webhook-endpoint.ts';
import { WebhookSender } from './webhook-sender.ts';

/** How often the alarm checks that deliveries under way have not died with their instance. */
const LOST_LOOP_MS = 5_000;
/** With how many payments of the same reference a new one is compared. */
const MAX_DUPLICATES = 20;
const BROKEN_LOOP_DELAY_MS = 10_000;
const INVALID_PROPERTY_DELAY_MS = 10 * 60_000;

/** Keys of the endpoints that get an event; undefined: not known yet, or older events come first. */
export type Receivers = readonly string[] | undefined;

export interface EventBindings extends PropertyBindings, FeedBindings {}

export interface EventsHost {
  readonly due: Schedule;
  readonly store: LedgerStorage;
  /** Plans the clean-up that comes once a day, and sets the alarm. */
  readonly planCleanUp: () => void;
}

export class LedgerEvents {
  readonly #ctx: Pick<DurableObjectState, 'storage' | 'waitUntil'>;
  readonly #env: EventBindings;
  readonly #due: Schedule;
  readonly #store: LedgerStorage;
  readonly #planCleanUp: () => void;
  readonly #unscheduled: UnscheduledTable;
  readonly #deliveries: DeliveryTable;
  readonly #sender: WebhookSender;
  readonly #feeds: FeedForwarding;
  /** Whether the property's configuration could be read when it was last needed. */
  #isReadable = true;
  /** Whether real money moves. Undefined until the configuration was read: until then test platforms hear nothing of it. */
  #isLive: boolean | undefined;

  constructor(
    ctx: Pick<DurableObjectState, 'storage' | 'waitUntil'>,
    env: EventBindings,
    { due, store, planCleanUp }: EventsHost,
  ) {
    this.#ctx = ctx;
    this.#env = env;
    this.#due = due;
    this.#store = store;
    this.#planCleanUp = planCleanUp;
    const telemetry = telemetryOf(env);
    this.#unscheduled = new UnscheduledTable(ctx.storage.sql);
    this.#deliveries = new DeliveryTable(ctx.storage.sql, {
      onChange: (change) => telemetry?.endpointChange(change, store.property()),
      property: () => store.property(),
    });
    this.#sender = new WebhookSender({
      table: this.#deliveries,
      endpoints: () => this.endpoints(store.property()),
      property: () => store.property(),
      disable: (endpoint, status) => this.#disable(endpoint, status),
      rest: (isBroken) => this.#rest(isBroken),
      telemetry,
    });
    this.#feeds = new FeedForwarding({
      due,
      store,
      platforms: () => platformsOf(env).feedsWith({ id: store.property(), livemode: this.#isLive ?? true }),
      possiblePlatforms: () =>
        this.#isLive === undefined ? platformsOf(env).feedsWith({ id: store.property(), livemode: false }) : [],
      isLive: (platform) => this.#isLivePlatform(platform),
      feed: (platform) => platformFeed(env, platform),
    });
  }

  /** The property's endpoints; undefined while its configuration cannot be read. */
  async endpoints(propertyId: string): Promise<Endpoint[] | undefined> {
    const property = await propertiesOf(this.#env).find(propertyId);
    this.#isReadable = property !== undefined && !property.invalid;
    // Of a hotel that is gone nobody will ever know: it counts as live.
    if (isGone(property)) this.#isLive ??= true;
    if (property === undefined || property.invalid) return undefined;
    this.#isLive = property.livemode;
    const ofPlatforms = platformsOf(this.#env).webhooksFor(property);
    return endpointsOf(property.webhooks, ofPlatforms, (platform) => this.#isLivePlatform(platform));
  }

  /** How each of the property's endpoints does. */
  async webhookEndpoints(propertyId: string): Promise<WebhookEndpoint[]> {
    const endpoints = await this.endpoints(propertyId);
    const exists = this.#store.exists();
    if (exists) this.followMoves(endpoints);
    return (endpoints ?? []).map((endpoint) => ({
      ...unusedEndpoint(endpoint),
      ...(exists && this.#deliveries.view(endpoint)),
      host: endpoint.host,
    }));
  }

  /** Gives an event the next position, unless it has one, and plans its deliveries. Part of the caller's transaction. */
  append(
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

  /** Adds an event when a payment that has just succeeded has the same reference as another one. */
  appendDuplicates({ at, resource: { kind, status, reference, body } }: LedgerUpdate, receivers: Receivers): void {
    if (kind !== 'checkout_session' || status !== 'succeeded' || reference === null) return;
    const others = { kind, status: 'succeeded', reference, limit: MAX_DUPLICATES + 1, cursor: null };
    const { items } = this.#store.list(others, 'newest');
    const read = (body: string): ListedPayment => JSON.parse(body);
    for (const { later, instants, duplicate } of duplicatePayments(read(body), items.map(read))) {
      const data = { object: later, duplicate };
      const about = { resource: later.id, receivers };
      this.append(pairEventId(instants), 'checkout.duplicate_payment', { at, data }, about);
    }
  }

  /**
   * Adopts the endpoints of the configuration, and plans the deliveries of events that have none yet. Part of the caller's transaction.
   * @returns whom a new event goes to
   */
  planDeliveries(endpoints: readonly Endpoint[]): Receivers {
    const { invalid } = platformsOf(this.#env);
    for (const object of this.#deliveries.keep(endpoints, invalid)) {
      log('warn', 'webhook_endpoint_removed', {
        property: this.#store.property(),
        to: object.host,
        waiting: object.waiting,
        firstSeq: object.firstWaitingSeq,
        lastSeq: object.lastWaitingSeq,
      });
      this.append(newEventId(), 'webhook_endpoint.removed', { at: Date.now(), data: { object } });
    }
    const keys = [...endpoints.map(({ key }) => key), ...this.#deliveries.keysOf(invalid)];
    for (const position of this.#unscheduled.take()) {
      for (const key of keys) this.#deliveries.plan(position, key);
    }
    return this.#unscheduled.isEmpty() ? keys : undefined;
  }

  /** Starts sending what is due, and plans the alarm for the rest. Nobody waits for it. */
  send(endpoints: readonly Endpoint[] | undefined, isErasure = false): void {
    this.#ctx.waitUntil(this.#sender.start(endpoints ?? []));
    this.#plan();
    this.forward(isErasure);
  }

  /**
   * Hands over to platforms what they have not got. Nobody waits for it.
   * @param isErasure whether those that had the hotel before may have to erase something
   */
  forward(isErasure = false): void {
    this.#ctx.waitUntil(this.#feeds.start(isErasure));
  }

  /** Sends what is due now. */
  async sendDue(): Promise<void> {
    const endpoints = await this.endpoints(this.#store.property());
    if (endpoints === undefined) return this.#plan(Date.now() + INVALID_PROPERTY_DELAY_MS);
    this.#ctx.storage.transactionSync(() => this.planDeliveries(endpoints));
    this.send(endpoints);
  }

  /** Goes on with what is handed over to a platform; false when the task is another one. */
  async resumeFeed(kind: string): Promise<boolean> {
    if (this.#isLive === undefined) await this.endpoints(this.#store.property());
    if (!this.#feeds.isItsOwn(kind)) return false;
    this.#ctx.waitUntil(this.#feeds.resume(kind));
    return true;
  }

  /** Sends an event to every endpoint again, including those that answered 410. Returns the event's JSON. */
  async redeliver(propertyId: string, eventId: string): Promise<Outcome<string>> {
    const event = this.#store.exists() ? this.#store.findEvent(eventId) : undefined;
    if (event === undefined) return refuse('not_found', { detail: 'There is no event with this id' });
    const endpoints = await this.endpoints(propertyId);
    this.#ctx.storage.transactionSync(() => {
      // An address that is new takes over what waits, before anything is planned for it.
      if (endpoints !== undefined) this.planDeliveries(endpoints);
      else this.#unscheduled.add(event.position);
      for (const { key } of endpoints ?? []) {
        this.#deliveries.enable(key, Date.now());
        this.#deliveries.plan(event.position, key, Date.now());
      }
    });
    this.send(endpoints);
    return ok(event.body);
  }

  /** Sends what waits for an address to the one that has replaced it: without a new event, nothing else would. */
  followMoves(endpoints: readonly Endpoint[] | undefined): void {
    if (endpoints === undefined || !this.#deliveries.hasGone(endpoints, platformsOf(this.#env).invalid)) return;
    this.#ctx.storage.transactionSync(() => this.planDeliveries(endpoints));
    this.send(endpoints);
  }

  /** Whether a platform may hear of real money. */
  #isLivePlatform(platform: string): boolean {
    return platformsOf(this.#env).all.some(({ id, livemode }) => id === platform && livemode);
  }

  #disable(endpoint: Endpoint, status: number): void {
    this.#ctx.storage.transactionSync(() => {
      if (!this.#deliveries.disable(endpoint.key, { now: Date.now(), status })) return;
      const data = { object: this.#deliveries.view(endpoint) };
      this.append(newEventId(), 'webhook_endpoint.disabled', { at: Date.now(), data });
    });
    this.forward();
  }

  #rest(isBroken: boolean): void {
    this.#plan();
    if (isBroken) this.#due.set('deliver', Date.now() + BROKEN_LOOP_DELAY_MS);
    this.#due.arm();
  }

  #plan(earliest = 0): void {
    const now = Date.now();
    const { invalid } = platformsOf(this.#env);
    const times = this.#deliveries.schedule().flatMap(({ key, platform, nextAt }) => {
      if (this.#sender.isSending(key)) return [now + LOST_LOOP_MS];
      if (nextAt === undefined) return [];
      const soonest = invalid.includes(platform) ? now + INVALID_PROPERTY_DELAY_MS : now;
      return [this.#sender.laterThan(key, Math.max(nextAt, soonest, earliest))];
    });
    if (!this.#unscheduled.isEmpty()) times.push(this.#isReadable ? now : now + INVALID_PROPERTY_DELAY_MS);
    if (times.length === 0) this.#due.clear('deliver');
    else this.#due.set('deliver', Math.min(...times));
    this.#planCleanUp();
  }
}
