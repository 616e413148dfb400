import * as v from 'valibot';
import { AUTHOR_EXAMPLE } from './author.ts';
import { component, type WithShared } from './component.ts';
import { AttemptNumberSchema, idOf, NoteSchema } from './fields.ts';
import { pageOf } from './list.ts';
import { AmountSchema } from './money.ts';
import { type MoneyOperationFields, moneyOperationEntries } from './money-operation.ts';

/** Why a payment can be refunded. */
export const REVERSAL_REASONS = ['requested_by_guest', 'duplicate', 'mistake', 'service', 'other'] as const;

/** Why a payment is refunded. */
export type ReversalReason = (typeof REVERSAL_REASONS)[number];

/** Why a payment is refunded. */
export const ReversalReasonSchema = component('ReversalReason', v.picklist(REVERSAL_REASONS), {
  description: 'Why a payment is refunded.',
});

const EXAMPLE = {
  object: 'reversal',
  id: 'rv_01JZ8M4Q9T6V2X3Y5A7B8C9D0E',
  property: 'aurora',
  livemode: true,
  status: 'succeeded',
  final: true,
  seq: 3,
  amount: { value: 2_000, currency: 'EUR' },
  transactionId: '4713',
  error: null,
  by: AUTHOR_EXAMPLE,
  note: 'The sauna was closed',
  createdAt: '2026-09-03T08:00:00.000Z',
  completedAt: '2026-09-03T08:00:01.000Z',
  payment: 'ch_01JZ8M4Q9T6V2X3Y5A7B8C9D0E',
  attempt: null,
  reference: 'RES-1234',
  reason: 'service',
} as const;

/** A reversal as the hotel's server sees it. */
export const ReversalSchema = component(
  'Reversal',
  v.object({
    /** Kind of resource. */
    object: v.literal('reversal'),
    /** `rv_…`. */
    id: idOf('rv'),
    ...moneyOperationEntries,
    /** Id of the payment that it refunds: a session, `cs_…`, or a charge, `ch_…`. */
    payment: v.string(),
    /** Number of the session's attempt whose payment it refunds; null for a charge. */
    attempt: v.nullable(AttemptNumberSchema),
    /** Reservation reference of the payment; null once it was redacted. */
    reference: v.nullable(v.string()),
    /** Why it was refunded; null when nobody said. */
    reason: v.nullable(ReversalReasonSchema),
  }),
  { description: 'Money refunded, of a hosted payment or of a charge.', example: EXAMPLE },
);

/** A reversal of a payment. @interface */
export type Reversal = WithShared<v.InferOutput<typeof ReversalSchema>, MoneyOperationFields>;

/** Answer of `GET /v1/reversals`. */
export const ReversalListSchema = component('ReversalList', pageOf(ReversalSchema), {
  description: 'A page of reversals.',
  example: { object: 'list', data: [EXAMPLE], nextCursor: null },
});

/** Body of `POST /v1/reversals`. */
export const CreateReversalSchema = component(
  'CreateReversal',
  v.strictObject({
    /** Id of the payment to refund: a session, `cs_…`, or a charge, `ch_…`. */
    payment: v.pipe(v.string(), v.maxLength(40, 'Must be the id of a payment')),
    /** Number of the attempt whose payment is refunded; required where two attempts of the session were paid. */
    attempt: v.optional(AttemptNumberSchema),
    /** Amount to refund. Without it, all that is left of the payment is refunded. */
    amount: v.optional(AmountSchema),
    /** Why it is refunded. */
    reason: v.optional(ReversalReasonSchema),
    /** Why, in words that stay with the reversal; at most 500 characters. */
    note: v.optional(NoteSchema),
    /**
     * Refund although the same amount of this payment, or attempt, is being refunded, or its outcome is unknown, or it was refunded less than
     * ten minutes ago. @default false
     */
    allowDuplicate: v.optional(v.boolean(), false),
  }),
  { description: 'What is to be refunded.' },
);

/** Body of `reversals.create`. @interface */
export type CreateReversal = v.InferInput<typeof CreateReversalSchema>;
