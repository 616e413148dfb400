/** A webhook endpoint: as it is configured, as it is stored, and how it is doing as the API shows it. */

import type { WebhookEndpoint } from '@innkeep/core/contract';
import { toTimestamp } from '../http/timestamp.ts';

export interface Endpoint {
  /** Hash of its address, which may hold secrets. */
  readonly key: string;
  readonly host: string;
  readonly url: string;
  readonly secret: string | string[];
  /** Id of the platform whose endpoint it is; none: the hotel's own. */
  readonly platform?: string;
  /** Whether only platforms for trying things out name it. */
  readonly isForTests?: boolean;
}

/** What is stored of an endpoint. Instants in milliseconds. */
export type EndpointRow = {
  readonly key: string;
  readonly host: string;
  readonly waiting: number;
  readonly failures: number;
  readonly failed_position: number | null;
  readonly paused_at: number | null;
  readonly probe_at: number | null;
  readonly probes: number;
  readonly given_up: number;
  readonly last_success_at: number | null;
  readonly last_failure_at: number | null;
  readonly last_failure_status: number | null;
  readonly platform: string;
  readonly disabled_at: number | null;
};

/** What waits for an endpoint: the positions of its first and last delivery, and when the next one is due. */
interface Waiting {
  readonly first: number | null;
  readonly last: number | null;
  readonly nextAt: number | undefined;
}

export function endpointView(row: EndpointRow, { first, last, nextAt }: Waiting): WebhookEndpoint {
  const { key, host, platform, paused_at, disabled_at } = row;
  return {
    object: 'webhook_endpoint',
    id: key,
    host,
    ...(platform === '' ? {} : { platform }),
    status: disabled_at !== null ? 'disabled' : paused_at !== null ? 'paused' : 'active',
    waiting: row.waiting,
    firstWaitingSeq: first,
    lastWaitingSeq: last,
    givenUp: row.given_up,
    lastSuccessAt: toInstant(row.last_success_at),
    lastFailureAt: toInstant(row.last_failure_at),
    lastFailureStatus: row.last_failure_status,
    pausedSince: toInstant(paused_at),
    disabledSince: toInstant(disabled_at),
    nextAttemptAt: nextAt === undefined ? null : toTimestamp(Math.max(nextAt, Date.now())),
  };
}

/** One that never had a delivery. */
export function unusedEndpoint({ key, host, platform }: Pick<Endpoint, 'key' | 'host' | 'platform'>): WebhookEndpoint {
  return {
    object: 'webhook_endpoint',
    id: key,
    host,
    ...(platform === undefined ? {} : { platform }),
    status: 'active',
    waiting: 0,
    firstWaitingSeq: null,
    lastWaitingSeq: null,
    givenUp: 0,
    lastSuccessAt: null,
    lastFailureAt: null,
    lastFailureStatus: null,
    pausedSince: null,
    disabledSince: null,
    nextAttemptAt: null,
  };
}

function toInstant(ms: number | null): string | null {
  return ms === null ? null : toTimestamp(ms);
}
