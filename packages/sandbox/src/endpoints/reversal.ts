/** @see upstream API, sections "Reversal request" and "Reversal response" */
import { totalMinorOf } from '../bookkeeping/book-charge.ts';
import type { Charge, Reversal } from '../domain/ledger.ts';
import { scenarioNamed } from '../scenarios/all-scenarios.ts';
import { toMinor } from '../wire/amount.ts';
import { parseRequest } from '../wire/field-rules.ts';
import type { World } from '../world/world.ts';
import { type ApiCall, readJson, requireBearer } from './api-call.ts';
import { type PlannedCall, planOperation, replyIfPrevented } from './plan-operation.ts';
import { impossibleReply, jsonReply, type Reply, successCode } from './reply.ts';

/** `POST /V2/<customer_id>/reversal`: gives money of a charge back, in part or in full. */
export function reversal(world: World, call: ApiCall): Reply {
  const bearer = requireBearer(world, call);
  const request = parseRequest(world.tables.reversal, readJson(world, call), world.profile);
  const { serviceProvider } = request;
  const known = world.ledger.charges.get(request.transactionID);
  const charge = known?.customer === call.customer ? known : undefined;
  const planned = planReversal(world, { amount: request.amount, charge });
  const prevented = replyIfPrevented(world, planned, { bearer, fields: { serviceProvider } });
  if (prevented !== undefined) return prevented;
  if (charge === undefined) {
    const reason = 'is not the id of a payment of this customer';
    return impossibleReply(world, { serviceProvider, field: 'transactionID', reason }, planned.extras);
  }
  const amountMinor = toMinor(request.amount, { unit: world.settings.amountUnit, currency: charge.currency });
  if (request.currency !== charge.currency) {
    const reason = 'is not the currency of the payment';
    return impossibleReply(world, { serviceProvider, field: 'currency', reason }, planned.extras);
  }
  const isTooMuch = amountMinor > totalMinorOf(charge) - charge.reversedMinor;
  if (isTooMuch && planned.plan.allowsOverReversal !== true) {
    const reason = 'is more than what is left of the payment';
    return impossibleReply(world, { serviceProvider, field: 'amount', reason }, planned.extras);
  }

  const booked: Reversal = {
    transactionID: world.ids.next('transaction'),
    paymentTransactionID: charge.transactionID,
    customer: charge.customer,
    currency: charge.currency,
    amountMinor,
    hotelID: request.hotelID,
    user: request.user,
    serviceProvider,
    scenario: planned.scenario.name,
    at: world.clock.now(),
  };
  charge.reversedMinor += amountMinor;
  world.ledger.reversals.set(booked.transactionID, booked);
  const answer = {
    cardType: charge.card.cardType,
    serviceProvider,
    transactionID: booked.transactionID,
    returnCode: successCode(world, planned.plan),
  };
  return jsonReply(answer, planned.extras);
}

// The reversal's own amount decides, else the magic input of the charge. What control chose was for the charge only.
function planReversal(world: World, { amount, charge }: { amount: string; charge: Charge | undefined }): PlannedCall {
  const ofCharge = charge === undefined ? undefined : scenarioNamed(charge.magicScenario ?? charge.scenario);
  return planOperation(world, 'reversal', { amount, ...(ofCharge === undefined ? {} : { card: ofCharge }) });
}
