/** What an object tells its property's ledger. */
import type { WebhookEvent, WebhookEventType } from '@innkeep/core/contract';
import type { Actor } from '../properties/actor.ts';
import type { AuditRow } from '../properties/audit-row.ts';

/** What an event says of two payments. */
export type Duplicate = NonNullable<WebhookEvent['data']['duplicate']>;

export interface ListedResource {
  readonly id: string;
  readonly kind: string;
  readonly seq: number;
  readonly status: string;
  /** Null once it was redacted. */
  readonly reference: string | null;
  readonly createdAt: number;
  /** Through which call it was made. By whom, the body says. */
  readonly madeBy: Actor;
  /** JSON of the resource as a merchant sees it, secrets reduced. */
  readonly body: string;
}

/** What a version tells the merchant. */
export interface LedgerNews {
  readonly type: WebhookEventType;
  /** With `checkout.duplicate_payment`. */
  readonly duplicate?: Duplicate;
}

/** One version of a resource. Sending it again changes nothing. */
export interface LedgerUpdate {
  /** Derived from resource and version, so the same on every attempt. */
  readonly eventId: string;
  /** Type in the feed; null for a version that lists show and the feed does not. */
  readonly type: WebhookEventType | null;
  /** As in {@link LedgerNews}. */
  readonly duplicate?: Duplicate;
  readonly at: number;
  readonly resource: ListedResource;
  /** Of a version that was redacted: ids of the events about the versions before. */
  readonly redacts?: readonly string[];
  /** What somebody did to it. */
  readonly audit?: AuditRow;
  /** True once a charge has ended without money, so that the same one may be made again. */
  readonly endsIntent?: boolean;
  /** When a charge that has succeeded no longer keeps the same one from being made. */
  readonly keepsIntentUntil?: number;
}

/** The ledger of a property, as whoever tells it something calls it. */
export interface LedgerInbox {
  append(property: string, updates: readonly LedgerUpdate[]): Promise<void>;
}
