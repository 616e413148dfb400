/** A checkout session as its guest sees and starts it. Strict: nothing else of a session may reach a guest's page. */
import * as v from 'valibot';
import { CARD_BRANDS } from '../values/card-brand.ts';
import { SurchargeSchema } from './checkout-attempt.ts';
import { CheckoutErrorCodeSchema, CheckoutKindSchema, CheckoutStatusSchema } from './checkout-status.ts';
import { component, openPicklist } from './component.ts';
import { CountSchema, idOf, SeqSchema, TimestampSchema } from './fields.ts';
import { MoneySchema } from './money.ts';

/** How the hosted page can be shown. */
export const CHECKOUT_PRESENTATIONS = ['redirect', 'tab'] as const;

/** How the hosted page is shown: in place of this page, or in a tab of its own. */
export type CheckoutPresentation = (typeof CHECKOUT_PRESENTATIONS)[number];

/** What the proxy verified with the payment service. */
export const CheckoutReceiptSchema = component(
  'CheckoutReceipt',
  v.strictObject({
    /** Amount asked for; null for kind `card`. */
    base: v.nullable(MoneySchema),
    /** Surcharge, or null when there is none. */
    surcharge: v.nullable(SurchargeSchema),
    /** Amount charged, surcharge included; null for kind `card`. */
    total: v.nullable(MoneySchema),
    /** Masked card number, such as `424242......4242`; null when it is not known. */
    maskedCard: v.nullable(v.string()),
    /** When the proxy learned it, RFC 3339 UTC. */
    completedAt: TimestampSchema,
  }),
  { description: 'What the proxy verified with the payment service.' },
);

/** What the proxy verified with the payment service. Money is null for kind `card`. @interface */
export type CheckoutReceipt = v.InferOutput<typeof CheckoutReceiptSchema>;

/** Why a guest's last attempt ended without money, or is unknown. */
export const GuestErrorSchema = component(
  'GuestError',
  v.strictObject({
    /** Stable code. `declined`, `upstream_failed`, `canceled_by_guest`: no money moved. With any other, money may have moved. */
    code: CheckoutErrorCodeSchema,
  }),
  {
    description: 'Why a guest’s last attempt ended without money, or is unknown.',
  },
);

const view = v.strictObject({
  /** `cs_…`. */
  id: idOf('cs'),
  /** `payment`, or `card`: a card that is to be stored. */
  kind: CheckoutKindSchema,
  /** State of the session. `unknown` means that money may have moved; it is never a failure. */
  status: CheckoutStatusSchema,
  /** False while another outcome can still arrive. */
  final: v.boolean(),
  /** Grows by one with each version. */
  seq: SeqSchema,
  /** Version of what is shown here: amount, surcharge and description. A start names it. */
  terms: SeqSchema,
  /**
   * Whether the guest came back from the hosted page as after paying, and may have paid; opening the page again does not change
   * this. It proves nothing, but `status` is `pending` meanwhile: for a day after the attempt was abandoned or its guest came
   * back, and until 15 minutes after the return once it was canceled or failed. Offer nothing that looks like paying again.
   */
  returned: v.boolean(),
  /** False for a property on a test service. */
  livemode: v.boolean(),
  /** Amount to pay; null for kind `card`. */
  amount: v.nullable(MoneySchema),
  /** Whether the payment service may add a surcharge. */
  surcharge: v.boolean(),
  /** Name of the hotel, for the guest. */
  hotelName: v.string(),
  /** Brands of cards that the hotel says it accepts; empty when it says nothing. */
  acceptedBrands: v.array(openPicklist(CARD_BRANDS)),
  /** Reservation reference; empty once it was redacted. */
  reference: v.string(),
  /** What it is for, in the hotel's words; null when it has none, and once it was redacted. */
  description: v.nullable(v.string()),
  /** What was paid or stored; null until the session has succeeded. */
  receipt: v.nullable(CheckoutReceiptSchema),
  /** Why the last attempt ended without money, or is unknown; null otherwise. */
  error: v.nullable(GuestErrorSchema),
  /** Until when it can be started, RFC 3339 UTC. */
  expiresAt: TimestampSchema,
  /** When to ask again, in milliseconds; null when there is nothing to wait for: while the session is open, and once it is final. */
  nextPollMs: v.nullable(CountSchema),
});

const EXAMPLE: v.InferOutput<typeof view> = {
  id: 'cs_01JZ8M4Q9T6V2X3Y5A7B8C9D0E',
  kind: 'payment',
  status: 'pending',
  final: false,
  seq: 2,
  terms: 1,
  returned: true,
  livemode: true,
  amount: { value: 12_000, currency: 'EUR' },
  surcharge: true,
  hotelName: 'Hotel Aurora',
  acceptedBrands: ['visa', 'mastercard'],
  reference: 'RES-1234',
  description: 'Lake Room, 2 nights',
  receipt: null,
  error: null,
  expiresAt: '2026-09-01T10:30:00.000Z',
  nextPollMs: 2_000,
};

/** Answer of `GET /v1/checkout`. */
export const CheckoutViewSchema = component('CheckoutView', view, {
  description: 'What a guest sees.',
  example: EXAMPLE,
});

/** A checkout session as its guest sees it. @interface */
export type CheckoutView = v.InferOutput<typeof CheckoutViewSchema>;

/** Body of `POST /v1/checkout/start`. */
export const StartCheckoutSchema = component(
  'StartCheckout',
  v.strictObject({
    /** How the hosted page is shown: in place of this page, or in a tab of its own. */
    presentation: v.picklist(CHECKOUT_PRESENTATIONS),
    /** The `terms` of the view that the guest was shown. If they have changed, the answer is 409 `terms_changed`. */
    terms: SeqSchema,
  }),
  {
    description: 'How the hosted page is shown, and which terms the guest was shown.',
    example: { presentation: 'redirect', terms: 1 },
  },
);

/** Request of a start. @interface */
export type StartCheckout = v.InferInput<typeof StartCheckoutSchema>;

/** Answer of `POST /v1/checkout/start`. */
export const StartedCheckoutSchema = component(
  'StartedCheckout',
  v.strictObject({
    ...view.entries,
    /** Address of the hosted page. Open it as a top-level page, never in a frame. */
    viewUrl: v.pipe(v.string(), v.url()),
  }),
  {
    description: 'What a guest sees after a start, and where to go.',
    example: { ...EXAMPLE, viewUrl: 'https://pay.example/hosted/4f1c' },
  },
);

/** Answer to a start: the view and where to send the guest. @interface */
export type StartedCheckout = v.InferOutput<typeof StartedCheckoutSchema>;
