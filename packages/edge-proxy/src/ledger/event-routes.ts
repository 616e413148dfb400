/** `/v1/events`: the feed, oldest first; the same events go to webhooks. */
import { EmptySchema, ListEventsSchema } from '@innkeep/core/contract';
import { describe } from '../http/describe.ts';
import { unwrap } from '../http/problem.ts';
import { jsonBody, query } from '../http/validate.ts';
import { merchantApp } from '../properties/resource-app.ts';
import type { LedgerDependencies } from './lists.ts';

export const events = merchantApp<LedgerDependencies>({ tag: 'Events' })
  .get('/', describe({ id: 'listEvents', scopes: ['events', 'read'] }), query(ListEventsSchema), async (c) => {
    const { after, limit } = c.req.valid('query');
    const { items, nextAfter } = await c.get('dependencies').ledger(c.get('property').id).events(after, limit);
    return c.json({ object: 'list', data: items.map((item) => JSON.parse(item) as unknown), nextAfter });
  })
  .post(
    '/:id/redeliver',
    describe({ id: 'redeliverEvent', scopes: ['events'] }),
    jsonBody(EmptySchema, { isOptional: true }),
    async (c) => {
      const { id } = c.get('property');
      const event = unwrap<string>(await c.get('dependencies').ledger(id).redeliver(id, c.req.param('id')));
      return c.json(JSON.parse(event) as unknown, 202);
    },
  );
