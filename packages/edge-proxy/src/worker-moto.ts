/**
 * The worker of a hotel whose staff key in cards: everything the default one has, and the one route that takes a card
 * number. Deploying it brings the proxy into the scope of the card schemes' rules for systems that handle card data.
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

/** The Worker: the default one's routes and `POST /v1/cards`. */
const worker: ProxyWorker = createWorker((env) => [['/v1/cards', cards(env)]]);
export default worker;
