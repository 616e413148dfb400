import { InvalidInputError } from '../errors.ts';
import { comparableReturnCode, namesError } from '../schemas/return-code.ts';
import type { Surcharge, TransactionRecord } from '../schemas/transaction-record.ts';
import type { Money } from '../values/money.ts';
import { fromWireAmount } from '../values/wire-amount.ts';
import type { HostedRequest } from './hosted-request.ts';

/** What was asked, and what came back before the record. */
export interface RecordExpectation extends HostedRequest {
  /** Id of the hosted request, from its init. */
  requestID: string;
  /**
   * `result` of `paystatus`, whose prefix says what it names; the bare id of a payment is enough; `''` when it had none.
   * Without `state` 1 leave it out: the record of a payment must name one then.
   */
  objectID?: string | undefined;
  /** Largest surcharge to believe, in percent of what was asked: 0 to 100. @default 10 */
  maxSurchargePercent?: number | undefined;
}

const DEFAULT_MAX_SURCHARGE_PERCENT = 10;

/** Why a record cannot be believed. */
export type ContradictionCode = 'amount_mismatch' | 'amount_unit_mismatch' | 'record_mismatch';

/** Decision about a record: believed, not complete yet, or contradicting what was asked. */
export type RecordDecision =
  | {
      decision: 'consistent';
      /** Present for a payment. */
      payment?: { total: Money; base: Money; surcharge: Surcharge | null };
      /** Present for a tokenization. */
      token?: string;
    }
  | { decision: 'not_ready' }
  | { decision: 'contradiction'; code: ContradictionCode; field: string };

/** What a record with an error code says. */
export type RecordedRefusal = 'declined' | 'unclear';

/**
 * Compares a record with what was asked, in integer minor units. Only a consistent record proves a payment. A surcharge
 * is believed when it was allowed, when what was asked and the surcharge add up to the total, when `surchargeApplied` says
 * the same as its amount, and when it is not above `maxSurchargePercent`. Its percentage is for display: it may be rounded.
 *
 * @throws `invalid_input` when `maxSurchargePercent` is not from 0 to 100
 */
export function checkRecord(asked: RecordExpectation, record: TransactionRecord): RecordDecision {
  requireMaxSurcharge(asked.maxSurchargePercent);
  if (record.status !== '_done') return { decision: 'not_ready' };
  if (record.requestID !== asked.requestID) return mismatch('requestID');
  if (record.operation !== asked.operation) return mismatch('operation');
  if (isOther(record.cardInfoRefID, asked.cardInfoRefID)) return mismatch('cardInfoRefID');
  if (record.returnCode !== '0') return mismatch('returnCode');
  return asked.operation === 'initpayNoIframe' ? checkPayment(asked, record) : checkTokenization(asked, record);
}

/**
 * Whether a record says that something came of its request: done, without an error code, and with an amount, a payment
 * or a token. After `state` 2 such a record outweighs the state, whatever else it contradicts.
 */
export function showsMoney(record: TransactionRecord): boolean {
  if (record.status !== '_done' || namesError(record.returnCode)) return false;
  return hasAmount(record) || !!paymentID(record.paymentObjID) || !!record.token?.trim();
}

/**
 * How a record reports a failure: `declined` for a card that was refused; `unclear` when its `returnCode` leaves open what happened,
 * or when the record says that no card was entered. A record without an error code, or of another request, reports neither.
 *
 * @param uncertainReturnCodes codes that do not say whether anything was executed
 * @see upstream API, sections "Transaction record" and "Errors": every `returnCode` but `0` is a failure
 */
export function recordedRefusal(
  { requestID, operation, cardInfoRefID }: Pick<RecordExpectation, 'requestID' | 'operation' | 'cardInfoRefID'>,
  record: TransactionRecord,
  uncertainReturnCodes: readonly string[],
): RecordedRefusal | undefined {
  const isOfAnother =
    record.requestID !== requestID ||
    isOther(record.operation, operation) ||
    isOther(record.cardInfoRefID, cardInfoRefID);
  if (!namesError(record.returnCode) || isOfAnother) return undefined;
  const code = comparableReturnCode(record.returnCode);
  const isUncertain = uncertainReturnCodes.some((each) => comparableReturnCode(each) === code);
  const { maskedCardNo } = record.raw;
  const hasNoCard = typeof maskedCardNo === 'string' && maskedCardNo.trim() === '';
  return isUncertain || hasNoCard ? 'unclear' : 'declined';
}

function checkTokenization({ objectID }: RecordExpectation, record: TransactionRecord): RecordDecision {
  const token = record.token?.trim();
  if (!token) return mismatch('token');
  // Storing a card costs nothing.
  if (hasAmount(record)) return mismatch('amount');
  const isNoCard = [objectID, record.paymentObjID].some((id) => /^\s*(PAYOBJID=\s*\S|ERROR=)/i.test(id ?? ''));
  return isNoCard ? mismatch('paymentObjID') : { decision: 'consistent', token };
}

function hasAmount({ amount, raw }: TransactionRecord): boolean {
  return Number(amount?.minor ?? raw.amount ?? 0) !== 0;
}

function checkPayment(asked: RecordExpectation, record: TransactionRecord): RecordDecision {
  if (asked.amount === undefined || record.currency !== asked.amount.currency) return mismatch('currency');
  const named = paymentID(asked.objectID);
  const recorded = paymentID(record.paymentObjID);
  // An error or a token is not a payment, even where nothing else names one.
  const isNoPayment = [named, recorded].some((id) => /^([A-Z]+OBJID|ERROR)=/i.test(id));
  if (isNoPayment || (named && recorded && named !== recorded)) return mismatch('paymentObjID');
  const { amount: total, surcharge = null } = record;
  const code = isInOtherUnit(asked.amount, record) ? 'amount_unit_mismatch' : 'amount_mismatch';
  if (total === undefined) return mismatch('amount', typeof record.raw.amount === 'number' ? code : undefined);
  if (!asked.surcharge && surcharge !== null) return mismatch('surchargeAmount');
  if (!asked.surcharge && record.surchargeApplied === true) return mismatch('surchargeApplied');
  const base = surcharge === null ? total : total.minus(surcharge.amount);
  if (!base.equals(asked.amount)) return mismatch('amount', code);
  // The amount by itself may only repeat the request, even if no money moved.
  if (asked.objectID === undefined && !recorded && !record.transactionID?.trim()) return mismatch('paymentObjID');
  const field = doubtfulSurcharge(Number(base.minor), asked, record);
  return field === undefined ? { decision: 'consistent', payment: { total, base, surcharge } } : mismatch(field);
}

/** The field because of which a surcharge is not believed; undefined when all agree. Sums were compared before. */
function doubtfulSurcharge(base: number, asked: RecordExpectation, record: TransactionRecord): string | undefined {
  const added = Number(record.surcharge?.amount.minor ?? 0n);
  if (record.surchargeApplied !== undefined && record.surchargeApplied !== added > 0) return 'surchargeApplied';
  // The payment service may round up to a whole minor unit.
  if (added > Math.ceil(percentOf(base, requireMaxSurcharge(asked.maxSurchargePercent)))) return 'surchargeAmount';
  return undefined;
}

/** Returns the largest surcharge to believe, which with a NaN would be any. @throws `invalid_input` */
export function requireMaxSurcharge(percent: unknown = DEFAULT_MAX_SURCHARGE_PERCENT): number {
  if (typeof percent === 'number' && percent >= 0 && percent <= 100) return percent;
  throw new InvalidInputError('maxSurchargePercent', 'maxSurchargePercent must be a number from 0 to 100.');
}

/** Rounded to a millionth, so that 2.3 percent of 10000 is exactly 230. */
function percentOf(base: number, percent: number): number {
  return Math.round(base * percent * 1e4) / 1e6;
}

/** Whether a record's amount, less its surcharge, is the requested one, but in the other unit. */
export function isInOtherUnit(asked: Money, { amount, surcharge, currency, raw }: TransactionRecord): boolean {
  if (currency !== asked.currency) return false;
  if (amount === undefined) {
    // Its currency cannot have it in the minor unit: 120.5 where 12050 was asked for.
    const total = fromWireAmount(raw.amount, currency, 'major');
    const added = fromWireAmount(raw.surchargeAmount ?? 0, currency, 'major');
    return total !== undefined && added !== undefined && total.minus(added).minor === asked.minor;
  }
  const base = amount.minor - (surcharge?.amount.minor ?? 0n);
  // The record's currency, because cloned money has lost its getters.
  const scale = 10n ** BigInt(amount.exponent);
  return scale > 1n && (base === asked.minor * scale || asked.minor === base * scale);
}

/** The bare id of a payment. An id with another prefix keeps it, so that it equals no payment's. */
function paymentID(objectID = ''): string {
  return objectID.trim().replace(/^PAYOBJID=/i, '');
}

/** Whether a record names something other than what was asked for; blanks name nothing. */
function isOther(named: string | undefined, asked: string): boolean {
  return !!named?.trim() && named !== asked;
}

function mismatch(field: string, code: ContradictionCode = 'record_mismatch'): RecordDecision {
  return { decision: 'contradiction', code, field };
}
