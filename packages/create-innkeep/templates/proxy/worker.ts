// For a hotel whose staff key in cards: '@innkeep/edge-proxy/moto' in place of both, and dist/assets-moto in wrangler.jsonc.
import { createProxy } from '@innkeep/edge-proxy';

export {
  AccessTokenObject,
  CheckoutSessionObject,
  IdKeyObject,
  LedgerObject,
  MoneyOperationObject,
  PlatformFeedObject,
  PropertyDirectoryObject,
  PropertyObject,
} from '@innkeep/edge-proxy';

export default createProxy();
