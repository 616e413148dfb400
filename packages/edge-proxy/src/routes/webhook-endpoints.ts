/** `/v1/webhook-endpoints`: how each endpoint is doing. Hosts alone, since addresses may hold secrets. */
import { merchantApp } from '../middleware/resource-app.ts';

/** The sub-app. */
export const webhookEndpoints = merchantApp('events').get('/', async (c) => {
  const { id } = c.get('property');
  const data = await c.get('dependencies').ledger(id).webhookEndpoints(id);
  return c.json({ object: 'list', data });
});
