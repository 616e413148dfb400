/** @see upstream API, sections "Card token request" and "Card token response" */
import { bookToken, endOfMonth, hasExpired } from '../bookkeeping/book-token.ts';
import { isTestCard, scenarioOfCard } from '../scenarios/magic-table.ts';
import { toMaskedCard } from '../wire/card-number.ts';
import { parseRequest } from '../wire/field-rules.ts';
import { Refusal } from '../wire/refusal.ts';
import type { World } from '../world/world.ts';
import { type ApiCall, readJson, requireBearer } from './api-call.ts';
import { planOperation, replyIfPrevented } from './plan-operation.ts';
import { declinedReply, jsonReply, type Reply, successCode } from './reply.ts';

/** `POST /V2/<customer_id>/createToken`: stores a card and returns its token. The number and the CVC are dropped here. */
export function createToken(world: World, call: ApiCall): Reply {
  const bearer = requireBearer(world, call);
  const request = parseRequest(world.tables.createToken, readJson(world, call), world.profile);
  if (!isTestCard(request.cardNo)) {
    throw new Refusal('invalid_request', 'must be one of the test cards of GET /__sandbox/magic', 'cardNo');
  }
  const { serviceProvider, cardText } = request;
  const card = toMaskedCard(request.cardNo);
  const cardScenario = scenarioOfCard(request.cardNo);
  const planned = planOperation(world, 'createToken', { name: cardText, card: cardScenario });
  const prevented = replyIfPrevented(world, planned, { bearer, fields: { serviceProvider } });
  if (prevented !== undefined) return prevented;
  const { plan, extras } = planned;
  if (hasExpired(world, request.valid)) {
    return declinedReply(world, { reason: 'expired_card', fields: { serviceProvider }, ...extras });
  }

  const token = bookToken(world, {
    tokenExpiry: endOfMonth(request.valid),
    customer: call.customer,
    via: 'createToken',
    requestID: null,
    card,
    cardholder: cardText,
    cardScenario: cardScenario.name,
    serviceProvider,
  });
  const answer = {
    tokenNo: token.tokenNo,
    tokenExpiry: token.tokenExpiry,
    ...card,
    cardNo: world.profile.mask(card.cardNo),
    transactionID: world.ids.next('transaction'),
    serviceProvider,
    returnCode: successCode(world, plan),
  };
  return jsonReply(answer, extras);
}
