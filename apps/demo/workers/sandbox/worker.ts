/** The sandbox of the deployed demo: it plays the payment service. */
import sandbox, { type SandboxEnvironment, SandboxObject } from '@innkeep/sandbox/worker';
import type { DemoHotelObject } from '../hotel/worker.ts';
import { answerTapped } from '../remote-tap.ts';

export { SandboxObject };

/** Bindings of the Worker. */
interface SandboxBindings extends SandboxEnvironment {
  readonly SANDBOX: DurableObjectNamespace;
  readonly SANDBOX_USERNAME: string;
  readonly SANDBOX_PASSWORD: string;
  readonly SANDBOX_API_KEY: string;
  readonly HOTEL: DurableObjectNamespace<DemoHotelObject>;
  /** See WirePanelSettings. */
  readonly WIRE_PANEL: string;
}

const worker: ExportedHandler<SandboxBindings> = {
  fetch: (request, env, context) =>
    answerTapped(request, {
      handler: () => sandbox.fetch(request, env),
      to: 'upstream',
      settings: env.WIRE_PANEL,
      wirePanel: env.HOTEL.getByName('hotel'),
      inBackground: (work) => context.waitUntil(work),
    }),
};
export default worker;
