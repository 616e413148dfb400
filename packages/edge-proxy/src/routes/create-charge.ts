/** `POST /v1/charges`: charges a stored card, once for each idempotency key. */
import { currencyExponent } from '@innkeep/core/values';
import { derivedId } from '../ids.ts';
import { requiredIdempotencyKey } from '../middleware/idempotency.ts';
import { authenticateMerchant } from '../middleware/merchant-auth.ts';
import { readJsonBody } from '../middleware/read-json-body.ts';
import { checkAmount } from '../policy/payment-limits.ts';
import { requestFingerprint } from '../policy/request-fingerprint.ts';
import { ProblemError } from '../problem.ts';
import { hotelSnapshot } from '../upstream/upstream-options.ts';
import { CreateChargeSchema } from './money-schemas.ts';
import { operationResponse } from './operation-response.ts';
import type { Route } from './route.ts';

/** The route. */
export const createCharge: Route = {
  method: 'POST',
  path: '/v1/charges',
  handle: async (c) => {
    const { property } = await authenticateMerchant(c, 'charges');
    const key = requiredIdempotencyKey(c);
    const body = await readJsonBody(c, CreateChargeSchema);
    const { amountUnit, maxAmount } = property;
    const refusal = checkAmount(body.amount, { amountUnit, maxAmount, exponentOf: currencyExponent });
    const id = await derivedId('ch', [property.id, 'charge', key]);
    c.get('facts').resource = id;
    const fingerprint = await requestFingerprint(body);
    const { operations } = c.get('dependencies');
    if (refusal !== undefined) {
      // Accepted before the limits were narrowed, the request still has the answer it had.
      const earlier = await operations.replay(id, fingerprint);
      if (earlier === null) throw new ProblemError('invalid_request', refusal);
      return operationResponse(c, earlier);
    }
    const { token, tokenFrom, amount, reference, reason, text = null, allowDuplicate } = body;
    const created = await operations.charge(
      {
        kind: 'charge',
        id,
        property: property.id,
        livemode: property.livemode,
        createdAt: c.get('dependencies').now(),
        amount,
        reference,
        reason,
        text,
        serviceProvider: tokenFrom === 'moto' ? property.providerDirect : property.providerHosted,
        hotel: hotelSnapshot(property),
      },
      { fingerprint, token, allowDuplicate },
    );
    return operationResponse(c, created);
  },
};
