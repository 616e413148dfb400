/**
 * `/v1/cards`: a card that staff keyed in becomes a token. Card data lives in this request's memory and nowhere
 * else: it is not stored, not logged, not retried, and no message quotes it.
 */
import { type CreateCard, CreateCardSchema } from '@innkeep/core/contract';
import { isInnkeepError } from '@innkeep/core/errors';
import type { MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { describe } from '../http/describe.ts';
import { ProblemError, unwrap } from '../http/problem.ts';
import { json } from '../http/response-headers.ts';
import { jsonBody } from '../http/validate.ts';
import { type LedgerDependencies, noteRead } from '../ledger/lists.ts';
import type { MerchantContext, MerchantEnv } from '../properties/caller-env.ts';
import { hotelSnapshot } from '../properties/hotel-snapshot.ts';
import { merchantApp } from '../properties/resource-app.ts';
import type { AccessTokenBindings } from '../upstream/access-token-source.ts';
import { acquirePermit, isRefused, toBusyRefusal, upstreamOf } from '../upstream/call-budget.ts';
import { upstreamContext } from '../upstream/upstream-client.ts';
import { failureCode } from '../upstream/upstream-failure.ts';

const FIELDS: ReadonlySet<string | undefined> = new Set(['cardNo', 'valid', 'cvc', 'cardText']);

/**
 * The sub-app. It exists only where `worker-moto` is deployed, and answers only for properties that ask for it: whoever may
 * not know that it exists is told that it does not.
 */
export function cards(bindings: AccessTokenBindings) {
  return merchantApp<LedgerDependencies>({ tag: 'Cards' })
    .onError((error) => {
      throw withoutCardData(error);
    })
    .post(
      '/',
      describe({ id: 'createCard', scopes: ['moto'], isHidden: true }),
      keyedEntryOnly,
      jsonBody(CreateCardSchema),
      async (c) => {
        const shown = await newToken(c, bindings, c.req.valid('json'));
        await noteToken(c);
        return json(c, shown, 201);
      },
    );
}

type CardContext = MerchantContext<LedgerDependencies>;

/** Asks the payment service for a token, and says what the caller is shown of its answer. */
async function newToken(c: CardContext, bindings: AccessTokenBindings, card: CreateCard) {
  const property = c.get('property');
  const permit = acquirePermit('start', { ...upstreamOf(property), source: 'card' });
  if (isRefused(permit)) return unwrap(toBusyRefusal(permit));
  try {
    const { createToken } = await import('@innkeep/core/operations/create-token');
    const context = await upstreamContext(bindings, property, {
      id: 'card',
      hotel: hotelSnapshot(property),
      traceparent: c.get('dependencies').traceparent,
    });
    const answer = await createToken(context, card);
    const { tokenNo: token, tokenExpiry, cardNo: maskedCard, cardType, cardTypeCode } = answer;
    return { token, tokenExpiry, maskedCard, cardType, cardTypeCode };
  } catch (error) {
    throw toProblem(error);
  } finally {
    permit.end();
  }
}

/** Nobody is shown a token unless the audit has it. One that is not shown opens nothing: nobody knows it. */
async function noteToken(c: CardContext): Promise<void> {
  try {
    await noteRead(c, { action: 'card_token.read', resource: null, route: 'POST /v1/cards' });
  } catch {
    const detail =
      'The token is not shown: the audit could not record who received it. Keying the card in again is safe';
    throw new ProblemError('internal', { detail });
  }
}

const keyedEntryOnly: MiddlewareHandler<MerchantEnv> = (c, next) => {
  if (c.get('property').moto) return next();
  throw new ProblemError('not_found', { detail: 'There is nothing at this address' });
};

/** Our own refusals quote nothing. Of any other failure nothing is kept. */
function withoutCardData(error: Error): Error {
  if (error instanceof HTTPException || error instanceof ProblemError) return error;
  return new ProblemError('internal', { detail: 'The card could not be read' });
}

/** The raw failure is dropped: nobody knows what it quotes. */
function toProblem(error: unknown): ProblemError {
  if (isInnkeepError(error, 'declined')) {
    return new ProblemError('upstream_rejected', { detail: 'The payment service does not accept this card' });
  }
  if (isInnkeepError(error, 'invalid_input')) {
    const param = FIELDS.has(error.path) ? { param: error.path } : {};
    return new ProblemError('invalid_request', { detail: 'These card details are not valid', ...param });
  }
  if (isInnkeepError(error, 'authentication_failed')) {
    return new ProblemError('property_unavailable', {
      detail: 'The payment service refuses this property’s credentials',
    });
  }
  const isUnanswered = failureCode(error) === 'outcome_unknown' || failureCode(error) === 'timeout';
  return new ProblemError('upstream_error', {
    detail: isUnanswered
      ? 'The payment service gave no clear answer: a token may exist, but nobody knows it. Keying the card in again is safe'
      : 'The payment service cannot be reached, or its answer cannot be read; try again',
  });
}
