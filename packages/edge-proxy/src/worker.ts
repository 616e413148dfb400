/** The worker entry: the app and its objects. With `worker-moto.ts` the only file that the runtime loads by name. */
import { createWorker, type ProxyWorker } from './runtime/worker-app.ts';

export { IdKeyObject } from './ledger/id-key-object.ts';
export { LedgerObject } from './ledger/ledger-object.ts';
export { PlatformFeedObject } from './ledger/platform-feed-object.ts';
export { MoneyOperationObject } from './money/money-operation-object.ts';
export { PropertyDirectoryObject } from './properties/property-directory-object.ts';
export { PropertyObject } from './properties/property-object.ts';
export { CheckoutSessionObject } from './sessions/checkout-session-object.ts';
export { AccessTokenObject } from './upstream/access-token-object.ts';

/** The Worker: every route but the one that takes card numbers. */
const worker: ProxyWorker = createWorker();
export default worker;
