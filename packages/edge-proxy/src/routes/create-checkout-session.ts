/** `POST /v1/checkout-sessions`: the hotel's server fixes what is to be paid. */
import { currencyExponent } from '@innkeep/core/values';
import type { Property } from '../config/properties.ts';
import { idempotencyKey } from '../middleware/idempotency.ts';
import { authenticateMerchant } from '../middleware/merchant-auth.ts';
import { readJsonBody } from '../middleware/read-json-body.ts';
import { parseHttpUrl } from '../policy/origins.ts';
import { checkAmount } from '../policy/payment-limits.ts';
import { requestFingerprint } from '../policy/request-fingerprint.ts';
import { type ProblemDetails, ProblemError } from '../problem.ts';
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
    const { sessions, now } = c.get('dependencies');
    const createdAt = now();
    const id = await (key === undefined
      ? sessions.ids.create(createdAt)
      : sessions.ids.derive([property.id, 'checkout_session', key]));
    const fingerprint = await requestFingerprint(body);
    const refusal = findRefusal(body, property);
    if (refusal !== undefined) {
      // Accepted before the configuration was narrowed, the request still has the answer it had.
      const earlier = key === undefined ? null : await sessions.replay(id, fingerprint);
      if (earlier === null) throw new ProblemError('invalid_request', refusal);
      c.get('facts').resource = id;
      return c.json(earlier, 201, { 'idempotent-replayed': 'true' });
    }
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
      fingerprint,
    );
    c.get('facts').resource = id;
    if (clientSecret === null) return c.json(session, 201, { 'idempotent-replayed': 'true' });
    return c.json({ ...session, clientSecret }, 201);
  },
};

/** What of a body does not fit the property's present configuration. */
function findRefusal(body: CreateCheckoutSession, property: Property): ProblemDetails | undefined {
  if (body.returnUrl !== undefined) {
    const url = parseHttpUrl(body.returnUrl);
    if (url === undefined || !property.origins.includes(url.origin)) {
      return { detail: 'Must be on one of the property’s origins', param: 'returnUrl' };
    }
  }
  if (body.kind !== 'payment') return undefined;
  const { amountUnit, maxAmount } = property;
  const refusal = checkAmount(body.amount, { amountUnit, maxAmount, exponentOf: currencyExponent });
  if (refusal !== undefined || !body.surcharge || property.surcharge) return refusal;
  return { detail: 'This property does not allow surcharges', param: 'surcharge' };
}
