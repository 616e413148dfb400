/** A checkout session as the hotel's server sees it. */
import * as v from 'valibot';
import { component } from './component.ts';
import { idOf, SeqSchema, TimestampSchema } from './fields.ts';
import { listQueryOf, pageOf } from './list.ts';
import { MoneySchema } from './money.ts';
import { RecordedSessionResolutionSchema } from './resolution.ts';

/** States of a checkout session. */
export const CHECKOUT_STATUSES = ['open', 'pending', 'succeeded', 'failed', 'canceled', 'expired', 'unknown'] as const;

/** State of a checkout session. `unknown` means that money may have moved; it is never a failure. */
export type CheckoutStatus = (typeof CHECKOUT_STATUSES)[number];

/** What a session can be for. */
export const CHECKOUT_KINDS = ['payment', 'card'] as const;

/** What a session is for: a payment, or keeping a card for later. */
export type CheckoutKind = (typeof CHECKOUT_KINDS)[number];

/** Why a session can have failed, been canceled or be unknown. */
export const CHECKOUT_ERROR_CODES = [
  /**
   * The payment service says that the attempt ended without a payment; the session is `failed`.
   *
   * Money: did not move.
   *
   * What to do: make a new session if the guest wants to try again.
   */
  'upstream_failed',
  /**
   * The guest turned back on the hosted page; the session is `canceled`.
   *
   * Money: did not move.
   *
   * What to do: make a new session if the guest wants to try again.
   */
  'canceled_by_guest',
  /**
   * The payment service's record shows another amount than was asked for; the session is `unknown`.
   *
   * Money: moved, according to the record, in another amount.
   *
   * What to do: look the payment up at the payment service, then resolve the session with what you find.
   */
  'amount_mismatch',
  /**
   * The record shows the amount asked for multiplied or divided by exactly the currency's power of ten; the session is
   * `unknown`.
   *
   * Money: moved, in an amount that is a power of ten too large or too small.
   *
   * What to do: stop taking payments until the property's `amountUnit` is right, then look the payment up and resolve the session.
   */
  'amount_unit_mismatch',
  /**
   * The record contradicts what was asked for in a field that is not an amount: currency, request, operation, state; the
   * session is `unknown`.
   *
   * Money: may have moved.
   *
   * What to do: look the payment up at the payment service, then resolve the session with what you find.
   */
  'record_mismatch',
  /**
   * The payment service says that it is done, but no record could be read for fifteen minutes; the session is `unknown`.
   *
   * Money: may have moved.
   *
   * What to do: refresh the session later: a readable record still ends it. Otherwise look it up and resolve it.
   */
  'record_unreadable',
] as const;

/** Why a session failed, was canceled or is unknown. */
export type CheckoutErrorCode = (typeof CHECKOUT_ERROR_CODES)[number];

/** Surcharge of a payment. */
export const SurchargeSchema = v.object({
  /** Amount added. */
  amount: MoneySchema,
  /** Percentage used, for display only. */
  percent: v.pipe(v.number(), v.finite(), v.minValue(0)),
});

/** Surcharge that the payment service added to a payment. @interface */
export type CheckoutSurcharge = v.InferOutput<typeof SurchargeSchema>;

const PaymentResultSchema = v.object({
  /** Amount charged, surcharge included. */
  total: MoneySchema,
  /** Amount asked for. */
  base: MoneySchema,
  surcharge: v.nullable(SurchargeSchema),
  /** Id of the payment at the payment service. */
  transactionId: v.nullable(v.string()),
  /** Id without its prefix. */
  paymentObjectId: v.nullable(v.string()),
  /** Masked card number. */
  maskedCard: v.nullable(v.string()),
});

/** Result of a payment session. @interface */
export type PaymentResult = v.InferOutput<typeof PaymentResultSchema>;

const CardResultSchema = v.object({
  /**
   * Stored-card token for charges. Treat it like a password. In events only its last four characters; absent from lists;
   * null when nobody knows it.
   */
  token: v.exactOptional(v.nullable(v.string())),
  /** Date until which the token can be charged, `YYYY-MM-DD`. */
  tokenValidUntil: v.nullable(v.string()),
  /** Id without its prefix. */
  tokenObjectId: v.nullable(v.string()),
  /** Id of the tokenization at the payment service. */
  transactionId: v.nullable(v.string()),
  /** Masked card number. */
  maskedCard: v.nullable(v.string()),
});

/** Result of a card session. @interface */
export type CardResult = v.InferOutput<typeof CardResultSchema>;

/** What the payment service's record said that contradicts what was asked for. */
export const RecordedFiguresSchema = component(
  'RecordedFigures',
  v.object({
    /** Total, surcharge included; null when it is not an exact amount of a known currency. */
    amount: v.nullable(MoneySchema),
    /** `amount` without the surcharge. */
    base: v.nullable(MoneySchema),
    surcharge: v.nullable(SurchargeSchema),
    /** The amount's number as it came, in the payment service's unit. */
    wireAmount: v.nullable(v.number()),
    /** As it came. */
    currency: v.nullable(v.string()),
    /** Id at the payment service. */
    transactionId: v.nullable(v.string()),
    /** Id without its prefix. */
    paymentObjectId: v.nullable(v.string()),
    /** Masked card number. */
    maskedCard: v.nullable(v.string()),
    /** `'0'` says success. */
    returnCode: v.nullable(v.string()),
  }),
  {
    description:
      'What the payment service’s record said that contradicts what was asked for. For staff; it proves nothing.',
  },
);

/** What the payment service's record said that contradicts what was asked for: for staff, and proof of nothing. @interface */
export type RecordedFigures = v.InferOutput<typeof RecordedFiguresSchema>;

const session = v.object({
  /** Kind of resource. */
  object: v.literal('checkout_session'),
  /** `cs_…`. */
  id: idOf('cs'),
  /** Id of the hotel at the proxy. */
  property: v.string(),
  kind: v.picklist(CHECKOUT_KINDS),
  status: v.picklist(CHECKOUT_STATUSES),
  /** False while another outcome is waited for. After `failed` and `canceled` a late success can still follow, in an event. */
  final: v.boolean(),
  /** Grows by one with each transition. */
  seq: SeqSchema,
  /** Amount to pay; null for kind `card`. */
  amount: v.nullable(MoneySchema),
  /** Reservation reference. */
  reference: v.string(),
  /** What it is for, in the hotel's words. */
  description: v.nullable(v.string()),
  /** Whether the payment service may add a surcharge. */
  surcharge: v.boolean(),
  /** Where the guest comes back to. */
  returnUrl: v.nullable(v.string()),
  /** The hotel's own notes, returned as they were given. */
  metadata: v.record(v.string(), v.string()),
  /** Whether real money moves. */
  livemode: v.boolean(),
  /** Session that this one replaces on a payment link. */
  previous: v.nullable(v.string()),
  /** When it was made, RFC 3339 UTC. */
  createdAt: TimestampSchema,
  /** When the guest first went to the hosted page. */
  startedAt: v.nullable(TimestampSchema),
  /** When its outcome was known. */
  completedAt: v.nullable(TimestampSchema),
  /** Until when it can be started. */
  expiresAt: TimestampSchema,
  /** Succeeded after it had been reported as failed, canceled or expired. Absent from versions that an older proxy listed. */
  late: v.exactOptional(
    v.pipe(v.boolean(), v.description('Succeeded after it had been reported as failed, canceled or expired.')),
  ),
  /** What came of it; null until it succeeded. */
  result: v.nullable(v.union([PaymentResultSchema, CardResultSchema])),
  /** Why it failed, was canceled or is unknown; null otherwise. */
  error: v.nullable(
    v.object({
      code: v.picklist(CHECKOUT_ERROR_CODES),
      /** What happened, for staff and logs. */
      message: v.string(),
    }),
  ),
  /**
   * What a record said that contradicts what was asked for; null or absent when none did, and once a later record agreed in
   * every field.
   */
  recorded: v.exactOptional(v.nullable(RecordedFiguresSchema)),
  /** Money given back for certain. */
  reversed: v.nullable(MoneySchema),
  /** Money being given back. */
  reversing: v.nullable(MoneySchema),
  /** Who ended an uncertain outcome by hand, and why. Absent otherwise. */
  resolution: v.exactOptional(RecordedSessionResolutionSchema),
});

const EXAMPLE = {
  object: 'checkout_session',
  id: 'cs_01JZ8M4Q9T6V2X3Y5A7B8C9D0E',
  property: 'aurora',
  kind: 'payment',
  status: 'succeeded',
  final: true,
  seq: 3,
  amount: { value: 12_000, currency: 'EUR' },
  reference: 'RES-1234',
  description: 'Lake Room, 2 nights',
  surcharge: true,
  returnUrl: 'https://hotel.example/booking/1234',
  metadata: {},
  livemode: true,
  previous: null,
  createdAt: '2026-09-01T10:00:00.000Z',
  startedAt: '2026-09-01T10:02:11.000Z',
  completedAt: '2026-09-01T10:04:37.000Z',
  expiresAt: '2026-09-01T10:30:00.000Z',
  result: {
    total: { value: 12_180, currency: 'EUR' },
    base: { value: 12_000, currency: 'EUR' },
    surcharge: { amount: { value: 180, currency: 'EUR' }, percent: 1.5 },
    transactionId: '4711',
    paymentObjectId: '815',
    maskedCard: '424242******4242',
  },
  error: null,
  reversed: { value: 0, currency: 'EUR' },
  reversing: { value: 0, currency: 'EUR' },
} as const;

/** A session as the hotel's server sees it. */
export const CheckoutSessionSchema = component('CheckoutSession', session, {
  description: 'A checkout session.',
  example: EXAMPLE,
});

/** A checkout session as the hotel's server sees it. @interface */
export type CheckoutSession = v.InferOutput<typeof CheckoutSessionSchema>;

/** Answer of `POST /v1/checkout-sessions`. */
export const CreatedCheckoutSessionSchema = component(
  'CreatedCheckoutSession',
  v.object({
    ...session.entries,
    /** For the guest's page. Absent when the answer is a replay of an earlier call. */
    clientSecret: v.exactOptional(v.string()),
  }),
  {
    description: 'A new session. `clientSecret` is shown once; a replay has none.',
    example: {
      ...EXAMPLE,
      status: 'open',
      final: false,
      seq: 1,
      startedAt: null,
      completedAt: null,
      result: null,
      reversed: null,
      reversing: null,
      clientSecret: 'cs_…',
    },
  },
);

/** A session that was just made: the only time its client secret is shown. @interface */
export type CreatedCheckoutSession = v.InferOutput<typeof CreatedCheckoutSessionSchema>;

/** Answer of `GET /v1/checkout-sessions`. */
export const CheckoutSessionListSchema = component('CheckoutSessionList', pageOf(CheckoutSessionSchema), {
  description: 'A page of sessions.',
  example: { object: 'list', data: [EXAMPLE], nextCursor: null },
});

/** Query of `GET /v1/checkout-sessions`. */
export const ListCheckoutSessionsSchema = listQueryOf(CHECKOUT_STATUSES);
