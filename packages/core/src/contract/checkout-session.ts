/** A checkout session as the hotel's server makes and sees it. */
import * as v from 'valibot';
import { CheckoutErrorCodeSchema, CheckoutKindSchema, CheckoutStatusSchema } from './checkout-status.ts';
import { component } from './component.ts';
import {
  idOf,
  isHarmless,
  notHarmless,
  ReferenceSchema,
  SeqSchema,
  TimestampSchema,
  textOrNothing,
  typed,
} from './fields.ts';
import { listQueryOf, pageOf } from './list.ts';
import { AmountSchema, MoneySchema } from './money.ts';
import { RecordedSessionResolutionSchema } from './resolution.ts';

/** Surcharge of a payment. */
export const SurchargeSchema = component(
  'Surcharge',
  v.object({
    /** Amount added. */
    amount: MoneySchema,
    /** Percentage used, for display only. */
    percent: v.pipe(v.number(), v.finite(), v.minValue(0)),
  }),
  { description: 'What the payment service added to a payment.' },
);

/** Surcharge that the payment service added to a payment. @interface */
export type CheckoutSurcharge = v.InferOutput<typeof SurchargeSchema>;

/** Result of a payment session. */
export const PaymentResultSchema = component(
  'PaymentResult',
  v.object({
    kind: v.literal('payment'),
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
  }),
  { description: 'What was paid.' },
);

/** Result of a payment session. @interface */
export type PaymentResult = v.InferOutput<typeof PaymentResultSchema>;

/** Result of a card session. */
export const CardResultSchema = component(
  'CardResult',
  v.object({
    kind: v.literal('card'),
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
  }),
  { description: 'The card that was stored.' },
);

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

/** Why a session failed, was canceled or is unknown. */
export const CheckoutErrorSchema = component(
  'CheckoutError',
  v.object({
    code: CheckoutErrorCodeSchema,
    /** What happened, for staff and logs. */
    message: v.string(),
  }),
  { description: 'Why a session failed, was canceled or is unknown.' },
);

/** The hotel's own notes. */
export const MetadataSchema = component(
  'Metadata',
  v.pipe(
    v.record(
      v.pipe(v.string(), v.minLength(1), v.maxLength(40, 'A name must have at most 40 characters')),
      v.pipe(v.string(), v.maxLength(500, 'Must have at most 500 characters')),
    ),
    v.maxEntries(20, 'Must have at most 20 names'),
    v.check((metadata) => Object.entries(metadata).flat().every(isHarmless), notHarmless('The metadata')),
  ),
  {
    description:
      'The hotel’s own notes, returned as they are: at most 20, with names of 40 and values of 500 characters.',
  },
);

const session = v.object({
  /** Kind of resource. */
  object: v.literal('checkout_session'),
  /** `cs_…`. */
  id: idOf('cs'),
  /** Id of the hotel at the proxy. */
  property: v.string(),
  kind: CheckoutKindSchema,
  status: CheckoutStatusSchema,
  /** False while the proxy waits for another outcome. After `failed` and `canceled` a late success can still follow, in an event. */
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
  metadata: MetadataSchema,
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
  /** What came of it, by its own `kind`; null until it succeeded. */
  result: v.nullable(v.variant('kind', [PaymentResultSchema, CardResultSchema])),
  /** Why it failed, was canceled or is unknown; null otherwise. */
  error: v.nullable(CheckoutErrorSchema),
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
  late: false,
  result: {
    kind: 'payment',
    total: { value: 12_180, currency: 'EUR' },
    base: { value: 12_000, currency: 'EUR' },
    surcharge: { amount: { value: 180, currency: 'EUR' }, percent: 1.5 },
    transactionId: '4711',
    paymentObjectId: '815',
    maskedCard: '424242......4242',
  },
  error: null,
  recorded: null,
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
    /** For the guest's page: the same one whenever the call is repeated, until it is rotated. */
    clientSecret: v.string(),
  }),
  {
    description: 'A session and its `clientSecret`, the same one for the same key.',
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

/** A session and its client secret. @interface */
export type CreatedCheckoutSession = v.InferOutput<typeof CreatedCheckoutSessionSchema>;

/** Answer of `GET /v1/checkout-sessions`. */
export const CheckoutSessionListSchema = component('CheckoutSessionList', pageOf(CheckoutSessionSchema), {
  description: 'A page of sessions.',
  example: { object: 'list', data: [EXAMPLE], nextCursor: null },
});

/** Query of `GET /v1/checkout-sessions`. */
export const ListCheckoutSessionsSchema = v.strictObject({
  ...listQueryOf(CheckoutStatusSchema).entries,
  /** Only the session that was made with this `Idempotency-Key`. */
  idempotencyKey: v.optional(
    v.pipe(
      v.string(),
      v.description(
        'Only the session that was made with this `Idempotency-Key`; at once, unlike the other filters, which are ignored.',
      ),
      v.regex(/^[!-~]{1,255}$/, 'Must be 1 to 255 visible ASCII characters'),
    ),
  ),
});

const requestEntries = {
  /** Reservation reference, 1 to 64 characters. */
  reference: ReferenceSchema,
  /** What it is for, in words for the guest. At most 200 characters. */
  description: v.optional(typed('The description', textOrNothing(200))),
  /** Where the guest comes back to; on one of the property's origins. */
  returnUrl: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(2_000, 'Must have at most 2000 characters'),
      v.regex(/^https?:\/\/./, 'Must be an http or https address'),
      v.description('Where the guest comes back to; on one of the property’s origins.'),
    ),
  ),
  /** Your own notes, returned as they are. At most 20 keys of 40 characters, values of 500. */
  metadata: v.optional(MetadataSchema, {}),
  /** How long it can be started: 60 to 2,592,000 seconds. @default 1800 */
  expiresInSeconds: v.optional(
    v.pipe(
      v.number(),
      v.integer('Must be an integer'),
      v.minValue(60, 'Must be at least 60'),
      v.maxValue(2_592_000, 'Must be at most 2592000'),
    ),
    1_800,
  ),
};

/** Body of `POST /v1/checkout-sessions` for a payment. */
export const CreatePaymentSessionSchema = component(
  'CreatePaymentSession',
  v.strictObject({
    kind: v.literal('payment'),
    /** Amount to pay. */
    amount: AmountSchema,
    /** Ask for a surcharge, where the property allows it. @default false */
    surcharge: v.optional(v.boolean(), false),
    ...requestEntries,
  }),
  { description: 'What a guest is to pay.' },
);

/** Body of `checkoutSessions.create` for a payment. @interface */
export type CreatePaymentSession = v.InferInput<typeof CreatePaymentSessionSchema>;

/** Body of `POST /v1/checkout-sessions` for keeping a card. */
export const CreateCardSessionSchema = component(
  'CreateCardSession',
  v.strictObject({ kind: v.literal('card'), ...requestEntries }),
  { description: 'A card that is to be stored.' },
);

/** Body of `checkoutSessions.create` for keeping a card. @interface */
export type CreateCardSession = v.InferInput<typeof CreateCardSessionSchema>;

/** Body of `POST /v1/checkout-sessions`: `kind` says which of the two it must be. */
export const CreateCheckoutSessionSchema = v.variant('kind', [CreatePaymentSessionSchema, CreateCardSessionSchema]);

/** Body of `checkoutSessions.create`. */
export type CreateCheckoutSession = CreatePaymentSession | CreateCardSession;
