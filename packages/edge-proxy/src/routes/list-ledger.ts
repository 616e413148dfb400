/** Lists and the event feed, both from the property's ledger. */

import type { AppContext } from '../middleware/app-context.ts';
import { authenticateMerchant } from '../middleware/merchant-auth.ts';
import { readJsonBody, readQuery } from '../middleware/read-json-body.ts';
import { ProblemError } from '../problem.ts';
import { type ListPage, parseCursor } from '../storage/ledger-storage.ts';
import type { ListMoneyOperations } from './money-schemas.ts';
import type { Route } from './route.ts';
import {
  EmptySchema,
  type ListCheckoutSessions,
  ListCheckoutSessionsSchema,
  ListEventsSchema,
} from './session-schemas.ts';

/** `GET /v1/checkout-sessions`: newest first, eventually consistent. */
export const listCheckoutSessions: Route = {
  method: 'GET',
  path: '/v1/checkout-sessions',
  handle: async (c) => {
    const { property } = await authenticateMerchant(c, 'checkout');
    const query = readQuery(c, ListCheckoutSessionsSchema);
    const { items, nextCursor } = await readList(c, { kind: 'checkout_session', property: property.id, query });
    return c.json({ object: 'list', data: items.map(withoutToken), nextCursor });
  },
};

/** `GET /v1/events`: the feed, oldest first. */
export const listEvents: Route = {
  method: 'GET',
  path: '/v1/events',
  handle: async (c) => {
    const { property } = await authenticateMerchant(c, 'events');
    const { after, limit } = readQuery(c, ListEventsSchema);
    const { items, nextAfter } = await c.get('dependencies').ledgers.events(property.id, after, limit);
    return c.json({ object: 'list', data: items.map((item) => JSON.parse(item) as unknown), nextAfter });
  },
};

/** `POST /v1/events/{id}/redeliver`: send it to every webhook again. */
export const redeliverEvent: Route = {
  method: 'POST',
  path: '/v1/events/:id/redeliver',
  handle: async (c) => {
    const { property } = await authenticateMerchant(c, 'events');
    await readJsonBody(c, EmptySchema, { isOptional: true });
    const event = await c.get('dependencies').ledgers.redeliver(property.id, c.req.param('id') ?? '');
    return c.json(JSON.parse(event), 202);
  },
};

/** A page of one kind: newest first by creation, or by completion when the list is narrowed by it. */
export function readList(
  c: AppContext,
  {
    kind,
    property,
    query,
  }: { readonly kind: string; readonly property: string; readonly query: ListCheckoutSessions | ListMoneyOperations },
): Promise<ListPage> {
  const { status = null, reference = null, completedFrom = null, completedTo = null, limit, cursor = null } = query;
  const by = completedFrom === null && completedTo === null ? 'created_at' : 'completed_at';
  if (cursor !== null && parseCursor(cursor, by) === undefined) {
    throw new ProblemError('invalid_request', { detail: 'Not a cursor of this list', param: 'cursor' });
  }
  const asked = { kind, status, reference, by, from: completedFrom, to: completedTo, limit, cursor } as const;
  return c.get('dependencies').ledgers.list(property, asked);
}

/** A list never shows a card's token, not even its end. */
function withoutToken(item: string): unknown {
  const resource = JSON.parse(item) as { result?: { token?: unknown } | null };
  if (resource.result != null) delete resource.result.token;
  return resource;
}
