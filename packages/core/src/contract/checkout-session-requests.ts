/** What the hotel's server asks of a checkout session, and the small answers to that. */
import * as v from 'valibot';
import { component } from './component.ts';
import { ReferenceSchema, TimestampSchema, textOrNothing } from './fields.ts';
import { AmountSchema } from './money.ts';

const requestEntries = {
  /** Reservation reference, 1 to 64 characters. */
  reference: ReferenceSchema,
  /** What it is for, in words for the guest. At most 200 characters. */
  description: v.optional(textOrNothing(200)),
  /** Where the guest comes back to; on one of the property's origins. */
  returnUrl: v.optional(v.pipe(v.string(), v.maxLength(2_000, 'Must have at most 2000 characters'))),
  /** Your own notes, returned as they are. At most 20 keys of 40 characters, values of 500. */
  metadata: v.optional(
    v.pipe(
      v.record(
        v.pipe(v.string(), v.minLength(1), v.maxLength(40, 'A name must have at most 40 characters')),
        v.pipe(v.string(), v.maxLength(500, 'Must have at most 500 characters')),
      ),
      v.check((metadata) => Object.keys(metadata).length <= 20, 'Must have at most 20 names'),
    ),
    {},
  ),
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

const CreatePaymentSessionSchema = v.strictObject({
  kind: v.literal('payment'),
  /** Amount to pay. */
  amount: AmountSchema,
  /** Ask for a surcharge, where the property allows it. @default false */
  surcharge: v.optional(v.boolean(), false),
  ...requestEntries,
});

/** Body of `checkoutSessions.create` for a payment. @interface */
export type CreatePaymentSession = v.InferInput<typeof CreatePaymentSessionSchema>;

const CreateCardSessionSchema = v.strictObject({ kind: v.literal('card'), ...requestEntries });

/** Body of `checkoutSessions.create` for keeping a card. @interface */
export type CreateCardSession = v.InferInput<typeof CreateCardSessionSchema>;

/** Body of `POST /v1/checkout-sessions`: `kind` says which of the two it must be. */
export const CreateCheckoutSessionSchema = v.variant('kind', [CreatePaymentSessionSchema, CreateCardSessionSchema]);

/** Body of `checkoutSessions.create`. */
export type CreateCheckoutSession = CreatePaymentSession | CreateCardSession;

/** Body of `POST /v1/checkout-sessions/{id}/client-secret`. */
export const CreateClientSecretSchema = v.strictObject({
  /** Whether every other client secret of the session ends. @default false */
  revokeOthers: v.optional(
    v.pipe(v.boolean(), v.description('Whether every other client secret of the session ends.')),
    false,
  ),
});

/** Body of `checkoutSessions.createClientSecret`. @interface */
export type CreateClientSecret = v.InferInput<typeof CreateClientSecretSchema>;

/** Answer of `POST /v1/checkout-sessions/{id}/client-secret`. */
export const ClientSecretSchema = component(
  'ClientSecret',
  v.object({
    /** For the guest's page. Never in an address, never in a log. */
    clientSecret: v.pipe(v.string(), v.description('For the guest’s page. Never in an address, never in a log.')),
  }),
  { description: 'A new client secret.', example: { clientSecret: 'cs_…' } },
);

/** A new client secret. @interface */
export type ClientSecret = v.InferOutput<typeof ClientSecretSchema>;

/** Answer of `POST /v1/checkout-sessions/{id}/link`. */
export const PaymentLinkSchema = component(
  'PaymentLink',
  v.object({
    /** The page that pays the session. Whoever has it can pay. */
    url: v.pipe(v.string(), v.description('The page that pays the session. Whoever has it can pay.')),
    /** The same address as a QR code, SVG. */
    qrUrl: v.pipe(v.string(), v.description('The same address as a QR code, SVG.')),
    /** Until when it can be paid. */
    expiresAt: v.pipe(TimestampSchema, v.description('Until when it can be paid.')),
  }),
  {
    description: 'A payment link.',
    example: {
      url: 'https://pay.hotel.example/pay/cs_…',
      qrUrl: 'https://pay.hotel.example/pay/cs_…/qr.svg',
      expiresAt: '2026-09-01T10:30:00.000Z',
    },
  },
);

/** A link that pays a session without a page of the hotel. @interface */
export type PaymentLink = v.InferOutput<typeof PaymentLinkSchema>;
