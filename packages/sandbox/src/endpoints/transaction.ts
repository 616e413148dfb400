/** @see upstream API, section "Transaction record" */
import { totalMinorOf } from '../bookkeeping/book-charge.ts';
import { baseMinorOf, isCanceled, settleIfDue } from '../bookkeeping/hosted-outcome.ts';
import { toLocalDateTime } from '../domain/clock.ts';
import type { HostedRequest } from '../domain/ledger.ts';
import type { RecordFault } from '../domain/plan.ts';
import { toWireNumber } from '../wire/amount.ts';
import type { World } from '../world/world.ts';
import { type ApiCall, requireBearer } from './api-call.ts';
import { contradictAmount } from './contradict-amount.ts';
import { findHosted } from './find-hosted.ts';
import { resultOf } from './paystatus.ts';
import { planOperation, replyIfPrevented } from './plan-operation.ts';
import { jsonReply, type Reply, successCode } from './reply.ts';

type Fields = Readonly<Record<string, unknown>>;

/** With the scenario `record-late` this many readings come before the complete record. */
const READS_BEFORE_LATE_RECORD = 3;

/** `GET /V2/<customer_id>/transaction`: the stored record of a hosted request. */
export function transaction(world: World, call: ApiCall): Reply {
  const bearer = requireBearer(world, call);
  const hosted = findHosted(world, call);
  const planned = planOperation(world, 'transaction');
  const prevented = replyIfPrevented(world, planned, { bearer });
  if (prevented !== undefined) return prevented;

  settleIfDue(world, hosted);
  const hasNumericReturnCode = planned.plan.hasNumericReturnCode ?? hosted.plan.hasNumericReturnCode;
  const code = successCode(world, hasNumericReturnCode === true ? { hasNumericReturnCode } : {});
  const scenario = planned.chosenBy === 'control' ? planned.scenario.name : hosted.scenario;
  return jsonReply(recordOf(world, { hosted, code }), {
    delivery: planned.plan.delivery,
    ...(scenario === undefined ? {} : { scenario }),
  });
}

function recordOf(world: World, { hosted, code }: { hosted: HostedRequest; code: string | number }): Fields {
  const common = commonFields(world, hosted);
  // A guest who turned back has entered no card, so no card was refused: there is nothing to put a code on.
  if (isCanceled(hosted)) return { ...common, returnCode: code, status: '_canceled' };
  if (hosted.phase === 'failed') {
    return { ...common, ...world.profile.declined(hosted.plan.decline ?? 'declined'), status: '_error' };
  }
  if (hosted.phase === 'done') hosted.recordReads += 1;
  const fault = hosted.plan.record;
  if (hosted.phase !== 'done' || (fault === 'late' && hosted.recordReads <= READS_BEFORE_LATE_RECORD)) {
    return { ...common, returnCode: code, status: '_pending' };
  }
  const outcome = hosted.terms.payment === undefined ? tokenFields(hosted) : paymentFields(world, hosted);
  const record = { ...common, ...outcome, returnCode: code, status: '_done' };
  return fault === undefined ? record : contradict(record, fault);
}

function commonFields(world: World, hosted: HostedRequest): Fields {
  const { terms, customer, createdAt } = hosted;
  const { payment } = terms;
  const form = { unit: world.settings.amountUnit, currency: payment?.currency ?? 'EUR' };
  return {
    amount: toWireNumber(hosted.charge === undefined ? baseMinorOf(world, hosted) : totalMinorOf(hosted.charge), form),
    cardInfoRefID: terms.cardInfoRefID,
    ...(payment === undefined
      ? {}
      : {
          creationtime: world.profile.dateTime(toLocalDateTime(createdAt)),
          currency: payment.currency,
          customer,
          description: payment.description,
        }),
    maskedCardNo: hosted.card === undefined ? '' : world.profile.mask(hosted.card.cardNo),
    operation: terms.operation,
    requestID: hosted.requestID,
    serviceProvider: terms.serviceProvider,
    transactionID: hosted.transactionID,
  };
}

function paymentFields(world: World, hosted: HostedRequest): Fields {
  const surchargeMinor = hosted.charge?.surchargeMinor ?? 0n;
  const form = { unit: world.settings.amountUnit, currency: hosted.charge?.currency ?? 'EUR' };
  const isSurcharged = hosted.surchargePercent !== undefined;
  return {
    paymentObjID: resultOf(hosted),
    surchargeApplied: isSurcharged,
    ...(isSurcharged
      ? { surchargeAmount: toWireNumber(surchargeMinor, form), surchargePercentUsed: hosted.surchargePercent }
      : {}),
  };
}

function tokenFields({ token }: HostedRequest): Fields {
  return { token: token?.tokenNo ?? '', tokenValidUntil: token?.tokenExpiry ?? '' };
}

function contradict(record: Fields, fault: RecordFault): Fields {
  const currency = String(record.currency);
  if (fault === 'wrong-currency') return { ...record, currency: currency === 'USD' ? 'EUR' : 'USD' };
  if (fault === 'wrong-request') return { ...record, requestID: `${String(record.requestID)}X` };
  return { ...record, amount: contradictAmount(Number(record.amount), { fault, currency }) };
}
