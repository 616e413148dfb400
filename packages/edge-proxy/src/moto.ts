/**
 * The proxy for a hotel whose staff key in cards. Deploying it brings the proxy into the scope of the card schemes' rules for
 * systems that handle card data.
 */
import { cards } from './money/card-routes.ts';
import { createWorker, type ProxyWorker } from './runtime/worker-app.ts';

export { IdKeyObject } from './ledger/id-key-object.ts';
export { LedgerObject } from './ledger/ledger-object.ts';
export { PlatformFeedObject } from './ledger/platform-feed-object.ts';
export { MoneyOperationObject } from './money/money-operation-object.ts';
export { PropertyDirectoryObject } from './properties/property-directory-object.ts';
export { PropertyObject } from './properties/property-object.ts';
export type { ProxyWorker } from './runtime/worker-app.ts';
export { CheckoutSessionObject } from './sessions/checkout-session-object.ts';
export { AccessTokenObject } from './upstream/access-token-object.ts';

/** Makes the same Worker as `createProxy` of `@innkeep/edge-proxy`, plus `POST /v1/cards`, the one route that takes a card number. */
export function createProxy(): ProxyWorker {
  return createWorker((env) => [['/v1/cards', cards(env)]]);
}
