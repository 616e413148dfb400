/** Everything the runtime hands the worker, as `wrangler.jsonc` and the self-hosting configuration declare it. */
import type { CheckoutSessionBindings } from '../objects/checkout-session-object.ts';
import type { MoneyOperationBindings } from '../objects/money-operation-object.ts';
import type { FeedBindings } from './platform-feeds.ts';
import type { DirectoryBindings } from './property-copies.ts';
import type { IdKeyBindings } from './tagged-ids.ts';

/** Bindings of the worker. `PROPERTY_<ID>` names are there, too, and read by the configuration alone. */
export interface Bindings extends CheckoutSessionBindings, MoneyOperationBindings, IdKeyBindings {
  readonly DIRECTORIES: NonNullable<DirectoryBindings['DIRECTORIES']>;
  readonly PROPERTIES: NonNullable<DirectoryBindings['PROPERTIES']>;
  readonly FEEDS: NonNullable<FeedBindings['FEEDS']>;
  readonly ASSETS: Fetcher;
  /** Per-address limits, where the host has them. */
  readonly GUEST_LIMIT?: RateLimit;
  readonly FAILURE_LIMIT?: RateLimit;
}
