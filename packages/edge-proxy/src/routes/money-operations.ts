/** What charges and reversals share once they exist: read, list, resolve. And the answer to one that was asked for. */
import { ListMoneyOperationsSchema, ResolutionSchema } from '@innkeep/core/contract';
import { Hono } from 'hono';
import type { AppContext, MerchantEnv } from '../middleware/app-context.ts';
import { jsonBody, query } from '../middleware/validate.ts';
import type { CreatedOperation } from '../objects/money-operation-object.ts';
import { isUnderWay } from '../policy/money-machine.ts';
import { readList, rememberResource } from './lists.ts';

/** The routes of one kind. In the list of reversals, `reference` is the payment's. */
export function moneyOperations(kind: 'charge' | 'reversal') {
  return new Hono<MerchantEnv>()
    .use('/:id/*', rememberResource)
    .get('/', query(ListMoneyOperationsSchema), async (c) => c.json(await readList(c, kind, c.req.valid('query'))))
    .get('/:id', async (c) => {
      const about = { kind, property: c.get('property').id };
      return c.json(await c.get('dependencies').operations.retrieve(c.req.param('id'), about));
    })
    .post('/:id/resolve', jsonBody(ResolutionSchema), async (c) => {
      const { status, evidence, transactionId = null } = c.req.valid('json');
      const resolution = { status, evidence, transactionId, by: c.get('key').id };
      const about = { kind, property: c.get('property').id, resolution };
      return c.json(await c.get('dependencies').operations.resolve(c.req.param('id'), about));
    });
}

/** 201 with the outcome, whatever it is; 202 while there is none. */
export function operationResponse(c: AppContext, { operation, isReplay }: CreatedOperation): Response {
  c.get('facts').outcome = operation.status;
  const headers: Record<string, string> = isReplay ? { 'idempotent-replayed': 'true' } : {};
  return c.json(operation, isUnderWay(operation.status) ? 202 : 201, headers);
}
