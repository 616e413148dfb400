/** What is done with charges and reversals once they exist: read, list, resolve. One set of routes for either kind. */
import { authenticateMerchant } from '../middleware/merchant-auth.ts';
import { readJsonBody, readQuery } from '../middleware/read-json-body.ts';
import { readList } from './list-ledger.ts';
import { ListMoneyOperationsSchema } from './money-schemas.ts';
import type { Route } from './route.ts';
import { ResolveSchema } from './session-schemas.ts';

/** `GET /v1/charges/{id}`. */
export const retrieveCharge: Route = retrieve('charge', '/v1/charges/:id');
/** `GET /v1/charges`: newest first, eventually consistent. */
export const listCharges: Route = list('charge', '/v1/charges');
/** `POST /v1/charges/{id}/resolve`: a person's evidence ends an unknown outcome. */
export const resolveCharge: Route = resolve('charge', '/v1/charges/:id/resolve');

/** `GET /v1/reversals/{id}`. */
export const retrieveReversal: Route = retrieve('reversal', '/v1/reversals/:id');
/** `GET /v1/reversals`: newest first, eventually consistent. `reference` is the payment's. */
export const listReversals: Route = list('reversal', '/v1/reversals');
/** `POST /v1/reversals/{id}/resolve`: a person's evidence ends an unknown outcome. */
export const resolveReversal: Route = resolve('reversal', '/v1/reversals/:id/resolve');

type Kind = 'charge' | 'reversal';

function retrieve(kind: Kind, path: string): Route {
  return {
    method: 'GET',
    path,
    handle: async (c) => {
      const { property } = await authenticateMerchant(c, 'charges');
      const id = c.req.param('id') ?? '';
      c.get('facts').resource = id.slice(0, 40);
      return c.json(await c.get('dependencies').operations.retrieve(id, { kind, property: property.id }));
    },
  };
}

function list(kind: Kind, path: string): Route {
  return {
    method: 'GET',
    path,
    handle: async (c) => {
      const { property } = await authenticateMerchant(c, 'charges');
      const query = readQuery(c, ListMoneyOperationsSchema);
      const { items, nextCursor } = await readList(c, { kind, property: property.id, query });
      return c.json({ object: 'list', data: items.map((item) => JSON.parse(item) as unknown), nextCursor });
    },
  };
}

function resolve(kind: Kind, path: string): Route {
  return {
    method: 'POST',
    path,
    handle: async (c) => {
      const { property, key } = await authenticateMerchant(c, 'charges');
      const { status, evidence, transactionId = null } = await readJsonBody(c, ResolveSchema);
      const id = c.req.param('id') ?? '';
      c.get('facts').resource = id.slice(0, 40);
      const resolution = { status, evidence, transactionId, by: key.id };
      const about = { kind, property: property.id, resolution };
      return c.json(await c.get('dependencies').operations.resolve(id, about));
    },
  };
}
