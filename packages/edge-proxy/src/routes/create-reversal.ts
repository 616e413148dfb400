/** `POST /v1/reversals`: gives back a payment, or a part of it, once for each idempotency key. */
import { derivedId } from '../ids.ts';
import { requiredIdempotencyKey } from '../middleware/idempotency.ts';
import { authenticateMerchant } from '../middleware/merchant-auth.ts';
import { readJsonBody } from '../middleware/read-json-body.ts';
import { requestFingerprint } from '../policy/request-fingerprint.ts';
import { CreateReversalSchema } from './money-schemas.ts';
import { operationResponse } from './operation-response.ts';
import type { Route } from './route.ts';

/** The route. The payment's own object says how much is left. */
export const createReversal: Route = {
  method: 'POST',
  path: '/v1/reversals',
  handle: async (c) => {
    const { property } = await authenticateMerchant(c, 'charges');
    const key = requiredIdempotencyKey(c);
    const body = await readJsonBody(c, CreateReversalSchema);
    const id = await derivedId('rv', [property.id, 'reversal', key]);
    c.get('facts').resource = id;
    const created = await c.get('dependencies').operations.reverse(
      {
        kind: 'reversal',
        id,
        property: property.id,
        livemode: property.livemode,
        createdAt: c.get('dependencies').now(),
        payment: body.payment,
        amount: body.amount ?? null,
      },
      await requestFingerprint(body),
    );
    return operationResponse(c, created);
  },
};
