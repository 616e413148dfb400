/** What charges and reversals share once they exist: read, list and redact. And the answer to one that was asked for. */
import { EmptySchema, ListMoneyOperationsSchema } from '@innkeep/core/contract';
import type { AppContext } from '../http/app-context.ts';
import { describe } from '../http/describe.ts';
import { replayed } from '../http/idempotency.ts';
import { json } from '../http/response-headers.ts';
import { Routes } from '../http/routes.ts';
import { jsonBody, query } from '../http/validate.ts';
import { location, readList, rememberResource } from '../ledger/lists.ts';
import type { MerchantEnv } from '../properties/caller-env.ts';
import { isUnderWay } from './money-machine.ts';
import type { CreatedOperation } from './money-operation-object.ts';
import { askOperation, type MoneyDependencies, type OperationKind } from './money-operations.ts';

/** The routes of one kind. In the list of reversals, `reference` is the payment's. */
export function moneyOperations(kind: OperationKind) {
  const name = kind === 'charge' ? 'Charge' : 'Reversal';
  return new Routes<MerchantEnv<MoneyDependencies>>()
    .use('/:id/*', rememberResource)
    .get(
      '/',
      describe({ id: `list${name}s`, scopes: [`${kind}s`, 'read'] }),
      query(ListMoneyOperationsSchema),
      async (c) => json(c, await readList(c, kind, c.req.valid('query'))),
    )
    .get('/:id', describe({ id: `retrieve${name}`, scopes: [`${kind}s`, 'read'], desk: 'read' }), async (c) =>
      json(
        c,
        await askOperation(c, { kind, id: c.req.param('id') }, (operation, property) => operation.retrieve(property)),
      ),
    )
    .post(
      '/:id/redact',
      describe({ id: `redact${name}`, scopes: ['redact'] }),
      jsonBody(EmptySchema, { isOptional: true }),
      async (c) =>
        json(
          c,
          await askOperation(c, { kind, id: c.req.param('id') }, (operation, property) =>
            operation.redact(property, c.get('actor')),
          ),
        ),
    );
}

/** The payment service has had 25 seconds already. */
const RETRY_AFTER_SECONDS = 5;

/** 201 with the outcome, whatever it is; 202 while there is none. */
export function operationResponse(c: AppContext, { operation, isReplay }: CreatedOperation): Response {
  c.get('logFields').outcome = operation.status;
  const headers = { ...location(c, operation.id), ...replayed(isReplay) };
  if (!isUnderWay(operation.status)) return json(c, operation, 201, headers);
  return json(c, operation, 202, { ...headers, 'retry-after': String(RETRY_AFTER_SECONDS) });
}
