import * as v from 'valibot';
import { holdsCardNumber } from '../values/card-mask.ts';
import { AuthorSchema, type EndedFields, endedEntries } from './author.ts';
import { ATTEMPT_EXAMPLE, CardResultSchema, CheckoutAttemptSchema, PaymentResultSchema } from './checkout-attempt.ts';
import { CheckoutKindSchema, CheckoutStatusSchema } from './checkout-status.ts';
import { component, type WithShared } from './component.ts';
import {
  attemptsOf,
  idOf,
  isHarmless,
  noControl,
  notHarmless,
  RedactedAtSchema,
  ReferenceSchema,
  SeqSchema,
  TimestampSchema,
  textOrNothing,
  typed,
} from './fields.ts';
import { listQueryOf, pageOf } from './list.ts';
import { AmountSchema, MoneySchema } from './money.ts';

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
  /** `payment`, or `card`: a card that is to be stored. */
  kind: CheckoutKindSchema,
  /** State of the session. `unknown` means that money may have moved; it is never a failure. */
  status: CheckoutStatusSchema,
  /**
   * True once nothing can follow but money that shows late. `succeeded` is final; so is `expired`, unless an attempt was abandoned or its
   * guest came back in the last 24 hours, 48 while the payment service does not answer. Release the booking of an `expired` session only
   * when it is `final`.
   */
  final: v.boolean(),
  /** Grows by one with each version. */
  seq: SeqSchema,
  /** Amount to pay; once it is being paid or was paid, the amount of that attempt. Null for kind `card`. */
  amount: v.nullable(MoneySchema),
  /** Reservation reference; null once it was redacted. */
  reference: v.nullable(v.string()),
  /** What it is for, in the hotel's words; null when it has none, and once it was redacted. */
  description: v.nullable(v.string()),
  /** Whether the payment service may add a surcharge. */
  surcharge: v.boolean(),
  /** Version of what the guest is shown: amount, surcharge and description. A start names it. */
  terms: SeqSchema,
  /**
   * True when other terms were wanted while the guest was paying. The answer to `ensure` also says so of what was paid before. A new key
   * can ask for the difference.
   */
  outdated: v.boolean(),
  /** Where the guest comes back to; null when none was given, and once it was redacted. */
  returnUrl: v.nullable(v.string()),
  /** The hotel's own notes, returned as they were given; empty once it was redacted. */
  metadata: MetadataSchema,
  /** Whether real money moves. */
  livemode: v.boolean(),
  /** Who made it. */
  by: AuthorSchema,
  /** When it was made, RFC 3339 UTC. */
  createdAt: TimestampSchema,
  /** When what names a person was erased. Absent until then. */
  redactedAt: RedactedAtSchema,
  ...endedEntries,
  /** When the guest first went to the hosted page; null until then. */
  startedAt: v.nullable(TimestampSchema),
  /** When it succeeded; null until then. */
  completedAt: v.nullable(TimestampSchema),
  /** Until when it can be started. */
  expiresAt: TimestampSchema,
  /** The payment in `result` succeeded after it had been reported as declined, canceled, failed or abandoned. */
  late: v.boolean(),
  /** What the first attempt that succeeded brought, by its own `kind`; null until one does. */
  result: v.nullable(v.variant('kind', [PaymentResultSchema, CardResultSchema])),
  /** Every attempt, in the order in which they began. */
  attempts: attemptsOf(CheckoutAttemptSchema),
  /** Money of `result` refunded for certain; null while nothing was paid. */
  reversed: v.nullable(MoneySchema),
  /** Money of `result` being refunded, or whose refund is unknown; null while nothing was paid. */
  reversing: v.nullable(MoneySchema),
});

const RESULT = {
  kind: 'payment',
  total: { value: 12_180, currency: 'EUR' },
  base: { value: 12_000, currency: 'EUR' },
  surcharge: { amount: { value: 180, currency: 'EUR' }, percent: 1.5 },
  transactionId: '4711',
  paymentObjectId: '815',
  maskedCard: '424242......4242',
} as const;

const EXAMPLE: v.InferOutput<typeof session> = {
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
  terms: 1,
  outdated: false,
  returnUrl: 'https://hotel.example/booking/1234',
  metadata: {},
  livemode: true,
  by: { key: 'web', person: null, via: 'key' },
  createdAt: '2026-09-01T10:00:00.000Z',
  startedAt: '2026-09-01T10:02:11.000Z',
  completedAt: '2026-09-01T10:04:37.000Z',
  expiresAt: '2026-09-01T10:30:00.000Z',
  late: false,
  result: RESULT,
  attempts: [
    {
      ...ATTEMPT_EXAMPLE,
      status: 'succeeded',
      error: null,
      endedAt: '2026-09-01T10:04:37.000Z',
      result: RESULT,
      reversed: { value: 0, currency: 'EUR' },
      reversing: { value: 0, currency: 'EUR' },
    },
  ],
  reversed: { value: 0, currency: 'EUR' },
  reversing: { value: 0, currency: 'EUR' },
};

/** A session as the hotel's server sees it. */
export const CheckoutSessionSchema = component('CheckoutSession', session, {
  description: 'A checkout session.',
  example: EXAMPLE,
});

/** A checkout session as the hotel's server sees it. @interface */
export type CheckoutSession = WithShared<v.InferOutput<typeof CheckoutSessionSchema>, EndedFields>;

/** Answer of `POST /v1/checkout-sessions` and of `PUT /v1/checkout-sessions/by-key/{key}`. */
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
      attempts: [],
      reversed: null,
      reversing: null,
      clientSecret: 'cs_…',
    },
  },
);

/** A session and its client secret. @interface */
export type CreatedCheckoutSession = WithShared<v.InferOutput<typeof CreatedCheckoutSessionSchema>, EndedFields>;

/** Answer of `GET /v1/checkout-sessions`. */
export const CheckoutSessionListSchema = component('CheckoutSessionList', pageOf(CheckoutSessionSchema), {
  description: 'A page of sessions.',
  example: { object: 'list', data: [EXAMPLE], nextCursor: null },
});

/** Path of `/v1/checkout-sessions/by-key/{key}`. */
export const SessionKeySchema = v.strictObject({
  /** What is to be paid once, such as `RES-1234-deposit`. Two keys are two payments. */
  key: v.pipe(
    v.string(),
    v.regex(/^[A-Za-z0-9_:-]{1,200}$/, 'Must be 1 to 200 of A-Z a-z 0-9 _ : -'),
    v.check((key) => !holdsCardNumber(key, { issued: true }), 'The key must not contain a card number'),
  ),
});

/** Query of `GET /v1/checkout-sessions`. */
export const ListCheckoutSessionsSchema = v.strictObject({
  ...listQueryOf(CheckoutStatusSchema).entries,
  /** Only the session that was made with this `Idempotency-Key`; at once, unlike the other filters, which are ignored. */
  idempotencyKey: v.optional(
    v.pipe(v.string(), v.regex(/^[!-~]{1,255}$/, 'Must be 1 to 255 visible ASCII characters')),
  ),
});

const requestEntries = {
  /** Reservation reference, 1 to 64 characters. Without a number that a card network issues; dates with the year first are fine. */
  reference: ReferenceSchema,
  /** What it is for, in words for the guest. At most 200 characters. */
  description: v.optional(typed('The description', textOrNothing(200))),
  /** Where the guest comes back to; on one of the property's origins. */
  returnUrl: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(2_000, 'Must have at most 2000 characters'),
      v.regex(/^https?:\/\/./, 'Must be an http or https address'),
      noControl,
      // Also as it reads without escapes: in an address, the blanks of a card number are `+` or `%20`.
      v.check((url) => [url, `${[...new URLSearchParams(url)]}`].every(isHarmless), notHarmless('The address')),
    ),
  ),
  /** Your own notes, returned as they are. At most 20 keys of 40 characters, values of 500. Numbers as in `reference`. */
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
} as const;

/** Body of `POST /v1/checkout-sessions` for a payment. */
export const CreatePaymentSessionSchema = component(
  'CreatePaymentSession',
  v.strictObject({
    /** A payment. */
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
  v.strictObject({
    /** A card that is to be stored. */
    kind: v.literal('card'),
    ...requestEntries,
  }),
  { description: 'A card that is to be stored.' },
);

/** Body of `checkoutSessions.create` for keeping a card. @interface */
export type CreateCardSession = v.InferInput<typeof CreateCardSessionSchema>;

/** Body of `POST /v1/checkout-sessions`: `kind` says which of the two it must be. */
export const CreateCheckoutSessionSchema = v.variant('kind', [CreatePaymentSessionSchema, CreateCardSessionSchema]);

/** Body of `checkoutSessions.create`. */
export type CreateCheckoutSession = CreatePaymentSession | CreateCardSession;
