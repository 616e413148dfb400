/** What charges and reversals share once they exist: read and list. And the answer to one that was asked for. */
import {
  ChargeListSchema,
  ChargeSchema,
  ListMoneyOperationsSchema,
  ReversalListSchema,
  ReversalSchema,
} from '@innkeep/core/contract';
import { Hono } from 'hono';
import type { GenericSchema } from 'valibot';
import type { AppContext } from '../http/app-context.ts';
import { type Description, describe } from '../http/describe.ts';
import { replayed } from '../http/idempotency.ts';
import { query } from '../http/validate.ts';
import { location, readList, rememberResource } from '../ledger/lists.ts';
import type { MerchantEnv } from '../properties/resource-app.ts';
import { isUnderWay } from './money-machine.ts';
import type { CreatedOperation } from './money-operation-object.ts';
import { askOperation, type MoneyDependencies, type OperationKind } from './money-operations.ts';

const KINDS = {
  charge: { name: 'Charge', schema: ChargeSchema, list: ChargeListSchema },
  reversal: { name: 'Reversal', schema: ReversalSchema, list: ReversalListSchema },
} as const;

/** The routes of one kind. In the list of reversals, `reference` is the payment's. */
export function moneyOperations(kind: OperationKind) {
  const { name, schema, list } = KINDS[kind];
  const one = { 200: { description: `The ${kind}`, schema } };
  return new Hono<MerchantEnv<MoneyDependencies>>()
    .use('/:id/*', rememberResource)
    .get(
      '/',
      describe({
        id: `list${name}s`,
        scopes: [`${kind}s`, 'read'],
        summary: `List ${kind}s, newest first; eventually consistent`,
        description: `A ${kind} that has just changed may still be listed as it was: read it by its id where that matters.`,
        answers: { 200: { description: 'A page', schema: list } },
      }),
      query(ListMoneyOperationsSchema),
      async (c) => c.json(await readList(c, kind, c.req.valid('query'))),
    )
    .get(
      '/:id',
      describe({
        id: `retrieve${name}`,
        scopes: [`${kind}s`, 'read'],
        summary: `Read a ${kind}`,
        description: `The ${kind} as it is now.`,
        answers: one,
        problems: ['not_found'],
      }),
      async (c) =>
        c.json(
          await askOperation(c, { kind, id: c.req.param('id') }, (operation, property) => operation.retrieve(property)),
        ),
    );
}

/** The payment service has had 25 seconds already. */
const RETRY_AFTER_SECONDS = 5;

/** How {@link operationResponse} answers. `underWay`: what only this kind has, and does not know while there is no outcome. */
export function createdAnswers(
  schema: GenericSchema,
  underWay: Readonly<Record<string, null>> = {},
): Description['answers'] {
  return {
    201: {
      description: 'The outcome, whatever it is: a decline is not an HTTP error',
      schema,
      headers: ['Location', 'idempotent-replayed'],
    },
    202: {
      description: 'No outcome after 25 seconds; ask again with the same key, or read it',
      schema,
      headers: ['Location', 'Retry-After', 'idempotent-replayed'],
      example: { status: 'sent', final: false, seq: 2, transactionId: null, completedAt: null, ...underWay },
    },
  };
}

/** 201 with the outcome, whatever it is; 202 while there is none. */
export function operationResponse(c: AppContext, { operation, isReplay }: CreatedOperation): Response {
  c.get('logFields').outcome = operation.status;
  const headers = { ...location(c, operation.id), ...replayed(isReplay) };
  if (!isUnderWay(operation.status)) return c.json(operation, 201, headers);
  return c.json(operation, 202, { ...headers, 'retry-after': String(RETRY_AFTER_SECONDS) });
}
