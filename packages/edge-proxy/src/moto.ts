/**
 * The proxy for a hotel whose staff key in cards. Deploying it brings the proxy into the scope of the card schemes' rules for
 * systems that handle card data.
 */
import { cards } from './routes/cards.ts';
import { createWorker, type ProxyWorker } from './worker-app.ts';

export { AccessTokenObject } from './objects/access-token-object.ts';
export { CheckoutSessionObject } from './objects/checkout-session-object.ts';
export { IdKeyObject } from './objects/id-key-object.ts';
export { LedgerObject } from './objects/ledger-object.ts';
export { MoneyOperationObject } from './objects/money-operation-object.ts';
export { PlatformFeedObject } from './objects/platform-feed-object.ts';
export { PropertyDirectoryObject } from './objects/property-directory-object.ts';
export { PropertyObject } from './objects/property-object.ts';
export type { ProxyWorker } from './worker-app.ts';

/** Makes the Worker that `createProxy` of `@innkeep/edge-proxy` makes, with `POST /v1/cards`, the one route that takes a card number. */
export function createProxy(): ProxyWorker {
  return createWorker((env) => [['/v1/cards', cards(env)]]);
}
