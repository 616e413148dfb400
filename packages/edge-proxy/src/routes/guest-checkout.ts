/** The guest's two calls: read the session, and start it. */
import type { StartedCheckout } from '@innkeep/core/checkout/contract';
import { type AppContext, bearer, publicUrl } from '../middleware/app-context.ts';
import { limitFailures, limitGuest } from '../middleware/limit-address.ts';
import { readJsonBody } from '../middleware/read-json-body.ts';
import { ProblemError } from '../problem.ts';
import type { Guest } from '../rpc/checkout-sessions.ts';
import type { Route } from './route.ts';
import { StartCheckoutSchema } from './session-schemas.ts';

/** `GET /v1/checkout`. */
export const readCheckout: Route = {
  method: 'GET',
  path: '/v1/checkout',
  handle: async (c) => {
    await limitGuest(c);
    const view = await withGuest(c, (guest) => c.get('dependencies').sessions.read(guest));
    c.get('facts').resource = view.id;
    return c.json(view);
  },
};

/** `POST /v1/checkout/start`. */
export const startCheckout: Route = {
  method: 'POST',
  path: '/v1/checkout/start',
  handle: async (c) => {
    await limitGuest(c);
    const guest = toGuest(c);
    const { presentation } = await readJsonBody(c, StartCheckoutSchema);
    const how = { presentation, publicUrl: publicUrl(c).origin };
    const { view, viewUrl } = await withGuest(c, () => c.get('dependencies').sessions.start(guest, how));
    c.get('facts').resource = view.id;
    const answer: StartedCheckout = { ...view, viewUrl };
    return c.json(answer);
  },
};

function toGuest(c: AppContext): Guest {
  return { clientSecret: bearer(c), origin: c.req.header('origin') ?? null, publicOrigin: publicUrl(c).origin };
}

async function withGuest<T>(c: AppContext, call: (guest: Guest) => Promise<T>): Promise<T> {
  try {
    return await call(toGuest(c));
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'unauthorized') await limitFailures(c);
    throw error;
  }
}
