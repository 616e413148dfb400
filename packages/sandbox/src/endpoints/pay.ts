/** @see upstream API, sections "Payment request" and "Payment response" */
import { bookCharge, totalMinorOf } from '../bookkeeping/book-charge.ts';
import { hasExpired } from '../bookkeeping/book-token.ts';
import type { Charge } from '../domain/ledger.ts';
import type { Plan } from '../domain/plan.ts';
import { scenarioNamed } from '../scenarios/all-scenarios.ts';
import { toMinor, toWireNumber } from '../wire/amount.ts';
import { parseRequest } from '../wire/field-rules.ts';
import type { World } from '../world/world.ts';
import { type ApiCall, readJson, requireBearer } from './api-call.ts';
import { contradictAmount } from './contradict-amount.ts';
import { planOperation, replyIfPrevented } from './plan-operation.ts';
import { declinedReply, impossibleReply, jsonReply, type Reply, successCode } from './reply.ts';

/** `POST /V2/<customer_id>/pay`: charges a token. The same request twice is two charges: there is no idempotency. */
export function pay(world: World, call: ApiCall): Reply {
  const bearer = requireBearer(world, call);
  const request = parseRequest(world.tables.pay, readJson(world, call), world.profile);
  const { tokenNo, amount, currency, serviceProvider } = request;
  const token = world.ledger.tokens.get(tokenNo);
  const cardScenario = token === undefined ? undefined : scenarioNamed(token.cardScenario);
  const planned = planOperation(world, 'pay', {
    amount,
    ...(token === undefined ? {} : { name: token.cardholder }),
    ...(cardScenario === undefined ? {} : { card: cardScenario }),
  });
  const prevented = replyIfPrevented(world, planned, { bearer, fields: { serviceProvider } });
  if (prevented !== undefined) return prevented;
  const { plan, extras, scenario, magicScenario } = planned;
  if (token === undefined || token.customer !== call.customer) {
    const reason = 'is not a token of this customer';
    return impossibleReply(world, { serviceProvider, field: 'tokenNo', reason }, extras);
  }
  if (hasExpired(world, token.tokenExpiry)) {
    return declinedReply(world, { reason: 'expired_card', fields: { serviceProvider }, ...extras });
  }

  const charge = bookCharge(world, {
    customer: call.customer,
    via: 'pay',
    requestID: null,
    tokenNo,
    card: token.card,
    currency,
    baseMinor: toMinor(amount, { unit: world.settings.amountUnit, currency }),
    surchargeMinor: 0n,
    text: request.text,
    hotelID: request.hotelID,
    user: request.user,
    serviceProvider,
    scenario: scenario.name,
    ...(magicScenario === undefined ? {} : { magicScenario }),
  });
  const answer = {
    ...charge.card,
    cardNo: world.profile.mask(charge.card.cardNo),
    serviceProvider,
    transactionID: charge.transactionID,
    returnCode: successCode(world, plan),
    ...(token.via === 'hosted' || plan.record !== undefined ? amountFields(world, { charge, plan }) : {}),
  };
  return jsonReply(answer, extras);
}

// The specification says "Present in some responses". Here: in those for a token from a hosted tokenization.
function amountFields(
  world: World,
  { charge, plan }: { charge: Charge; plan: Plan },
): { amount: number; surchargeApplied: boolean } {
  const { currency } = charge;
  const amount = toWireNumber(totalMinorOf(charge), { unit: world.settings.amountUnit, currency });
  return { amount: contradictAmount(amount, { fault: plan.record, currency }), surchargeApplied: false };
}
