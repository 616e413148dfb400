/** `/v1/events`: the feed, oldest first; the same events go to webhooks. */
import { EmptySchema, ListEventsSchema } from '@innkeep/core/contract';
import { merchantApp } from '../middleware/resource-app.ts';
import { jsonBody, query } from '../middleware/validate.ts';
import { unwrap } from '../problem.ts';

/** The sub-app. */
export const events = merchantApp('events')
  .get('/', query(ListEventsSchema), async (c) => {
    const { after, limit } = c.req.valid('query');
    const { items, nextAfter } = await c.get('dependencies').ledger(c.get('property').id).events(after, limit);
    return c.json({ object: 'list', data: items.map((item) => JSON.parse(item) as unknown), nextAfter });
  })
  .post('/:id/redeliver', jsonBody(EmptySchema, { isOptional: true }), async (c) => {
    const { id } = c.get('property');
    const event = unwrap<string>(await c.get('dependencies').ledger(id).redeliver(id, c.req.param('id')));
    return c.json(JSON.parse(event) as unknown, 202);
  });
