/** `/v1/charges`: stored cards are charged, once for each idempotency key. */
import { CreateChargeSchema } from '@innkeep/core/contract';
import type { InferOutput } from 'valibot';
import { describe } from '../http/describe.ts';
import { requiredIdempotencyKey } from '../http/idempotency.ts';
import { checkAmount } from '../http/payment-limits.ts';
import { type Outcome, ok, ProblemError, refuse, unwrap } from '../http/problem.ts';
import { requestFingerprint } from '../http/request-fingerprint.ts';
import { jsonBody } from '../http/validate.ts';
import { UPSTREAM_ANSWER_LIMIT_MS } from '../objects/object-by-name.ts';
import type { MerchantContext } from '../properties/caller-env.ts';
import { merchantApp } from '../properties/resource-app.ts';
import type { StoredCard } from '../records/stored-card.ts';
import type { CreatedOperation } from './money-operation-object.ts';
import { type MoneyDependencies, operationIdOf } from './money-operations.ts';
import { newCharge } from './money-record.ts';
import { moneyOperations, operationResponse } from './operation-routes.ts';
import { moneyResolutions } from './resolution-routes.ts';

export const charges = merchantApp<MoneyDependencies>({ tag: 'Charges and reversals' })
  .post(
    '/',
    describe({ id: 'createCharge', scopes: ['charges'], desk: 'charge' }),
    requiredIdempotencyKey,
    jsonBody(CreateChargeSchema),
    async (c) => {
      const property = c.get('property');
      const { operation, now, traceparent } = c.get('dependencies');
      const body = c.req.valid('json');
      if (body.card === undefined && c.get('desk') !== undefined) {
        c.set('lacksScope', true);
        const detail = 'A desk session cannot send a token: send card instead';
        throw new ProblemError('forbidden', { detail, param: 'token' });
      }
      const { amountUnit, maxAmount } = property;
      const id = await operationIdOf(c, 'charge', c.get('idempotencyKey'));
      c.get('logFields').resource = id;
      const fingerprint = await requestFingerprint(body);
      const limited = checkAmount(body.amount, { amountUnit, maxAmount });
      const found = limited === undefined ? await cardToCharge(c, body) : refuse('invalid_request', limited);
      if (!found.ok) {
        // A request that was accepted before the limits were narrowed or the card was erased still gets its answer.
        const earlier = unwrap<CreatedOperation | null>(await operation(id).replay(id, fingerprint, property.livemode));
        return operationResponse(c, earlier ?? unwrap<never>(found));
      }
      const { allowDuplicate } = body;
      const { token, serviceProvider } = found.value;
      const origin = { id, property, createdAt: now(), actor: c.get('actor') };
      const charge = newCharge({ ...body, serviceProvider }, origin);
      const options = { fingerprint, token, allowDuplicate, traceparent };
      const created = await operation(id, UPSTREAM_ANSWER_LIMIT_MS).charge(charge, options);
      return operationResponse(c, unwrap<CreatedOperation>(created));
    },
  )
  .route('/', moneyOperations('charge'))
  .route('/', moneyResolutions('charge'));

/** The card that a body names: by its token, or by the session that stored it, whose token leaves the proxy only for the payment service. */
async function cardToCharge(
  c: MerchantContext<MoneyDependencies>,
  { token, card = '', tokenFrom }: Pick<InferOutput<typeof CreateChargeSchema>, 'token' | 'card' | 'tokenFrom'>,
): Promise<Outcome<StoredCard>> {
  const {
    id: property,
    providerDirect,
    providerHosted,
    livemode,
    baseUrl,
    allowedOrigins,
    amountUnit,
  } = c.get('property');
  if (token !== undefined) {
    return ok({ token, serviceProvider: tokenFrom === 'moto' ? providerDirect : providerHosted });
  }
  const { ids, cardSession } = c.get('dependencies');
  const isKnown = await ids.isKnown('cs', card, property);
  const service = { livemode, baseUrl, allowedOrigins, amountUnit };
  const found = isKnown ? await cardSession(card).cardToken(property, service) : undefined;
  if (found?.ok) return ok({ token: found.value, serviceProvider: found.serviceProvider ?? providerHosted });
  if (found !== undefined && found.code !== 'not_found') return found;
  return refuse('not_found', { detail: 'There is no session with this id', param: 'card' });
}
