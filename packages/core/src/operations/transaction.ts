/**
 * `transaction`: the stored record of a hosted request.
 *
 * Import path: `@innkeep/core/operations/transaction`.
 *
 * @see upstream API, section "Transaction record"
 * @module
 */
import * as v from 'valibot';
import { AmountUnitMismatchError } from '../errors.ts';
import type { CallOptions, Context } from '../http/context.ts';
import { operationUrl } from '../http/operation-url.ts';
import { badField, parseAnswer } from '../http/parse-answer.ts';
import { type Json, send } from '../http/send.ts';
import { ReturnCodeSchema } from '../schemas/return-code.ts';
import { OptionalTextSchema } from '../schemas/text.ts';
import type { TransactionRecord } from '../schemas/transaction-record.ts';
import { requireObject, requireText } from '../values/check-text.ts';
import { currencyExponent } from '../values/currencies.ts';
import { given } from '../values/given.ts';
import type { AmountUnit, Money } from '../values/money.ts';
import { fromWireAmount } from '../values/wire-amount.ts';

export type { Surcharge, TransactionRecord } from '../schemas/transaction-record.ts';

/** An init result, its stored form, or at least the id. */
export interface TransactionInput {
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
 * what was asked for. Whether it proves a payment is for `checkRecord` (`@innkeep/core/hosted`) to say.
 *
 * Retry: safe.
 *
 * @throws `amount_unit_mismatch` when `request.amount` is given and the record's amount is right only in the other unit;
 * `invalid_response` naming the field, above all an amount that is no exact amount of its currency; `invalid_input`,
 * `upstream_status`, `network`, `timeout`, `authentication_failed`
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
  if (!texts.currency) return record;
  if (currencyExponent(texts.currency) === undefined) throw badField('transaction', 'currency');

  const read = (value: number, path: string): Money => {
    const money = fromWireAmount(value, texts.currency ?? '', unit);
    if (money !== undefined) return money;
    throw unitMismatch(amount, surchargeAmount, unit, asked) ?? badField('transaction', path);
  };
  if (typeof amount === 'number') record.amount = read(amount, 'amount');
  if (typeof surchargeAmount === 'number' && (surchargeAmount !== 0 || surchargeApplied === true)) {
    record.surcharge = { amount: read(surchargeAmount, 'surchargeAmount'), percent: surchargePercentUsed ?? 0 };
  }
  return record;
}

/** A minor-unit client that reads 120.5 where 12050 was asked for met an upstream that speaks the major unit. */
function unitMismatch(
  amount: number | null | undefined,
  surchargeAmount: number | null | undefined,
  unit: AmountUnit,
  asked: Money | null | undefined,
): AmountUnitMismatchError | undefined {
  if (asked === undefined || asked === null || unit === 'major' || typeof amount !== 'number') return undefined;
  const total = fromWireAmount(amount, asked.currency, 'major');
  const surcharge = fromWireAmount(surchargeAmount ?? 0, asked.currency, 'major');
  if (total === undefined || surcharge === undefined || !total.minus(surcharge).equals(asked)) return undefined;
  return new AmountUnitMismatchError('The recorded amount is the requested one in the major unit: check amountUnit.');
}
