/** The edge proxy of the deployed demo: the build for hotels whose staff key in cards, as in the local demo. */
import proxy from '@innkeep/edge-proxy/worker-moto';
import type { DemoHotelObject } from '../hotel/worker.ts';
import { answerTapped } from '../remote-tap.ts';

export {
  AccessTokenObject,
  CheckoutSessionObject,
  IdKeyObject,
  LedgerObject,
  MoneyOperationObject,
} from '@innkeep/edge-proxy/worker-moto';

/** What the demo adds to the proxy's own bindings, and those it names itself. */
interface ProxyBindings extends ProxyOwnBindings {
  readonly PUBLIC_URL: string;
  readonly PROPERTY_AURORA: string;
  readonly HOTEL: DurableObjectNamespace<DemoHotelObject>;
  /** See WirePanelSettings. */
  readonly WIRE_PANEL: string;
}

type ProxyOwnBindings = Parameters<typeof proxy.fetch>[1];

const worker: ExportedHandler<ProxyBindings> = {
  fetch: (request, env, context) =>
    answerTapped(request, {
      handler: async () => proxy.fetch(request, env, context),
      to: 'proxy',
      settings: env.WIRE_PANEL,
      wirePanel: env.HOTEL.getByName('hotel'),
      inBackground: (work) => context.waitUntil(work),
    }),
};
export default worker;
