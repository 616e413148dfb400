/** One payment as staff read it: its attempts, its reversals, and what came of them. */
import * as v from 'valibot';
import { AUTHOR_EXAMPLE, AuthorSchema, type EndedFields, endedEntries } from './author.ts';
import { ChargeReasonSchema } from './charge.ts';
import { CheckoutErrorSchema, RecordedFiguresSchema, SurchargeSchema } from './checkout-attempt.ts';
import { AttemptStatusSchema } from './checkout-status.ts';
import { component, type TypeOf, type WithShared } from './component.ts';
import { AttemptNumberSchema, attemptsOf, CountSchema, idOf, TimestampSchema } from './fields.ts';
import { MoneySchema } from './money.ts';
import { MoneyOperationErrorSchema } from './money-operation.ts';
import {
  CARD_EXAMPLE,
  COMMON_EXAMPLE,
  commonEntries,
  NO_MONEY,
  PaymentCardSchema,
  type PaymentFields,
  PaymentStatusSchema,
} from './payment.ts';
import { RecordedResolutionSchema, RecordedSessionResolutionSchema } from './resolution.ts';
import { ReversalReasonSchema } from './reversal.ts';

const paymentAttempt = v.object({
  /** Number of the attempt: 1, 2, 3 … in the order in which they began. */
  number: AttemptNumberSchema,
  /** `abandoned`: an hour without a sign of the guest. `unknown`: money may have moved; it is never a failure. */
  status: AttemptStatusSchema,
  /** Why it ended without money, or is unknown; null otherwise. */
  error: v.nullable(CheckoutErrorSchema),
  /** Amount asked for; null for a card that is to be stored. */
  amount: v.nullable(MoneySchema),
  /** Money taken, surcharge included; null while there is none. */
  taken: v.nullable(MoneySchema),
  /** What the payment service added; null without. */
  surcharge: v.nullable(SurchargeSchema),
  /** Id at the payment service; null while there is none. */
  transactionId: v.nullable(v.string()),
  /** Null while no card is known. */
  card: v.nullable(PaymentCardSchema),
  /** When the hosted page was opened, RFC 3339 UTC. */
  startedAt: TimestampSchema,
  /** When its outcome was known, or when it was abandoned; null while it is pending or unknown. */
  endedAt: v.nullable(TimestampSchema),
  /** It succeeded after it had been reported as declined, canceled, failed or abandoned. */
  late: v.boolean(),
  /** What a record said that contradicts what was asked for; null when none did. */
  recorded: v.nullable(RecordedFiguresSchema),
  /** Who ended an uncertain outcome by hand, and why; null otherwise. */
  resolution: v.nullable(RecordedSessionResolutionSchema),
  /** Money refunded for certain; null while nothing was taken. */
  reversed: v.nullable(MoneySchema),
  /** Money being refunded, or whose refund is unknown; null while nothing was taken. */
  reversing: v.nullable(MoneySchema),
  /** What is left to refund; null while nothing was taken. */
  reversible: v.nullable(MoneySchema),
});

export interface PaymentAttemptType extends TypeOf<typeof paymentAttempt> {}

/** One attempt to pay, without what only the hotel’s server may read. */
export const PaymentAttemptSchema: PaymentAttemptType = component('PaymentAttempt', paymentAttempt, {
  description: 'One attempt to pay, or to store a card.',
});

/** One attempt to pay. @interface */
export type PaymentAttempt = v.InferOutput<typeof PaymentAttemptSchema>;

const paymentReversal = v.object({
  /** `rv_…`. */
  id: idOf('rv'),
  /** `pending`: no outcome yet. `unknown`: money may have moved; look it up, never repeat it. */
  status: PaymentStatusSchema,
  /** False while another outcome can still arrive. */
  final: v.boolean(),
  /** Amount to be refunded. */
  amount: MoneySchema,
  /** Number of the attempt that it refunds; null for a charge. */
  attempt: v.nullable(AttemptNumberSchema),
  /** Why it was refunded; null when nobody said. */
  reason: v.nullable(ReversalReasonSchema),
  /** Why, in the caller’s words; null without. */
  note: v.nullable(v.string()),
  /** Id at the payment service; null while there is none. */
  transactionId: v.nullable(v.string()),
  /** Why it did not succeed; null otherwise. */
  error: v.nullable(MoneyOperationErrorSchema),
  /** Who ended an unknown outcome by hand, and why; null otherwise. */
  resolution: v.nullable(RecordedResolutionSchema),
  /** Who refunded it. */
  by: AuthorSchema,
  /** When it was made, RFC 3339 UTC. */
  createdAt: TimestampSchema,
  /** When its outcome was known; null until then. */
  completedAt: v.nullable(TimestampSchema),
});

export interface PaymentReversalType extends TypeOf<typeof paymentReversal> {}

/** A refund of a payment, done or to be done. */
export const PaymentReversalSchema: PaymentReversalType = component('PaymentReversal', paymentReversal, {
  description: 'A refund of a payment, done or to be done.',
});

/** A refund of a payment, done or to be done. @interface */
export type PaymentReversal = v.InferOutput<typeof PaymentReversalSchema>;

/** One payment as staff read it. */
export const PaymentSchema = component(
  'Payment',
  v.object({
    /** Kind of resource. */
    object: v.literal('payment'),
    /** `card`: a card that is to be charged later. */
    kind: v.picklist(['payment', 'card']),
    /** `cs_…` or `ch_…`. */
    id: v.union([idOf('cs'), idOf('ch')]),
    /** Id of the hotel at the proxy. */
    property: v.string(),
    ...commonEntries,
    /** Whether other terms were wanted while the guest was paying; false for a charge. */
    outdated: v.boolean(),
    /** Why a card was charged; null for a session. */
    reason: v.nullable(ChargeReasonSchema),
    /** Why a card was charged, in the caller’s words; null without. */
    note: v.nullable(v.string()),
    /** Id of a charge at the payment service; null while there is none. For a session see its attempts. */
    transactionId: v.nullable(v.string()),
    /** Why a charge did not succeed; null otherwise. For a session see its attempts. */
    error: v.nullable(MoneyOperationErrorSchema),
    /** Who ended the unknown outcome of a charge by hand, and why; null otherwise. For a session see its attempts. */
    resolution: v.nullable(RecordedResolutionSchema),
    /** When the outcome of a charge was known; when a session was paid. Null until then. */
    completedAt: v.nullable(TimestampSchema),
    ...endedEntries,
    /** Every attempt of a session, in the order in which they began; none for a charge. */
    attempts: attemptsOf(PaymentAttemptSchema),
    /** All reversals, the oldest first. */
    reversals: v.array(PaymentReversalSchema),
    /** Ids of the other payments that make it a duplicate; the payment itself, when its session was paid twice. */
    duplicates: v.array(v.union([idOf('cs'), idOf('ch')])),
    /** Position of the hotel’s event feed when this was read. */
    position: CountSchema,
  }),
  {
    description:
      'One payment as staff read it: without tokens, metadata and return addresses. Like the lists, it may be seconds behind.',
    example: {
      object: 'payment',
      kind: 'payment',
      id: 'cs_01JZ8M4Q9T6V2X3Y5A7B8C9D0E',
      property: 'aurora',
      ...COMMON_EXAMPLE,
      outdated: false,
      reason: null,
      note: null,
      transactionId: null,
      error: null,
      resolution: null,
      completedAt: '2026-09-01T10:04:37.000Z',
      attempts: [
        {
          number: 1,
          status: 'succeeded',
          error: null,
          amount: { value: 33_000, currency: 'EUR' },
          taken: { value: 33_000, currency: 'EUR' },
          surcharge: null,
          transactionId: '4711',
          card: CARD_EXAMPLE,
          startedAt: '2026-09-01T10:02:11.000Z',
          endedAt: '2026-09-01T10:04:37.000Z',
          late: false,
          recorded: null,
          resolution: null,
          reversed: { value: 2_000, currency: 'EUR' },
          reversing: NO_MONEY,
          reversible: { value: 31_000, currency: 'EUR' },
        },
      ],
      reversals: [
        {
          id: 'rv_01JZ8M4Q9T6V2X3Y5A7B8C9D0E',
          status: 'succeeded',
          final: true,
          amount: { value: 2_000, currency: 'EUR' },
          attempt: 1,
          reason: 'service',
          note: 'The sauna was closed',
          transactionId: '4713',
          error: null,
          resolution: null,
          by: AUTHOR_EXAMPLE,
          createdAt: '2026-09-01T16:00:00.000Z',
          completedAt: '2026-09-01T16:00:01.000Z',
        },
      ],
      duplicates: [],
      position: 42,
    },
  },
);

/** One payment as staff read it. @interface */
export type Payment = WithShared<v.InferOutput<typeof PaymentSchema>, PaymentFields & EndedFields>;
