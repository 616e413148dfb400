/** Everything the runtime hands the worker, as `wrangler.jsonc` and the self-hosting configuration declare it. */
import type { RateLimitBindings } from '../http/rate-limits.ts';
import type { FeedBindings } from '../ledger/platform-feeds.ts';
import type { IdKeyBindings } from '../ledger/tagged-ids.ts';
import type { MoneyOperationBindings } from '../money/money-operation-object.ts';
import type { DirectoryBindings } from '../properties/property-copies.ts';
import type { CheckoutSessionBindings } from '../sessions/checkout-session-object.ts';

/** Bindings of the worker. `PROPERTY_<ID>` names are there, too, and read only by the configuration. */
export interface Bindings
  extends Omit<CheckoutSessionBindings, 'MONEY_OPERATIONS'>,
    Omit<MoneyOperationBindings, 'CHECKOUT_SESSIONS'>,
    IdKeyBindings,
    RateLimitBindings {
  readonly DIRECTORIES: NonNullable<DirectoryBindings['DIRECTORIES']>;
  readonly PROPERTIES: NonNullable<DirectoryBindings['PROPERTIES']>;
  readonly FEEDS: NonNullable<FeedBindings['FEEDS']>;
  readonly ASSETS: Fetcher;
}
