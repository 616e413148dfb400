/** One attempt to pay a session: what was asked, and what came of it. */
import * as v from 'valibot';
import { AttemptStatusSchema, CheckoutErrorCodeSchema } from './checkout-status.ts';
import { component, type TypeOf } from './component.ts';
import { AttemptNumberSchema, TimestampSchema } from './fields.ts';
import { MoneySchema } from './money.ts';
import { RecordedSessionResolutionSchema } from './resolution.ts';

const surcharge = v.object({
  /** Amount added. */
  amount: MoneySchema,
  /** Percentage used, for display only. */
  percent: v.pipe(v.number(), v.finite(), v.minValue(0)),
});

export interface SurchargeType extends TypeOf<typeof surcharge> {}

/** Surcharge of a payment. */
export const SurchargeSchema: SurchargeType = component('Surcharge', surcharge, {
  description: 'What the payment service added to a payment.',
});

/** Surcharge that the payment service added to a payment. @interface */
export type CheckoutSurcharge = v.InferOutput<typeof SurchargeSchema>;

const paymentResult = v.object({
  /** A payment. */
  kind: v.literal('payment'),
  /** Amount charged, surcharge included. */
  total: MoneySchema,
  /** Amount asked for. */
  base: MoneySchema,
  /** Surcharge in `total`; null when there is none. */
  surcharge: v.nullable(SurchargeSchema),
  /** Id of the payment at the payment service; null when it is not known. */
  transactionId: v.nullable(v.string()),
  /** The payment service’s `PAYOBJID`, without that prefix; null when it is not known. */
  paymentObjectId: v.nullable(v.string()),
  /** Masked card number, such as `424242......4242`; null when it is not known. */
  maskedCard: v.nullable(v.string()),
});

export interface PaymentResultType extends TypeOf<typeof paymentResult> {}

/** What a payment brought. */
export const PaymentResultSchema: PaymentResultType = component('PaymentResult', paymentResult, {
  description: 'What was paid.',
});

/** What a payment brought. @interface */
export type PaymentResult = v.InferOutput<typeof PaymentResultSchema>;

const cardResult = v.object({
  /** A stored card. */
  kind: v.literal('card'),
  /**
   * Stored-card token for charges. Treat it like a password. Only a key with the scope `tokens` is shown it; in events only its last
   * four characters; absent from lists; null when nobody knows it.
   */
  token: v.exactOptional(v.nullable(v.string())),
  /** Date until which the token can be charged, `YYYY-MM-DD`; null when it is not known. */
  tokenValidUntil: v.nullable(v.string()),
  /** Until when the proxy keeps the token, RFC 3339 UTC. Null when it never had it. */
  tokenKeptUntil: v.nullable(TimestampSchema),
  /** The payment service’s `TOKENOBJID`, without that prefix; null when it is not known. */
  tokenObjectId: v.nullable(v.string()),
  /** Id of the tokenization at the payment service; null when it is not known. */
  transactionId: v.nullable(v.string()),
  /** Masked card number, such as `424242......4242`; null when it is not known. */
  maskedCard: v.nullable(v.string()),
});

export interface CardResultType extends TypeOf<typeof cardResult> {}

/** The card that was stored. */
export const CardResultSchema: CardResultType = component('CardResult', cardResult, {
  description: 'The card that was stored.',
});

/** The card that was stored. @interface */
export type CardResult = v.InferOutput<typeof CardResultSchema>;

const recordedFigures = v.object({
  /** Total, surcharge included; null when it is not an exact amount of a known currency. */
  amount: v.nullable(MoneySchema),
  /** `amount` without the surcharge; null when it is not known. */
  base: v.nullable(MoneySchema),
  /** Surcharge in `amount`; null when there is none. */
  surcharge: v.nullable(SurchargeSchema),
  /** The amount's number as it came, in the payment service's unit; null when none came. */
  wireAmount: v.nullable(v.number()),
  /** The currency as it came; null when none came. */
  currency: v.nullable(v.string()),
  /** Id at the payment service; null when none came. */
  transactionId: v.nullable(v.string()),
  /** The payment service’s `PAYOBJID`, without that prefix; null when it is not known. */
  paymentObjectId: v.nullable(v.string()),
  /** Masked card number, such as `424242......4242`; null when it is not known. */
  maskedCard: v.nullable(v.string()),
  /** The payment service's return code as it came: `0` says success. Null when none came. */
  returnCode: v.nullable(v.string()),
});

export interface RecordedFiguresType extends TypeOf<typeof recordedFigures> {}

/** What the payment service's record said that contradicts what was asked for. */
export const RecordedFiguresSchema: RecordedFiguresType = component('RecordedFigures', recordedFigures, {
  description:
    'What the payment service’s record said that contradicts what was asked for. For staff; it proves nothing.',
});

/** What the payment service's record said that contradicts what was asked for: for staff, and proof of nothing. @interface */
export type RecordedFigures = v.InferOutput<typeof RecordedFiguresSchema>;

const checkoutError = v.object({
  /**
   * Stable code. `declined`, `upstream_failed`, `canceled_by_guest`: no money moved. With any other, money may have moved: look the
   * payment up, then resolve the attempt. `amount_unit_mismatch`: correct `amountUnit` before the next payment.
   */
  code: CheckoutErrorCodeSchema,
  /** What happened, for staff and logs. */
  message: v.string(),
});

export interface CheckoutErrorType extends TypeOf<typeof checkoutError> {}

/** Why an attempt ended without money, or is unknown. */
export const CheckoutErrorSchema: CheckoutErrorType = component('CheckoutError', checkoutError, {
  description: 'Why an attempt ended without money, or is unknown.',
});

/** What came of a payment, or of a card that was to be stored. */
const ResultSchema = v.variant('kind', [PaymentResultSchema, CardResultSchema]);

const attempt = v.object({
  /** Number of the attempt: 1, 2, 3 … in the order in which they began. */
  number: AttemptNumberSchema,
  /** `abandoned`: an hour without a sign of the guest. `unknown`: money may have moved; it is never a failure. */
  status: AttemptStatusSchema,
  /** Why it ended without money, or is unknown; null otherwise. */
  error: v.nullable(CheckoutErrorSchema),
  /** Amount that was asked for; null for kind `card`. */
  amount: v.nullable(MoneySchema),
  /** Whether the payment service could add a surcharge. */
  surcharge: v.boolean(),
  /** When the hosted page was opened, RFC 3339 UTC. */
  startedAt: TimestampSchema,
  /** When its outcome was known, or when it was abandoned; null while it is pending or unknown. */
  endedAt: v.nullable(TimestampSchema),
  /** It succeeded after it had been reported as declined, canceled, failed or abandoned. */
  late: v.boolean(),
  /** What came of it; null until it succeeded. */
  result: v.nullable(ResultSchema),
  /** What a record said that contradicts what was asked for; null when none did, and once a later record agreed in every field. */
  recorded: v.nullable(RecordedFiguresSchema),
  /** Who ended an uncertain outcome by hand, and why; null otherwise. */
  resolution: v.nullable(RecordedSessionResolutionSchema),
  /** Money refunded for certain; null while nothing was paid. */
  reversed: v.nullable(MoneySchema),
  /** Money being refunded, or whose refund is unknown; null while nothing was paid. */
  reversing: v.nullable(MoneySchema),
});

/** An attempt worth reading. */
export const ATTEMPT_EXAMPLE = {
  number: 1,
  status: 'declined',
  error: { code: 'declined', message: 'The card was declined' },
  amount: { value: 12_000, currency: 'EUR' },
  surcharge: true,
  startedAt: '2026-09-01T10:02:11.000Z',
  endedAt: '2026-09-01T10:02:58.000Z',
  late: false,
  result: null,
  recorded: null,
  resolution: null,
  reversed: null,
  reversing: null,
} as const;

export interface CheckoutAttemptType extends TypeOf<typeof attempt> {}

/** One attempt to pay a session. */
export const CheckoutAttemptSchema: CheckoutAttemptType = component('CheckoutAttempt', attempt, {
  description: 'One attempt to pay a session, or to store a card.',
  example: ATTEMPT_EXAMPLE,
});

/** One attempt to pay a session, or to store a card. @interface */
export type CheckoutAttempt = v.InferOutput<typeof CheckoutAttemptSchema>;
