/**
 * `transaction`: the stored record of a hosted request.
 *
 * Import path: `@innkeep/core/operations/transaction`.
 *
 * @see upstream API, section "Transaction record"
 * @module
 */
import type { CallOptions, Context } from '../context.ts';
import { AmountUnitMismatchError } from '../errors.ts';
import { isInOtherUnit } from '../hosted/check-record.ts';
import { type HostedRequestInput, hostedRequestUrl } from '../operation-request.ts';
import { type Json, parseAnswer } from '../schemas/parse-answer.ts';
import { RecordSchema, type TransactionRecord } from '../schemas/transaction-record.ts';
import { send } from '../transport/send.ts';
import { requireObject } from '../values/check-text.ts';
import type { AmountUnit, Money, MoneyJson } from '../values/money.ts';
import { fromWireAmount, reviveMoney } from '../values/wire-amount.ts';

export type { Surcharge, TransactionRecord } from '../schemas/transaction-record.ts';

/** An init result, its stored form, or at least the id. */
export interface TransactionInput extends HostedRequestInput {
  /** What was asked: an amount in the wrong unit is then reported as such. */
  request?: { amount?: Money | MoneyJson | undefined } | undefined;
}

/**
 * Reads the record of a hosted request. A `returnCode` other than 0 is part of the record, not an error: the record is
 * what was asked for. So is money that cannot be exact, of an unknown currency for example: then `amount` is absent, and
 * `raw` has what came. `checkRecord` (`@innkeep/core/hosted`) tells whether a record proves a payment.
 *
 * Retry: safe.
 *
 * @throws `amount_unit_mismatch` when `request.amount` is given and the record's amount is right only in the other unit;
 * `invalid_response` naming a field of the wrong type; `invalid_input`, `upstream_status`, `network`, `timeout`,
 * `authentication_failed`
 */
export async function transaction(
  context: Context,
  input: TransactionInput,
  options: CallOptions = {},
): Promise<TransactionRecord> {
  const { requestID, serviceProvider, request } = requireObject(input);
  const asked = request?.amount && reviveMoney(request.amount);
  return send(context, {
    operation: 'transaction',
    class: 'read',
    url: hostedRequestUrl(context, 'transaction', { requestID, serviceProvider }),
    parse: (json) => toRecord(json, context.amountUnit, asked),
    options,
  });
}

function toRecord(json: Json, unit: AmountUnit, asked: Money | undefined): TransactionRecord {
  const { amount, surchargeAmount, surchargePercentUsed, ...fields } = parseAnswer('transaction', RecordSchema, json);
  const record: TransactionRecord = { ...fields, raw: json };
  const { currency, surchargeApplied } = fields;
  // A tokenization has no currency, and its amount of 0 means nothing.
  if (!currency || amount === undefined) return record;

  const total = fromWireAmount(amount, currency, unit);
  const surcharge = fromWireAmount(surchargeAmount ?? 0, currency, unit);
  if (total !== undefined && surcharge !== undefined) {
    record.amount = total;
    if (surchargeAmount !== undefined && (surchargeAmount !== 0 || surchargeApplied === true)) {
      record.surcharge = { amount: surcharge, percent: surchargePercentUsed ?? 0 };
    }
  }
  if (asked && isInOtherUnit(asked, record)) {
    throw new AmountUnitMismatchError(
      "The recorded amount is off by the currency's power of ten: check the setting amountUnit.",
    );
  }
  return record;
}
