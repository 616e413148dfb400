/** `/v1/events`: the feed, oldest first; the same events go to webhooks. */
import { type DeskEvent, EmptySchema, ListEventsSchema, type WebhookEvent } from '@innkeep/core/contract';
import { describe } from '../http/describe.ts';
import { unwrap } from '../http/problem.ts';
import { json } from '../http/response-headers.ts';
import { jsonBody, query } from '../http/validate.ts';
import { merchantApp } from '../properties/resource-app.ts';
import type { LedgerDependencies } from './lists.ts';

export const events = merchantApp<LedgerDependencies>({ tag: 'Events' })
  .get(
    '/',
    describe({ id: 'listEvents', scopes: ['events', 'read'], desk: 'read' }),
    query(ListEventsSchema),
    async (c) => {
      const { after, limit } = c.req.valid('query');
      const { items, nextAfter } = await c.get('dependencies').ledger(c.get('property').id).events(after, limit);
      const found = items.map((item) => JSON.parse(item) as WebhookEvent);
      return json(c, { object: 'list', data: c.get('desk') === undefined ? found : found.map(toDeskEvent), nextAfter });
    },
  )
  .post(
    '/:id/redeliver',
    describe({ id: 'redeliverEvent', scopes: ['events'] }),
    jsonBody(EmptySchema, { isOptional: true }),
    async (c) => {
      const { id } = c.get('property');
      const event = unwrap<string>(await c.get('dependencies').ledger(id).redeliver(id, c.req.param('id')));
      return json(c, JSON.parse(event) as unknown, 202);
    },
  );

/** A desk hears that something has changed. It reads what it may see of that by the id. */
function toDeskEvent({ id, type, timestamp: createdAt, seq: position, data: { object } }: WebhookEvent): DeskEvent {
  return { id, type, createdAt, position, resource: object.object === 'webhook_endpoint' ? null : object.id };
}
