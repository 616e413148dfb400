import { authenticateMerchant } from '../middleware/merchant-auth.ts';
import type { Route } from './route.ts';

/** `GET /v1/webhook-endpoints`: how each endpoint is doing. Hosts alone, since addresses may hold secrets. */
export const listWebhookEndpoints: Route = {
  method: 'GET',
  path: '/v1/webhook-endpoints',
  handle: async (c) => {
    const { property } = await authenticateMerchant(c, 'events');
    const data = await c.get('dependencies').ledgers.webhookEndpoints(property.id);
    return c.json({ object: 'list', data });
  },
};
