/** Kinds of events that the proxy sends. */
export type WebhookEventType =
  | `checkout.${'succeeded' | 'failed' | 'canceled' | 'expired' | 'unknown' | 'duplicate_payment'}`
  | `${'charge' | 'reversal'}.${'succeeded' | 'declined' | 'failed' | 'unknown'}`
  | `webhook_endpoint.${'disabled' | 'removed'}`;

/**
 * An event of the proxy. Types may be added: ignore the ones you do not know. Deliveries may repeat and overtake each
 * other: use `id` to drop repeats and `data.object.seq` to drop what is older than what you have.
 */
export interface WebhookEvent<Resource = Readonly<Record<string, unknown>>> {
  /** `ev_…`, the same for every delivery. */
  id: string;
  type: WebhookEventType | (string & {});
  /** RFC 3339 UTC. */
  timestamp: string;
  /** Position in the property's feed: 1, 2, 3 … without gaps. */
  seq: number;
  /** What the event is about. */
  data: {
    /** The resource as a merchant sees it: tokens reduced to their last 4, no client secret. */
    object: Resource;
    /** Only with `checkout.duplicate_payment`: two payments for one reference, of which one is likely too many. */
    duplicate?: {
      /** Ids of both, the earlier one first. */
      payments: string[];
      /** How to give one back. */
      remedy: string;
    };
  };
}
