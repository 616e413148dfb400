/**
 * Sends events to the endpoints, to each at its own pace: one that hangs does not delay the others. What is under way is
 * also on disk, so that the alarm restarts a loop that died with its instance.
 */

import { log } from '../http/log.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { acquirePermit, isRefused, type Permit } from '../upstream/call-budget.ts';
import type { Delivery, DeliveryTable } from './delivery-table.ts';
import { attempt, mayHear, signatureHeaders } from './webhook-delivery.ts';
import type { Endpoint } from './webhook-endpoint.ts';
import {
  classifyDelivery,
  type DeliveryDecision,
  deliveriesAtOnce,
  probeDelay,
  webhookDelay,
} from './webhook-schedule.ts';

/** The decisions as metrics call them. */
const OUTCOMES = { accepted: 'accepted', retry: 'failed', disable: 'disabled' } as const;

export interface SenderHost {
  readonly table: DeliveryTable;
  /** The property's endpoints; undefined while its configuration cannot be read. */
  endpoints(): Promise<readonly Endpoint[] | undefined>;
  /** Whose endpoints they are, for the log. */
  property(): string;
  /** Called when an endpoint answers 410. */
  disable(endpoint: Endpoint, status: number): void;
  /** Called when nothing is due any more for an endpoint, or when its loop has failed. */
  rest(isBroken: boolean): void;
  readonly telemetry?: Telemetry | undefined;
}

export class WebhookSender {
  readonly #host: SenderHost;
  readonly #loops = new Map<string, Promise<void>>();
  /** Until when an endpoint is left alone because its host has as many attempts under way as it may have. */
  readonly #deferredUntil = new Map<string, number>();

  constructor(host: SenderHost) {
    this.#host = host;
  }

  isSending(endpoint: string): boolean {
    return this.#loops.has(endpoint);
  }

  /** When something planned for that time goes out. */
  laterThan(key: string, at: number): number {
    return Math.max(at, this.#deferredUntil.get(key) ?? 0);
  }

  /** Starts sending to each endpoint that something is due for. Resolves when nothing is under way any more. */
  async start(endpoints: readonly Endpoint[]): Promise<void> {
    const schedule = endpoints.length === 0 ? [] : this.#host.table.schedule();
    for (const { key } of endpoints) {
      const { nextAt = Number.POSITIVE_INFINITY } = schedule.find((each) => each.key === key) ?? {};
      if (this.#loops.has(key) || this.laterThan(key, nextAt) > Date.now()) continue;
      this.#deferredUntil.delete(key);
      this.#loops.set(key, this.#run(key));
    }
    await Promise.all(this.#loops.values());
  }

  async #run(key: string): Promise<void> {
    let isBroken = false;
    try {
      while (await this.#sendBatch(key));
    } catch (error) {
      this.#loops.delete(key);
      isBroken = true;
      log('error', 'webhook_loop_failed', { error: String(error) });
    }
    this.#host.rest(isBroken);
  }

  /** False when nothing is due any more: the loop ends then. */
  async #sendBatch(key: string): Promise<boolean> {
    const endpoints = (await this.#host.endpoints()) ?? [];
    const endpoint = endpoints.find((each) => each.key === key);
    const { isProbe, batch } = this.#host.table.take(key, Date.now(), (failures) =>
      deliveriesAtOnce(endpoints.length, failures),
    );
    if (endpoint === undefined || batch.length === 0) {
      // In the same turn as the check: anything planned later finds no loop and starts another.
      this.#loops.delete(key);
      return false;
    }
    const heard = batch.filter((delivery) => mayHear(endpoint, delivery));
    for (const delivery of batch) if (!heard.includes(delivery)) this.#host.table.skip(delivery);
    if (heard.length === 0) return true;
    const permits = this.#permits(endpoint, heard.length);
    const sent = heard.slice(0, permits.length);
    try {
      // Signed before the first leaves, so that they leave in the feed's order.
      const signatures = await Promise.all(sent.map((delivery) => signatureHeaders(endpoint, delivery)));
      await Promise.all(
        sent.map(async (delivery, i) => {
          const startedAt = Date.now();
          const isSigned = signatures[i] !== undefined;
          const status = await attempt(endpoint, delivery, signatures[i]);
          // What was not sent says nothing of the host.
          permits[i]?.end(isSigned ? showsHostUp(status) : undefined);
          this.#conclude(endpoint, delivery, { status, isSigned, isProbe, startedAt });
        }),
      );
    } finally {
      for (const permit of permits) permit.end();
    }
    this.#host.telemetry?.flush();
    return sent.length > 0;
  }

  /** As many permits as there are. Without any the endpoint is left alone for a while, which costs no event an attempt. */
  #permits({ key, host }: Endpoint, count: number): Permit[] {
    const permits: Permit[] = [];
    while (permits.length < count) {
      const permit = acquirePermit('webhook', { receiver: host, property: this.#host.property(), source: key });
      if (isRefused(permit)) {
        if (permits.length > 0) break;
        this.#deferredUntil.set(key, Date.now() + Math.round(permit.waitMs * (1 + Math.random())));
        // In the same turn as the check, as above.
        this.#loops.delete(key);
        break;
      }
      permits.push(permit);
    }
    return permits;
  }

  #conclude(
    endpoint: Endpoint,
    delivery: Delivery,
    outcome: {
      readonly status: number | undefined;
      /** False: a secret is not Base64, and nothing was sent. */
      readonly isSigned: boolean;
      readonly isProbe: boolean;
      readonly startedAt: number;
    },
  ): void {
    const { status, isSigned, isProbe, startedAt } = outcome;
    const { table } = this.#host;
    const now = Date.now();
    const decision: DeliveryDecision = classifyDelivery(status);
    const delay = webhookDelay(delivery.failures + 1, Math.random());
    const isGivenUp = decision === 'retry' && !isProbe && delay === undefined;
    console.log(
      JSON.stringify({
        level: decision === 'accepted' ? 'info' : 'warn',
        message: 'webhook',
        property: this.#host.property(),
        event: delivery.eventId,
        to: endpoint.host,
        attempt: delivery.failures + 1,
        status: status ?? null,
        decision,
        durationMs: now - startedAt,
        ...(isSigned ? {} : { issue: 'not sent: a secret of this endpoint is not Base64' }),
        ...(isProbe ? { probe: true } : {}),
        ...(isGivenUp ? { givenUp: true } : {}),
      }),
    );
    this.#host.telemetry?.webhookAttempt({
      property: this.#host.property(),
      outcome: isGivenUp ? 'given_up' : OUTCOMES[decision],
      status,
      durationMs: now - startedAt,
      lagMs: decision === 'accepted' ? lagOf(delivery, now) : undefined,
      eventId: delivery.eventId,
      host: endpoint.host,
    });
    if (decision === 'accepted') table.accept(delivery, now);
    else if (decision === 'disable') this.#host.disable(endpoint, status ?? 0);
    else {
      const nextAt = delay === undefined ? undefined : now + delay;
      const probeAt = (probes: number): number => now + probeDelay(probes, Math.random());
      table.fail(delivery, { now, status, isProbe, nextAt, probeAt });
    }
  }
}

/** Undefined: the host has answered, and does not want this event. */
function showsHostUp(status: number | undefined): boolean | undefined {
  if (status === undefined || status >= 500 || status === 429) return false;
  return status < 300 ? true : undefined;
}

/** Milliseconds from an event to now; undefined for one that was sent again by hand, long after it. */
function lagOf({ retryAt, failures, body }: Delivery, now: number): number | undefined {
  if (failures === 0 && retryAt > 0) return undefined;
  const { timestamp } = JSON.parse(body) as { readonly timestamp: string };
  return now - Date.parse(timestamp);
}
