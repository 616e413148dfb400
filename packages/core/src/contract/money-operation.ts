/** What charges and reversals have in common. */
import * as v from 'valibot';
import { AuthorSchema } from './author.ts';
import { component, type OutputOf, openPicklist, type TypeOf } from './component.ts';
import { RedactedAtSchema, SeqSchema, TimestampSchema } from './fields.ts';
import { listQueryOf } from './list.ts';
import { MoneySchema } from './money.ts';
import { RecordedResolutionSchema } from './resolution.ts';

/** States of a charge or a reversal, in the order in which they can be passed. */
export const MONEY_OPERATION_STATUSES = ['created', 'sent', 'succeeded', 'declined', 'failed', 'unknown'] as const;

/**
 * State of a charge or a reversal. `failed` means proven not executed; `unknown` means that money may have moved.
 */
export type MoneyOperationStatus = (typeof MONEY_OPERATION_STATUSES)[number];

/** State of a charge or a reversal. */
export const MoneyOperationStatusSchema = component('MoneyOperationStatus', v.picklist(MONEY_OPERATION_STATUSES), {
  description: 'State of a charge or a reversal. `unknown`: money may have moved; look it up, never repeat it.',
});

/** Codes of a charge or a reversal beyond those that `@innkeep/core` throws. */
export const MONEY_OPERATION_ERROR_CODES = [
  /**
   * The payment service said no; `returnCode` is its own code, and the status is `declined`.
   *
   * Money: did not move.
   *
   * What to do: ask for another card or another way to pay. A new attempt needs a new idempotency key.
   */
  'declined',
  /**
   * The request left and its answer is lost or unreadable; the status is `unknown`.
   *
   * Money: may have moved.
   *
   * What to do: never repeat it under another key. Look it up at the payment service, then resolve it with what you find.
   */
  'outcome_unknown',
  /**
   * Nothing was sent: the proxy was interrupted before it could send; the status is `failed`.
   *
   * Money: did not move.
   *
   * What to do: make it again with a new idempotency key.
   */
  'abandoned',
  /**
   * Somebody resolved it as not executed; `message` has the evidence, and the status is `failed`.
   *
   * Money: did not move, according to that evidence.
   *
   * What to do: make it again with a new idempotency key if it is still wanted.
   */
  'not_executed',
] as const;

/** One of the codes of a charge or a reversal beyond those that `@innkeep/core` throws. */
export type MoneyOperationErrorCode = (typeof MONEY_OPERATION_ERROR_CODES)[number];

const moneyOperationError = v.object({
  /**
   * Stable code. `declined`; `outcome_unknown`: the answer was lost, money may have moved; `abandoned`: nothing was sent;
   * `not_executed`: somebody resolved it so. Any other says what kept the request from being sent or carried out.
   */
  code: openPicklist(MONEY_OPERATION_ERROR_CODES),
  /** What happened, for staff and logs. */
  message: v.string(),
  /** The payment service's own code, when it declined or left the outcome open. Absent otherwise. */
  returnCode: v.exactOptional(v.string()),
});

export interface MoneyOperationErrorType extends TypeOf<typeof moneyOperationError> {}

/** Why a charge or a reversal did not succeed. */
export const MoneyOperationErrorSchema: MoneyOperationErrorType = component(
  'MoneyOperationError',
  moneyOperationError,
  { description: 'Why a charge or a reversal did not succeed.' },
);

/** Why a charge or a reversal did not succeed. @interface */
export type MoneyOperationError = v.InferOutput<typeof MoneyOperationErrorSchema>;

/** Fields of both. */
export const moneyOperationEntries = {
  /** Id of the hotel at the proxy. */
  property: v.string(),
  /** Whether real money moved. */
  livemode: v.boolean(),
  /** `created` and `sent`: no outcome yet. `failed`: not carried out. `unknown`: money may have moved; look it up, never repeat it. */
  status: MoneyOperationStatusSchema,
  /** False while another outcome can still arrive. */
  final: v.boolean(),
  /** Grows by one with each transition. */
  seq: SeqSchema,
  /** Amount asked for. If a person found that another amount moved, that one is in `resolution.amount`. */
  amount: MoneySchema,
  /** Id at the payment service; null while there is none. */
  transactionId: v.nullable(v.string()),
  /** Why it did not succeed; null otherwise. */
  error: v.nullable(MoneyOperationErrorSchema),
  /** Who made it. */
  by: AuthorSchema,
  /** Why, in the caller's words; null without. */
  note: v.nullable(v.string()),
  /** When it was made, RFC 3339 UTC. */
  createdAt: TimestampSchema,
  /** When what names a person was erased. Absent until then. */
  redactedAt: RedactedAtSchema,
  /** When it succeeded, was declined or failed, or was resolved as one of these; null until then. RFC 3339 UTC. */
  completedAt: v.nullable(TimestampSchema),
  /** Who ended an unknown outcome by hand, and why. Absent otherwise. */
  resolution: v.exactOptional(RecordedResolutionSchema),
};

/** What charges and reversals have in common. */
export type MoneyOperationFields = OutputOf<typeof moneyOperationEntries>;

/** Query of `GET /v1/charges` and `GET /v1/reversals`. */
export const ListMoneyOperationsSchema = listQueryOf(MoneyOperationStatusSchema);
