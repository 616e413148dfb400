/** `/v1/charges`: stored cards are charged, once for each idempotency key. */
import { CreateChargeSchema } from '@innkeep/core/contract';
import { describe } from '../http/describe.ts';
import { requiredIdempotencyKey } from '../http/idempotency.ts';
import { checkAmount } from '../http/payment-limits.ts';
import { ProblemError, unwrap } from '../http/problem.ts';
import { requestFingerprint } from '../http/request-fingerprint.ts';
import { jsonBody } from '../http/validate.ts';
import { UPSTREAM_ANSWER_LIMIT_MS } from '../objects/object-by-name.ts';
import { merchantApp } from '../properties/resource-app.ts';
import type { CreatedOperation } from './money-operation-object.ts';
import { type MoneyDependencies, operationIdOf } from './money-operations.ts';
import { newCharge } from './money-record.ts';
import { moneyOperations, operationResponse } from './operation-routes.ts';
import { moneyResolutions } from './resolution-routes.ts';

export const charges = merchantApp<MoneyDependencies>({ tag: 'Charges and reversals' })
  .post(
    '/',
    describe({ id: 'createCharge', scopes: ['charges'] }),
    requiredIdempotencyKey,
    jsonBody(CreateChargeSchema),
    async (c) => {
      const property = c.get('property');
      const { operation, now, traceparent } = c.get('dependencies');
      const body = c.req.valid('json');
      const { amountUnit, maxAmount } = property;
      const refusal = checkAmount(body.amount, { amountUnit, maxAmount });
      const id = await operationIdOf(c, 'charge', c.get('idempotencyKey'));
      c.get('logFields').resource = id;
      const fingerprint = await requestFingerprint(body);
      if (refusal !== undefined) {
        // Accepted before the limits were narrowed, the request still has the answer it had.
        const earlier = unwrap<CreatedOperation | null>(await operation(id).replay(id, fingerprint));
        if (earlier === null) throw new ProblemError('invalid_request', refusal);
        return operationResponse(c, earlier);
      }
      const { token, allowDuplicate } = body;
      const charge = newCharge(body, { id, property, createdAt: now(), actor: c.get('actor') });
      const options = { fingerprint, token, allowDuplicate, traceparent };
      const created = await operation(id, UPSTREAM_ANSWER_LIMIT_MS).charge(charge, options);
      return operationResponse(c, unwrap<CreatedOperation>(created));
    },
  )
  .route('/', moneyOperations('charge'))
  .route('/', moneyResolutions('charge'));
