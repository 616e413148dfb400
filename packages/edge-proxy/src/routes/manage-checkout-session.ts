/** What the hotel's server does with one session: read, expire, refresh, resolve, secrets, links. */
import { currencyExponent } from '@innkeep/core/values';
import { type AppContext, publicUrl } from '../middleware/app-context.ts';
import { authenticateMerchant, type Merchant } from '../middleware/merchant-auth.ts';
import { readJsonBody } from '../middleware/read-json-body.ts';
import { ProblemError } from '../problem.ts';
import type { Route } from './route.ts';
import { CreateClientSecretSchema, EmptySchema, ResolveCheckoutSessionSchema } from './session-schemas.ts';

/** `GET /v1/checkout-sessions/{id}`. */
export const retrieveCheckoutSession: Route = {
  method: 'GET',
  path: '/v1/checkout-sessions/:id',
  handle: async (c) => {
    const { id, property } = await enter(c);
    return c.json(await c.get('dependencies').sessions.retrieve(id, property.id));
  },
};

/** `POST /v1/checkout-sessions/{id}/expire`. */
export const expireCheckoutSession: Route = {
  method: 'POST',
  path: '/v1/checkout-sessions/:id/expire',
  handle: async (c) => {
    const { id, property } = await enter(c);
    await readJsonBody(c, EmptySchema, { isOptional: true });
    return c.json(await c.get('dependencies').sessions.expire(id, property.id));
  },
};

/** `POST /v1/checkout-sessions/{id}/refresh`: look now, answer after two seconds at most. */
export const refreshCheckoutSession: Route = {
  method: 'POST',
  path: '/v1/checkout-sessions/:id/refresh',
  handle: async (c) => {
    const { id, property } = await enter(c);
    await readJsonBody(c, EmptySchema, { isOptional: true });
    return c.json(await c.get('dependencies').sessions.refresh(id, property.id));
  },
};

/** `POST /v1/checkout-sessions/{id}/resolve`: a person's evidence ends an outcome that is not certain for good. */
export const resolveCheckoutSession: Route = {
  method: 'POST',
  path: '/v1/checkout-sessions/:id/resolve',
  handle: async (c) => {
    const { id, property, key } = await enter(c);
    const { status, evidence, transactionId = null, amount } = await readJsonBody(c, ResolveCheckoutSessionSchema);
    if (amount !== undefined && status === 'failed') {
      throw new ProblemError('invalid_request', { detail: 'Nothing moved when it failed', param: 'amount' });
    }
    if (amount !== undefined && currencyExponent(amount.currency) === undefined) {
      throw new ProblemError('invalid_request', { detail: 'Must be an ISO 4217 code', param: 'amount.currency' });
    }
    const resolution = { status, evidence, transactionId, by: key.id, ...(amount === undefined ? {} : { amount }) };
    return c.json(await c.get('dependencies').sessions.resolve(id, property.id, resolution));
  },
};

/** `POST /v1/checkout-sessions/{id}/client-secret`: for a return page or another device. */
export const createClientSecret: Route = {
  method: 'POST',
  path: '/v1/checkout-sessions/:id/client-secret',
  handle: async (c) => {
    const { id, property } = await enter(c);
    const { revokeOthers } = await readJsonBody(c, CreateClientSecretSchema, { isOptional: true });
    return c.json({
      clientSecret: await c.get('dependencies').sessions.createClientSecret(id, property.id, revokeOthers),
    });
  },
};

/** `POST /v1/checkout-sessions/{id}/link`: an address that pays this session. */
export const createPaymentLink: Route = {
  method: 'POST',
  path: '/v1/checkout-sessions/:id/link',
  handle: async (c) => {
    const { id, property } = await enter(c);
    await readJsonBody(c, EmptySchema, { isOptional: true });
    const { origin } = publicUrl(c);
    const { linkId, expiresAt } = await c.get('dependencies').sessions.createLink(id, property.id);
    const url = `${origin}/pay/${linkId}`;
    return c.json({ url, qrUrl: `${url}/qr.svg`, expiresAt });
  },
};

async function enter(c: AppContext): Promise<Merchant & { readonly id: string }> {
  const merchant = await authenticateMerchant(c, 'checkout');
  const id = c.req.param('id') ?? '';
  c.get('facts').resource = id.slice(0, 40);
  return { ...merchant, id };
}
