import * as v from 'valibot';
import type { Money } from '../values/money.ts';
import type { Given, Json } from './parse-answer.ts';
import { RecordedCodeSchema } from './return-code.ts';
import { OptionalTextSchema } from './text.ts';

const OptionalNumberSchema = v.nullish(v.pipe(v.number(), v.finite()));

/** A text, also one that came as a number. A number that lost its last digits names something else, so it counts as missing. */
const RecordTextSchema = v.nullish(
  v.union([
    OptionalTextSchema,
    v.pipe(
      v.number(),
      v.transform(() => undefined),
    ),
  ]),
);

/** A record as it comes. The fields mean the same in a {@link TransactionRecord}. */
export const RecordSchema = v.object({
  amount: OptionalNumberSchema,
  /** Reference that the init was given. */
  cardInfoRefID: RecordTextSchema,
  /** Hotel-local date-time. */
  creationtime: RecordTextSchema,
  /** ISO 4217 code. */
  currency: RecordTextSchema,
  /** The upstream's id of the customer. */
  customer: RecordTextSchema,
  /** Text that the init was given. */
  description: RecordTextSchema,
  /** Masked card number. */
  maskedCardNo: RecordTextSchema,
  /** `initpayNoIframe` or `initCreateTokenNoIframe`. */
  operation: RecordTextSchema,
  /** `PAYOBJID=<id>`, unchanged. */
  paymentObjID: RecordTextSchema,
  /** Stored-card token, tokenization only. Treat it like a password. */
  token: RecordTextSchema,
  /** Date, tokenization only. */
  tokenValidUntil: RecordTextSchema,
  /** Id of the hosted request. */
  requestID: RecordTextSchema,
  /** `'0'` on success. */
  returnCode: RecordedCodeSchema,
  /** Provider of the hosted page. */
  serviceProvider: RecordTextSchema,
  /** `_done` once the request is complete. */
  status: RecordTextSchema,
  /** Id of the payment; `reversal` takes it, unless this client blanked a part of it. */
  transactionID: RecordTextSchema,
  /** Whether the upstream added a surcharge. */
  surchargeApplied: v.nullish(v.boolean()),
  surchargeAmount: OptionalNumberSchema,
  // Nothing depends on it: an unreadable one must not spoil a good record.
  surchargePercentUsed: v.fallback(OptionalNumberSchema, undefined),
});

type WireRecord = Given<v.InferOutput<typeof RecordSchema>>;

/** Surcharge that the upstream added to a hosted payment. */
export interface Surcharge {
  /** Amount added, part of the record's `amount`. */
  amount: Money;
  /** `surchargePercentUsed`: for display only, never a base for arithmetic. */
  percent: number;
}

/**
 * Stored record of a hosted request.
 *
 * @see upstream API, section "Transaction record"
 */
export interface TransactionRecord extends Omit<WireRecord, 'amount' | 'surchargeAmount' | 'surchargePercentUsed'> {
  /**
   * Total including a surcharge; absent, and `surcharge` with it, when the record has no total or no currency, or when
   * one of the two is not an exact amount of that currency.
   */
  amount?: Money;
  /** Present only when a surcharge was applied. */
  surcharge?: Surcharge;
  /** The record, unknown fields included. Card numbers in it are blanked, and what is too long is cut. */
  raw: Json;
}
