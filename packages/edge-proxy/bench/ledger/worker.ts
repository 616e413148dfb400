/** Tells a ledger what it is given, each update in a call of its own, as the objects of payments do. */
import { LedgerObject } from '../../src/ledger/ledger-object.ts';
import type { LedgerUpdate } from '../../src/records/ledger-update.ts';

export { LedgerObject };

const AT_ONCE = 32;

export default {
  async fetch(
    request: Request,
    env: { readonly LedgerObject: DurableObjectNamespace<LedgerObject> },
  ): Promise<Response> {
    if (request.method === 'GET') return new Response('ready');
    const updates = await request.json<LedgerUpdate[]>();
    const ledger = env.LedgerObject.getByName('bench');
    const one = async (): Promise<void> => {
      for (let update = updates.pop(); update !== undefined; update = updates.pop()) {
        await ledger.append('bench', [update]);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, one));
    return new Response('told');
  },
};
