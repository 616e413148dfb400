/** The edge proxy of the deployed demo: the build for hotels whose staff key in cards, as in the local demo. */
import { createProxy, type ProxyWorker } from '@innkeep/edge-proxy/moto';
import type { DemoHotelObject } from '../hotel/worker.ts';
import { recordRemotely } from '../record-remotely.ts';

export {
  AccessTokenObject,
  CheckoutSessionObject,
  IdKeyObject,
  LedgerObject,
  MoneyOperationObject,
  PlatformFeedObject,
  PropertyDirectoryObject,
  PropertyObject,
} from '@innkeep/edge-proxy/moto';

/** What the demo adds to the proxy's own bindings, and those it names itself. */
interface ProxyBindings extends ProxyOwnBindings {
  readonly PUBLIC_URL: string;
  readonly PROPERTY_AURORA: string;
  readonly HOTEL: DurableObjectNamespace<DemoHotelObject>;
}

const proxy: ProxyWorker = createProxy();

type ProxyOwnBindings = Parameters<ProxyWorker['fetch']>[1];

const worker: ExportedHandler<ProxyBindings> = {
  fetch: (request, env, context) =>
    recordRemotely(request, {
      handler: async () => proxy.fetch(request, env, context),
      to: 'proxy',
      secrets: credentialsOf(env.PROPERTY_AURORA),
      panel: env.HOTEL.getByName('hotel'),
      context,
    }),
};

/** The credentials in the hotel's settings. Merchant keys are not among them: the settings hold their hashes. */
function credentialsOf(settings: string): string[] {
  // Written by the deployment from `demoProperty` in scripts/demo-property.ts.
  const { username, password, gateway, webhooks } = JSON.parse(settings) as {
    readonly username: string;
    readonly password: string;
    readonly gateway: { readonly apiKey: string };
    readonly webhooks: readonly { readonly secret: string }[];
  };
  return [username, password, gateway.apiKey, ...webhooks.map(({ secret }) => secret)];
}

export default worker;
