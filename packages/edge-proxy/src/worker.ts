/** The worker entry: the app and its objects. With `worker-moto.ts` the only file that the runtime loads by name. */
import { createWorker, type ProxyWorker } from './worker-app.ts';

export { AccessTokenObject } from './objects/access-token-object.ts';
export { CheckoutSessionObject } from './objects/checkout-session-object.ts';
export { IdKeyObject } from './objects/id-key-object.ts';
export { LedgerObject } from './objects/ledger-object.ts';
export { MoneyOperationObject } from './objects/money-operation-object.ts';
export { PlatformFeedObject } from './objects/platform-feed-object.ts';
export { PropertyDirectoryObject } from './objects/property-directory-object.ts';
export { PropertyObject } from './objects/property-object.ts';

/** The Worker: every route but the one that takes card numbers. */
const worker: ProxyWorker = createWorker();
export default worker;
