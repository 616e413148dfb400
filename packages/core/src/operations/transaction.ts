/**
 * `transaction`: the stored record of a hosted request.
 *
 * Import path: `@innkeep/core/operations/transaction`.
 *
 * @see upstream API, section "Transaction record"
 * @module
 */
import * as v from 'valibot';
import type { CallOptions, Context } from '../context.ts';
import { AmountUnitMismatchError } from '../errors.ts';
import { operationUrl } from '../operation-request.ts';
import type { Json } from '../schemas/parse-answer.ts';
import { parseAnswer } from '../schemas/parse-answer.ts';
import { ReturnCodeSchema } from '../schemas/return-code.ts';
import { OptionalTextSchema } from '../schemas/text.ts';
import type { TransactionRecord } from '../schemas/transaction-record.ts';
import { send } from '../transport/send.ts';
import { requireObject, requireText } from '../values/check-text.ts';
import { given } from '../values/given.ts';
import type { AmountUnit, Money } from '../values/money.ts';
import { fromWireAmount } from '../values/wire-amount.ts';

export type { Surcharge, TransactionRecord } from '../schemas/transaction-record.ts';

/** An init result, its stored form, or at least the id. */
export interface TransactionInput {
  /** Id of the hosted request, from its init. */
  requestID: string;
  /** @default the context's hosted provider */
  serviceProvider?: string | undefined;
  /** What was asked: lets an amount in the wrong unit be named as such. */
  request?: { amount?: Money | undefined } | undefined;
}

const optional = OptionalTextSchema;
const optionalNumber = v.nullish(v.pipe(v.number(), v.finite()));

const RecordSchema = v.object({
  amount: optionalNumber,
  cardInfoRefID: optional,
  creationtime: optional,
  currency: optional,
  customer: optional,
  description: optional,
  maskedCardNo: optional,
  operation: optional,
  paymentObjID: optional,
  token: optional,
  tokenValidUntil: optional,
  requestID: optional,
  returnCode: ReturnCodeSchema,
  serviceProvider: optional,
  status: optional,
  transactionID: optional,
  surchargeApplied: v.nullish(v.boolean()),
  surchargeAmount: optionalNumber,
  surchargePercentUsed: optionalNumber,
});

/**
 * Reads the record of a hosted request. A `returnCode` other than 0 is part of the record, not an error: the record is
 * what was asked for. So is money that cannot be exact, of an unknown currency for example: then `amount` is absent, and
 * `raw` has what came. Whether a record proves a payment is for `checkRecord` (`@innkeep/core/hosted`) to say.
 *
 * Retry: safe.
 *
 * @throws `amount_unit_mismatch` when `request.amount` is given and the record's amount is right only in the other unit;
 * `invalid_response` naming a field of the wrong type; `invalid_input`, `upstream_status`, `network`, `timeout`,
 * `authentication_failed`
 * @example
 * ```ts
 * import type { Context } from '@innkeep/core/context';
 * import { transaction } from '@innkeep/core/operations/transaction';
 *
 * export async function amountOf(context: Context, requestID: string): Promise<string | undefined> {
 *   return (await transaction(context, { requestID })).amount?.toString();
 * }
 * ```
 * @see upstream API, section "Transaction record"
 */
export async function transaction(
  context: Context,
  input: TransactionInput,
  { signal }: CallOptions = {},
): Promise<TransactionRecord> {
  requireObject(input);
  const url = operationUrl(context, 'transaction', {
    query: {
      requestid: requireText(input.requestID, 'requestID'),
      serviceProvider: requireText(input.serviceProvider ?? context.providers.hosted, 'serviceProvider'),
    },
  });
  return send(context, {
    operation: 'transaction',
    class: 'read',
    url,
    parse: (json) => toRecord(json, context.amountUnit, input.request?.amount),
    signal,
  });
}

function toRecord(json: Json, unit: AmountUnit, asked: Money | undefined): TransactionRecord {
  const { amount, surchargeAmount, surchargePercentUsed, surchargeApplied, returnCode, ...texts } = parseAnswer(
    'transaction',
    RecordSchema,
    json,
  );
  const record: TransactionRecord = { ...given(texts), returnCode, raw: json };
  if (typeof surchargeApplied === 'boolean') record.surchargeApplied = surchargeApplied;
  // A tokenization has no currency, and its amount of 0 means nothing.
  const { currency } = texts;
  if (!currency || typeof amount !== 'number') return record;

  const read = (value: number, as: AmountUnit): Money | undefined => fromWireAmount(value, currency, as);
  const added = surchargeAmount ?? 0;
  const total = read(amount, unit);
  const surcharge = read(added, unit);
  if (total !== undefined && surcharge !== undefined) {
    record.amount = total;
    if (typeof surchargeAmount === 'number' && (surchargeAmount !== 0 || surchargeApplied === true)) {
      record.surcharge = { amount: surcharge, percent: surchargePercentUsed ?? 0 };
    }
  } else if (asked && unit === 'minor' && isRequested(asked, read(amount, 'major'), read(added, 'major'))) {
    // A minor-unit client that reads 120.5 where 12050 was asked for met an upstream that speaks the major unit.
    throw new AmountUnitMismatchError('The recorded amount is the requested one in the major unit: check amountUnit.');
  }
  return record;
}

function isRequested(asked: Money, total: Money | undefined, surcharge: Money | undefined): boolean {
  return total !== undefined && surcharge !== undefined && total.minus(surcharge).equals(asked);
}
