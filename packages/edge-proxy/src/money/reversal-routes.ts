/** `/v1/reversals`: a payment, or a part of it, is refunded, once for each idempotency key. */
import { CreateReversalSchema } from '@innkeep/core/contract';
import { describe } from '../http/describe.ts';
import { requiredIdempotencyKey } from '../http/idempotency.ts';
import { type Outcome, ProblemError, unwrap } from '../http/problem.ts';
import { requestFingerprint } from '../http/request-fingerprint.ts';
import { jsonBody } from '../http/validate.ts';
import { UPSTREAM_ANSWER_LIMIT_MS } from '../objects/object-by-name.ts';
import { merchantApp } from '../properties/resource-app.ts';
import type { CreatedOperation } from './money-operation-object.ts';
import { type MoneyDependencies, operationIdOf } from './money-operations.ts';
import { newReversal } from './money-record.ts';
import { moneyOperations, operationResponse } from './operation-routes.ts';
import { moneyResolutions } from './resolution-routes.ts';

/** The sub-app. The payment's own object says how much is left. */
export const reversals = merchantApp<MoneyDependencies>({ tag: 'Charges and reversals' })
  .post(
    '/',
    describe({ id: 'createReversal', scopes: ['reversals'], desk: 'reverse' }),
    requiredIdempotencyKey,
    jsonBody(CreateReversalSchema),
    async (c) => {
      const property = c.get('property');
      const { ids, operation, now, traceparent } = c.get('dependencies');
      const body = c.req.valid('json');
      const id = await operationIdOf(c, 'reversal', c.get('idempotencyKey'));
      c.get('logFields').resource = id;
      const { maxReversal: limit } = c.get('key');
      const personLimit = c.get('desk')?.maxReversal ?? undefined;
      const createdAt = now();
      const origin = { id, property, createdAt, actor: c.get('actor') };
      const reversal = newReversal(body, { ...origin, isLimited: limit !== undefined || personLimit !== undefined });
      const { payment, allowDuplicate } = body;
      const isKnown =
        (await ids.isKnown('cs', payment, property.id)) || (await ids.isKnown('ch', payment, property.id));
      const limits = { limit, personLimit };
      const options = { fingerprint: await requestFingerprint(body), allowDuplicate, ...limits, traceparent };
      const created: Outcome<CreatedOperation> | undefined = isKnown
        ? await operation(id, UPSTREAM_ANSWER_LIMIT_MS).reverse(reversal, options)
        : undefined;
      // Another hotel's is answered as one that does not exist.
      if (created === undefined || (!created.ok && created.code === 'not_found')) {
        throw new ProblemError('not_found', { detail: 'There is no payment with this id', param: 'payment' });
      }
      return operationResponse(c, unwrap(created));
    },
  )
  .route('/', moneyOperations('reversal'))
  .route('/', moneyResolutions('reversal'));
