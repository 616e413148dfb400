/**
 * `POST /v1/cards`: a card that staff keyed in becomes a token. Card data lives in this request's memory and nowhere
 * else: it is not stored, not logged, not retried, and no message quotes it.
 */
import { isInnkeepError } from '@innkeep/core/errors';
import { createToken } from '@innkeep/core/operations/create-token';
import { maskCardNumber } from '@innkeep/core/values';
import type { AppContext } from '../../middleware/app-context.ts';
import { authenticateMerchant, type Merchant } from '../../middleware/merchant-auth.ts';
import { readJsonBody } from '../../middleware/read-json-body.ts';
import { ProblemError } from '../../problem.ts';
import type { AccessTokenBindings } from '../../upstream/access-token-source.ts';
import { sessionContext } from '../../upstream/upstream-client.ts';
import { failureCode } from '../../upstream/upstream-failure.ts';
import { hotelSnapshot } from '../../upstream/upstream-options.ts';
import type { Route } from '../route.ts';
import { type CreateCard, CreateCardSchema } from './card-schema.ts';

const FIELDS: ReadonlySet<string | undefined> = new Set(['cardNo', 'valid', 'cvc', 'cardText', 'Content-Type']);

/** The route. It exists only where `worker-moto` is deployed, and answers only for properties that ask for it. */
export function createCard(bindings: AccessTokenBindings): Route {
  return {
    method: 'POST',
    path: '/v1/cards',
    handle: async (c) => {
      const { property } = await authenticateKeyedEntry(c);
      const card = await readCard(c);
      try {
        const context = sessionContext(bindings, property, { id: 'card', hotel: hotelSnapshot(property) });
        const { tokenNo, tokenExpiry, cardNo, cardType, cardTypeCode } = await createToken(context, card);
        // Masked already, says the specification. A number that is not would leave the proxy here.
        const maskedCard = maskCardNumber(cardNo);
        return c.json({ token: tokenNo, tokenExpiry, maskedCard, cardType, cardTypeCode }, 201);
      } catch (error) {
        throw toProblem(error);
      }
    },
  };
}

/** Whoever may not know that the route exists is told that it does not. */
async function authenticateKeyedEntry(c: AppContext): Promise<Merchant> {
  const noRoute = new ProblemError('not_found', { detail: 'There is nothing at this address' });
  try {
    const merchant = await authenticateMerchant(c, 'moto');
    if (merchant.property.moto) return merchant;
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'forbidden') throw error;
  }
  throw noRoute;
}

/** A refusal names no field that could be a misplaced card number, or a part of one. */
async function readCard(c: AppContext): Promise<CreateCard> {
  try {
    return await readJsonBody(c, CreateCardSchema);
  } catch (error) {
    if (!(error instanceof ProblemError))
      throw new ProblemError('invalid_request', { detail: 'The body is not a card' });
    const { detail, param } = error.details;
    throw new ProblemError(error.code, { detail, ...(isHarmless(param) ? { param } : {}) });
  }
}

function isHarmless(name: string | undefined): boolean {
  if (name === undefined || FIELDS.has(name)) return name !== undefined;
  return /^[A-Za-z_][\w.-]{0,39}$/.test(name) && name.replace(/\D/g, '').length < 6;
}

/** The raw failure is dropped: nobody knows what it quotes. */
function toProblem(error: unknown): ProblemError {
  if (isInnkeepError(error, 'declined')) {
    return new ProblemError('upstream_rejected', { detail: 'The payment service does not take this card' });
  }
  if (isInnkeepError(error, 'invalid_input')) {
    const param = FIELDS.has(error.path) ? { param: error.path } : {};
    return new ProblemError('invalid_request', { detail: 'The card cannot be sent as it is', ...param });
  }
  if (isInnkeepError(error, 'authentication_failed')) {
    return new ProblemError('property_unavailable', {
      detail: 'The payment service refuses this property’s credentials',
    });
  }
  const isUnanswered = failureCode(error) === 'outcome_unknown' || failureCode(error) === 'timeout';
  return new ProblemError('upstream_error', {
    detail: isUnanswered
      ? 'The payment service gave no clear answer; a token may exist that nobody knows. Keying the card in again is safe'
      : 'The payment service cannot be reached or answers unreadably; try again',
  });
}
