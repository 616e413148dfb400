/** The proxy as a Worker of your own: its handler, and the classes of the objects that the runtime loads by name. */
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

/**
 * Makes the Worker: every route but the one that takes card numbers. It takes no options, since all that it needs comes from the
 * bindings: the objects, `ASSETS`, `PUBLIC_URL` and `PROPERTY_<ID>`.
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
