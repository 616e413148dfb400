/** `/v1/webhook-endpoints`: how each endpoint is doing. Hosts alone, since addresses may hold secrets. */
import { WebhookEndpointListSchema } from '@innkeep/core/contract';
import { describe } from '../http/describe.ts';
import { merchantApp } from '../properties/resource-app.ts';
import type { LedgerDependencies } from './lists.ts';

export const webhookEndpoints = merchantApp<LedgerDependencies>({ tag: 'Events' }).get(
  '/',
  describe({
    id: 'listWebhookEndpoints',
    scopes: ['events', 'read'],
    summary: 'How each webhook endpoint is doing: what waits for it, and since when it is paused or disabled',
    description: 'Addresses may hold secrets, so only their hosts are shown.',
    answers: { 200: { description: 'Every endpoint of the configuration', schema: WebhookEndpointListSchema } },
  }),
  async (c) => {
    const { id } = c.get('property');
    const data = await c.get('dependencies').ledger(id).webhookEndpoints(id);
    return c.json({ object: 'list', data });
  },
);
