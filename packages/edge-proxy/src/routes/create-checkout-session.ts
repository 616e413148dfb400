/** `POST /v1/checkout-sessions`: the hotel's server fixes what is to be paid. */
import { currencyExponent } from '@innkeep/core/values';
import type { Property } from '../config/properties.ts';
import { derivedId, newId } from '../ids.ts';
import { idempotencyKey } from '../middleware/idempotency.ts';
import { authenticateMerchant } from '../middleware/merchant-auth.ts';
import { readJsonBody } from '../middleware/read-json-body.ts';
import { parseHttpUrl } from '../policy/origins.ts';
import { checkAmount } from '../policy/payment-limits.ts';
import { requestFingerprint } from '../policy/request-fingerprint.ts';
import { ProblemError } from '../problem.ts';
import type { Route } from './route.ts';
import { type CreateCheckoutSession, CreateCheckoutSessionSchema } from './session-schemas.ts';

/** The route. */
export const createCheckoutSession: Route = {
  method: 'POST',
  path: '/v1/checkout-sessions',
  handle: async (c) => {
    const { property } = await authenticateMerchant(c, 'checkout');
    const key = idempotencyKey(c);
    const body = await readJsonBody(c, CreateCheckoutSessionSchema);
    checkBody(body, property);
    const { sessions, now } = c.get('dependencies');
    const createdAt = now();
    const id =
      key === undefined ? newId('cs', createdAt) : await derivedId('cs', [property.id, 'checkout_session', key]);
    const { session, clientSecret } = await sessions.create(
      {
        id,
        property: property.id,
        hotelName: property.displayName,
        livemode: property.livemode,
        kind: body.kind,
        amount: body.kind === 'payment' ? body.amount : null,
        surcharge: body.kind === 'payment' && body.surcharge,
        reference: body.reference,
        description: body.description ?? null,
        returnUrl: body.returnUrl ?? null,
        metadata: body.metadata,
        previous: null,
        createdAt,
        expiresAt: createdAt + body.expiresInSeconds * 1_000,
      },
      await requestFingerprint(body),
    );
    c.get('facts').resource = id;
    if (clientSecret === null) return c.json(session, 201, { 'idempotent-replayed': 'true' });
    return c.json({ ...session, clientSecret }, 201);
  },
};

function checkBody(body: CreateCheckoutSession, property: Property): void {
  if (body.returnUrl !== undefined) {
    const url = parseHttpUrl(body.returnUrl);
    if (url === undefined || !property.origins.includes(url.origin)) {
      throw new ProblemError('invalid_request', {
        detail: 'Must be on one of the property’s origins',
        param: 'returnUrl',
      });
    }
  }
  if (body.kind !== 'payment') return;
  const { amountUnit, maxAmount } = property;
  const refusal = checkAmount(body.amount, { amountUnit, maxAmount, exponentOf: currencyExponent });
  if (refusal !== undefined) throw new ProblemError('invalid_request', refusal);
  if (body.surcharge && !property.surcharge) {
    throw new ProblemError('invalid_request', {
      detail: 'This property does not allow surcharges',
      param: 'surcharge',
    });
  }
}
