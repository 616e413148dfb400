import { describe } from '../http/describe.ts';
import { json } from '../http/response-headers.ts';
import { merchantApp } from '../properties/resource-app.ts';
import type { LedgerDependencies } from './lists.ts';

export const webhookEndpoints = merchantApp<LedgerDependencies>({ tag: 'Events' }).get(
  '/',
  describe({ id: 'listWebhookEndpoints', scopes: ['events', 'read'] }),
  async (c) => {
    const { id } = c.get('property');
    const data = await c.get('dependencies').ledger(id).webhookEndpoints(id);
    return json(c, { object: 'list', data });
  },
);
