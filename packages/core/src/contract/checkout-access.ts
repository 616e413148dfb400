/** What lets a guest pay a session: a client secret for a page, or a link without one. */
import * as v from 'valibot';
import { component } from './component.ts';
import { TimestampSchema } from './fields.ts';

/** Body of `POST /v1/checkout-sessions/{id}/client-secret`. */
export const CreateClientSecretSchema = component(
  'CreateClientSecret',
  v.strictObject({
    /**
     * Whether the present client secret ends, on every page that has it, and a new one is made. Payment links, return addresses
     * and an open hosted page stay valid; links are revoked by a call of their own.
     *
     * @default false
     */
    rotate: v.optional(v.boolean(), false),
  }),
  { description: 'How the client secret is asked for.' },
);

/** Body of `checkoutSessions.createClientSecret`. @interface */
export type CreateClientSecret = v.InferInput<typeof CreateClientSecretSchema>;

/** Answer of `POST /v1/checkout-sessions/{id}/client-secret`. */
export const ClientSecretSchema = component(
  'ClientSecret',
  v.object({
    /** For the guest's page. Never in an address, never in a log. */
    clientSecret: v.string(),
  }),
  { description: 'The client secret of a session.', example: { clientSecret: 'cs_…' } },
);

/** The client secret of a session. @interface */
export type ClientSecret = v.InferOutput<typeof ClientSecretSchema>;

/** Answer of `POST /v1/checkout-sessions/{id}/link`. */
export const PaymentLinkSchema = component(
  'PaymentLink',
  v.object({
    /** The page that pays the session. Whoever has it can pay. */
    url: v.string(),
    /** The same address as a QR code, SVG. */
    qrUrl: v.string(),
    /** Until when it can be paid. */
    expiresAt: TimestampSchema,
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
