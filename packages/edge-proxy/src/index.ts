/** The proxy as a Worker of your own: its handler, and the classes of the objects that the runtime loads by name. */
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

/**
 * Makes the Worker: every route but the one that takes card numbers. It takes no options, since all that it needs comes from the
 * bindings: the objects, `ASSETS`, `PUBLIC_URL` and `PROPERTY_<ID>`. Other routes may be beside it, but it cannot be below a path:
 * every address that it hands out begins with `PUBLIC_URL`, an origin.
 *
 * @example
 * ```ts
 * import { createProxy } from '@innkeep/edge-proxy';
 *
 * export {
 *   AccessTokenObject,
 *   CheckoutSessionObject,
 *   IdKeyObject,
 *   LedgerObject,
 *   MoneyOperationObject,
 *   PlatformFeedObject,
 *   PropertyDirectoryObject,
 *   PropertyObject,
 * } from '@innkeep/edge-proxy';
 *
 * export default createProxy();
 * ```
 */
export function createProxy(): ProxyWorker {
  return createWorker();
}
