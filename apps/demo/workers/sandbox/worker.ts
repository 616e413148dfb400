/** The sandbox of the deployed demo: it plays the payment service. */
import sandbox, { type SandboxEnvironment, SandboxObject } from '@innkeep/sandbox/worker';
import type { DemoHotelObject } from '../hotel/worker.ts';
import { recordRemotely } from '../record-remotely.ts';

export { SandboxObject };

interface SandboxBindings extends SandboxEnvironment {
  readonly SANDBOX: DurableObjectNamespace;
  readonly SANDBOX_USERNAME: string;
  readonly SANDBOX_PASSWORD: string;
  readonly SANDBOX_API_KEY: string;
  readonly HOTEL: DurableObjectNamespace<DemoHotelObject>;
}

const worker: ExportedHandler<SandboxBindings> = {
  fetch: (request, env, context) =>
    recordRemotely(request, {
      handler: () => sandbox.fetch(request, env),
      to: 'upstream',
      secrets: [env.SANDBOX_USERNAME, env.SANDBOX_PASSWORD, env.SANDBOX_API_KEY],
      panel: env.HOTEL.getByName('hotel'),
      context,
    }),
};
export default worker;
