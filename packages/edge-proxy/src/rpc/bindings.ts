/** Everything the runtime hands the worker, as `wrangler.jsonc` and the self-hosting configuration declare it. */
import type { RateLimitBindings } from '../middleware/rate-limits.ts';
import type { CheckoutSessionBindings } from '../objects/checkout-session-object.ts';
import type { MoneyOperationBindings } from '../objects/money-operation-object.ts';
import type { FeedBindings } from './platform-feeds.ts';
import type { DirectoryBindings } from './property-copies.ts';
import type { IdKeyBindings } from './tagged-ids.ts';

/** Bindings of the worker. `PROPERTY_<ID>` names are there, too, and read by the configuration alone. */
export interface Bindings
  extends CheckoutSessionBindings,
    Omit<MoneyOperationBindings, 'CHECKOUT_SESSIONS'>,
    IdKeyBindings,
    RateLimitBindings {
  readonly DIRECTORIES: NonNullable<DirectoryBindings['DIRECTORIES']>;
  readonly PROPERTIES: NonNullable<DirectoryBindings['PROPERTIES']>;
  readonly FEEDS: NonNullable<FeedBindings['FEEDS']>;
  readonly ASSETS: Fetcher;
}
