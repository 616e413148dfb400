import type { Surcharge, TransactionRecord } from '../schemas/transaction-record.ts';
import type { Money } from '../values/money.ts';
import type { HostedRequest } from './hosted-request.ts';

/** What was asked, and what came back before the record. */
export interface RecordExpectation extends HostedRequest {
  /** Id of the hosted request, from its init. */
  requestID: string;
  /** `result` of `paystatus`, whose prefix says what it names; the bare id of a payment will do; `''` when it had none. */
  objectID?: string | undefined;
}

/** Why a record cannot be believed. */
export type ContradictionCode = 'amount_mismatch' | 'amount_unit_mismatch' | 'record_mismatch';

/** Judgement of a record: believed, not complete yet, or contradicting what was asked. */
export type RecordVerdict =
  | {
      verdict: 'consistent';
      /** Present for a payment. */
      payment?: { total: Money; base: Money; surcharge: Surcharge | null };
      /** Present for a tokenization. */
      token?: string;
    }
  | { verdict: 'not_ready' }
  | { verdict: 'contradiction'; code: ContradictionCode; field: string };

/**
 * Compares a record with what was asked, in integer minor units. Only a consistent record proves a payment.
 *
 * @example
 * ```ts
 * import type { TransactionRecord } from '@innkeep/core';
 * import { checkRecord, type RecordExpectation } from '@innkeep/core/hosted';
 *
 * export function isProof(asked: RecordExpectation, record: TransactionRecord): boolean {
 *   return checkRecord(asked, record).verdict === 'consistent';
 * }
 * ```
 */
export function checkRecord(asked: RecordExpectation, record: TransactionRecord): RecordVerdict {
  if (record.status !== '_done') return { verdict: 'not_ready' };
  if (record.requestID !== asked.requestID) return mismatch('requestID');
  if (record.operation !== asked.operation) return mismatch('operation');
  if (record.cardInfoRefID !== undefined && record.cardInfoRefID !== asked.cardInfoRefID)
    return mismatch('cardInfoRefID');
  if (record.returnCode !== '0') return mismatch('returnCode');
  return asked.operation === 'initpayNoIframe' ? checkPayment(asked, record) : checkTokenization(record);
}

function checkTokenization(record: TransactionRecord): RecordVerdict {
  const token = record.token?.trim();
  return token ? { verdict: 'consistent', token } : mismatch('token');
}

function checkPayment(asked: RecordExpectation, record: TransactionRecord): RecordVerdict {
  if (asked.amount === undefined || record.currency !== asked.amount.currency) return mismatch('currency');
  const named = paymentID(asked.objectID);
  const recorded = paymentID(record.paymentObjID);
  if (named && recorded && named !== recorded) return mismatch('paymentObjID');
  const { amount: total, surcharge = null } = record;
  // Money that came, but that no currency could have, is another amount than the one asked for.
  if (total === undefined)
    return mismatch('amount', typeof record.raw.amount === 'number' ? 'amount_mismatch' : undefined);
  if (!asked.surcharge && surcharge !== null) return mismatch('surchargeAmount');
  if (!asked.surcharge && record.surchargeApplied === true) return mismatch('surchargeApplied');
  const base = surcharge === null ? total : total.minus(surcharge.amount);
  if (!base.equals(asked.amount)) {
    const code = isOffByUnit(base, asked.amount) ? 'amount_unit_mismatch' : 'amount_mismatch';
    return mismatch('amount', code);
  }
  return { verdict: 'consistent', payment: { total, base, surcharge } };
}

function isOffByUnit(base: Money, asked: Money): boolean {
  // Of `base`, because money that was cloned has lost its getters.
  const scale = 10n ** BigInt(base.exponent);
  return scale > 1n && (base.minor === asked.minor * scale || asked.minor === base.minor * scale);
}

/** The id of a payment, bare. One that says what else it names keeps saying so, and equals no payment's. */
function paymentID(objectID = ''): string {
  return objectID.trim().replace(/^PAYOBJID=/i, '');
}

function mismatch(field: string, code: ContradictionCode = 'record_mismatch'): RecordVerdict {
  return { verdict: 'contradiction', code, field };
}
