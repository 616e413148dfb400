/** Events on their way to the webhook endpoints, and how each endpoint is doing. */

import type { WebhookEndpoint } from '@innkeep/core/contract';
import { log } from '../http/log.ts';
import { EVENT_BODY } from './ledger-tables.ts';
import { type Endpoint, type EndpointRow, endpointView } from './webhook-endpoint.ts';
import { PAUSE_AFTER_FAILURES } from './webhook-schedule.ts';

export interface Delivery {
  readonly position: number;
  readonly endpoint: string;
  /** When it is tried again; 0 if it goes in the feed's order. */
  readonly retryAt: number;
  readonly failures: number;
  readonly eventId: string;
  /** The event's JSON, sent as it is. */
  readonly body: string;
}

/** How far two clocks of one deployment may be apart. */
const CLOCK_STEP_MS = 60_000;

/** What an endpoint's answers can do to it. */
export type EndpointChange = 'paused' | 'resumed' | 'disabled';

interface DeliveryHooks {
  /** Called when an answer has changed the state of an endpoint. */
  readonly onChange?: (change: EndpointChange) => void;
  /** Whose endpoints they are, for the log. */
  readonly property?: () => string;
}

/** Typed access to the `delivery`, `endpoint` and `disabled_endpoint` tables of a ledger. */
export class DeliveryTable {
  readonly #sql: SqlStorage;
  readonly #hooks: DeliveryHooks;

  constructor(sql: SqlStorage, hooks: DeliveryHooks = {}) {
    this.#sql = sql;
    this.#hooks = hooks;
  }

  /**
   * Adopts the endpoints of the configuration. When an owner replaced one address with one other, what waits moves to the new
   * one; otherwise what waits for a removed address is dropped. Returns the endpoints that were dropped.
   * @param unreadable platforms whose configuration cannot be read: their endpoints stay
   */
  keep(endpoints: readonly Endpoint[], unreadable: readonly string[] = []): WebhookEndpoint[] {
    const rows = this.#rows();
    const added = endpoints.filter(({ key }) => !rows.some((row) => row.key === key));
    const gone = rows.filter(isGone(endpoints, unreadable));
    for (const { key, last_failure_at } of rows)
      if ((last_failure_at ?? 0) > Date.now() + CLOCK_STEP_MS) this.#followClock(key, Date.now());
    for (const { key, host, platform = '' } of endpoints) {
      const row = rows.find((each) => each.key === key);
      if (row?.host === host && row.platform === platform) continue;
      this.#sql.exec(
        `INSERT INTO endpoint (key, host, platform) VALUES (?, ?, ?)
         ON CONFLICT (key) DO UPDATE SET host = excluded.host, platform = excluded.platform`,
        key,
        host,
        platform,
      );
    }
    const views: WebhookEndpoint[] = [];
    for (const row of gone) {
      const { key, host, waiting } = row;
      const isOfOwner = ({ platform = '' }: { readonly platform?: string }): boolean => platform === row.platform;
      const [replacement, ...others] = gone.filter(isOfOwner).length === 1 ? added.filter(isOfOwner) : [];
      if (replacement === undefined || others.length > 0) {
        views.push({ ...this.#view(row), status: 'removed', nextAttemptAt: null });
      } else {
        this.#sql.exec(
          'UPDATE delivery SET endpoint = ?, retry_at = 0, failures = 0 WHERE endpoint = ?',
          replacement.key,
          key,
        );
        this.#sql.exec('UPDATE endpoint SET waiting = waiting + ? WHERE key = ?', waiting, replacement.key);
        this.#warn('webhook_endpoint_moved', { from: host, to: replacement.host, waiting });
      }
      this.#sql.exec('DELETE FROM delivery WHERE endpoint = ?', key);
      this.#sql.exec('DELETE FROM disabled_endpoint WHERE endpoint = ?', key);
      this.#sql.exec('DELETE FROM endpoint WHERE key = ?', key);
    }
    return views;
  }

  /** Whether {@link keep} would move or drop what waits for an address. */
  hasGone(endpoints: readonly Endpoint[], unreadable: readonly string[]): boolean {
    return this.#rows().some(isGone(endpoints, unreadable));
  }

  /** The endpoints of these platforms. */
  keysOf(platforms: readonly string[]): string[] {
    if (platforms.length === 0) return [];
    return this.#rows()
      .filter(({ platform }) => platforms.includes(platform))
      .map(({ key }) => key);
  }

  /** Plans a delivery, or plans it again. `retryAt`: an instant, for a delivery that should not wait its turn. */
  plan(position: number, endpoint: string, retryAt = 0): void {
    this.#sql.exec(
      `INSERT INTO delivery (position, endpoint, retry_at, failures) VALUES (?, ?, ?, 0)
       ON CONFLICT (endpoint, position) DO UPDATE SET retry_at = excluded.retry_at, failures = 0`,
      position,
      endpoint,
      retryAt,
    );
  }

  /** When the next delivery is due, for each endpoint that is configured or has deliveries. */
  schedule(): { readonly key: string; readonly platform: string; readonly nextAt: number | undefined }[] {
    const rows = this.#sql.exec<EndpointRow & { readonly first_at: number | null }>(
      `SELECT *, (SELECT retry_at FROM delivery WHERE endpoint = key ORDER BY retry_at LIMIT 1) AS first_at FROM (${ROWS})`,
    );
    return rows.toArray().map((row) => {
      const { key, platform } = row;
      return { key, platform, nextAt: nextAt(row, row.first_at) };
    });
  }

  /** When the next delivery to an endpoint is due; undefined while there is none. */
  nextAt(endpoint: string): number | undefined {
    return this.schedule().find(({ key }) => key === endpoint)?.nextAt;
  }

  /** What to send now. A paused endpoint gets one event: the one tried longest ago. */
  take(endpoint: string, now: number, limit: (failures: number) => number): { isProbe: boolean; batch: Delivery[] } {
    const row = this.#row(endpoint);
    const isProbe = row?.paused_at != null;
    if (row === undefined || row.disabled_at !== null || (row.probe_at ?? 0) > now) return { isProbe, batch: [] };
    const batch = this.#sql
      .exec<{ position: number; endpoint: string; retryAt: number; failures: number; eventId: string; body: string }>(
        `SELECT delivery.position, endpoint, retry_at AS retryAt, failures, event.id AS eventId, ${EVENT_BODY} AS body
         FROM delivery INDEXED BY delivery_by_time CROSS JOIN event USING (position)
         WHERE endpoint = ? AND retry_at <= ? ORDER BY retry_at, delivery.position LIMIT ?`,
        endpoint,
        isProbe ? Number.MAX_SAFE_INTEGER : now,
        isProbe ? 1 : limit(row.failures),
      )
      .toArray();
    return { isProbe, batch };
  }

  /** Ends a delivery that the endpoint must not get. */
  skip(delivery: Delivery): void {
    this.#end(delivery);
  }

  /** The endpoint has accepted a delivery: what waited for its recovery goes out, in the feed's order. */
  accept({ endpoint, ...delivery }: Delivery, now: number): void {
    const row = this.#row(endpoint);
    this.#end({ endpoint, ...delivery });
    this.#sql.exec(
      `UPDATE endpoint SET failures = 0, failed_position = NULL, paused_at = NULL, probe_at = NULL, probes = 0,
         last_success_at = ? WHERE key = ?`,
      now,
      endpoint,
    );
    if (row?.paused_at == null) return;
    this.#sendInOrder(endpoint);
    this.#warn('webhook_endpoint_resumed', { to: row.host, waiting: row.waiting - 1 });
    this.#hooks.onChange?.('resumed');
  }

  /**
   * The endpoint has not accepted a delivery. An attempt that only asks whether a paused endpoint is back does not count
   * against its event.
   * @param nextAt when the delivery is tried again; undefined: never
   * @param probeAt when to ask again if the endpoint is paused after this
   */
  fail(
    delivery: Delivery,
    outcome: {
      readonly now: number;
      readonly status: number | undefined;
      readonly isProbe: boolean;
      readonly nextAt: number | undefined;
      readonly probeAt: (probes: number) => number;
    },
  ): void {
    const { endpoint, position, retryAt } = delivery;
    const { now, status, isProbe, nextAt, probeAt } = outcome;
    const isGivenUp = !isProbe && nextAt === undefined;
    if (isGivenUp) this.#end(delivery);
    else {
      this.#sql.exec(
        'UPDATE delivery SET retry_at = ?, failures = failures + ? WHERE position = ? AND endpoint = ? AND retry_at = ?',
        isProbe ? now : (nextAt ?? now),
        isProbe ? 0 : 1,
        position,
        endpoint,
        retryAt,
      );
    }
    this.#sql.exec(
      `UPDATE endpoint SET failures = failures + 1, given_up = given_up + ?, last_failure_at = ?, last_failure_status = ?,
         failed_position = CASE coalesce(failed_position, ?) WHEN ? THEN ? ELSE 0 END WHERE key = ?`,
      isGivenUp ? 1 : 0,
      now,
      status ?? null,
      position,
      position,
      position,
      endpoint,
    );
    const row = this.#row(endpoint);
    if (row === undefined) return;
    if (row.waiting === 0) {
      // All failures were those of one event, which has ended: the next event starts with a clean endpoint.
      this.#sql.exec('UPDATE endpoint SET failures = 0, failed_position = NULL WHERE key = ?', endpoint);
    } else if (isProbe) {
      this.#sql.exec(
        'UPDATE endpoint SET probes = probes + 1, probe_at = ? WHERE key = ? AND paused_at IS NOT NULL',
        probeAt(row.probes + 1),
        endpoint,
      );
    } else if (row.paused_at === null && row.failures >= PAUSE_AFTER_FAILURES && row.failed_position === 0) {
      this.#sql.exec(
        'UPDATE endpoint SET paused_at = ?, probes = 0, probe_at = ? WHERE key = ?',
        now,
        probeAt(0),
        endpoint,
      );
      this.#warn('webhook_endpoint_paused', { to: row.host, failures: row.failures, waiting: row.waiting });
      this.#hooks.onChange?.('paused');
    }
  }

  /** Sends nothing to an endpoint until it is enabled again; its deliveries are kept. False when it was disabled already. */
  disable(endpoint: string, outcome: { readonly now: number; readonly status: number }): boolean {
    const row = this.#row(endpoint);
    if (row === undefined || row.disabled_at !== null) return false;
    this.#sql.exec('INSERT OR REPLACE INTO disabled_endpoint (endpoint, at) VALUES (?, ?)', endpoint, outcome.now);
    this.#sql.exec(
      'UPDATE endpoint SET last_failure_at = ?, last_failure_status = ? WHERE key = ?',
      outcome.now,
      outcome.status,
      endpoint,
    );
    this.#warn('webhook_endpoint_disabled', { to: row.host, waiting: row.waiting });
    this.#hooks.onChange?.('disabled');
    return true;
  }

  /** Makes a disabled or paused endpoint ready at once. */
  enable(endpoint: string, now: number): void {
    const isDisabled = this.#row(endpoint)?.disabled_at != null;
    this.#sql.exec('DELETE FROM disabled_endpoint WHERE endpoint = ?', endpoint);
    this.#sql.exec('UPDATE endpoint SET probe_at = ? WHERE key = ? AND paused_at IS NOT NULL', now, endpoint);
    if (isDisabled) this.#sendInOrder(endpoint);
  }

  /** How an endpoint is doing; undefined when it never had a delivery. */
  view({ key }: Pick<Endpoint, 'key'>): WebhookEndpoint | undefined {
    const row = this.#row(key);
    return row === undefined ? undefined : this.#view(row);
  }

  #view(row: EndpointRow): WebhookEndpoint {
    const end = (order: 'ASC' | 'DESC'): number | null =>
      this.#sql
        .exec<{ position: number }>(
          `SELECT position FROM delivery WHERE endpoint = ? ORDER BY position ${order} LIMIT 1`,
          row.key,
        )
        .toArray()[0]?.position ?? null;
    return endpointView(row, { first: end('ASC'), last: end('DESC'), nextAt: this.nextAt(row.key) });
  }

  /** The clock was set back since this endpoint failed: its next attempt would come later by as much. */
  #followClock(endpoint: string, now: number): void {
    this.#sql.exec(
      'UPDATE endpoint SET last_failure_at = ?, probe_at = min(probe_at, ?) WHERE key = ?',
      now,
      now,
      endpoint,
    );
    this.#sendInOrder(endpoint);
  }

  /** Makes every delivery due that waits for another attempt, in the feed's order. */
  #sendInOrder(endpoint: string): void {
    this.#sql.exec('UPDATE delivery SET retry_at = 0 WHERE endpoint = ?', endpoint);
  }

  /** Ends a delivery, unless it was planned again while it was under way. */
  #end({ position, endpoint, retryAt }: Pick<Delivery, 'position' | 'endpoint' | 'retryAt'>): void {
    const which = 'position = ? AND endpoint = ? AND retry_at = ?';
    this.#sql.exec(`DELETE FROM delivery WHERE ${which}`, position, endpoint, retryAt);
  }

  #warn(message: string, fields: Readonly<Record<string, unknown>>): void {
    log('warn', message, { property: this.#hooks.property?.(), ...fields });
  }

  #row(key: string): EndpointRow | undefined {
    return this.#sql.exec<EndpointRow>(`${ROWS} WHERE key = ?`, key).toArray()[0];
  }

  #rows(): EndpointRow[] {
    return this.#sql.exec<EndpointRow>(ROWS).toArray();
  }
}

const ROWS = `SELECT endpoint.*, disabled_endpoint.at AS disabled_at
  FROM endpoint LEFT JOIN disabled_endpoint ON disabled_endpoint.endpoint = endpoint.key`;

function isGone(endpoints: readonly Endpoint[], unreadable: readonly string[]): (row: EndpointRow) => boolean {
  return (row) => !endpoints.some(({ key }) => key === row.key) && !unreadable.includes(row.platform);
}

function nextAt(row: EndpointRow, firstAt: number | null): number | undefined {
  return row.disabled_at !== null || firstAt === null ? undefined : (row.probe_at ?? firstAt);
}
