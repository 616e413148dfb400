/** An event of the feed, which is also what a webhook delivers. */
import * as v from 'valibot';
import { CHARGE_EXAMPLE, type Charge, ChargeSchema } from './charge.ts';
import { type CheckoutSession, CheckoutSessionSchema } from './checkout-session.ts';
import { component, openPicklist } from './component.ts';
import { idOf, SeqSchema, TimestampSchema } from './fields.ts';
import { feedOf, LimitSchema, numberIn } from './list.ts';
import { PropertyIdSchema } from './platform.ts';
import { type Reversal, ReversalSchema } from './reversal.ts';
import { type WebhookEndpoint, WebhookEndpointSchema } from './webhook-endpoint.ts';

/** Kinds of events that the proxy sends. */
export const WEBHOOK_EVENT_TYPES = [
  'checkout.succeeded',
  'checkout.attempt_failed',
  'checkout.expired',
  'checkout.unknown',
  'checkout.duplicate_payment',
  'charge.succeeded',
  'charge.declined',
  'charge.failed',
  'charge.unknown',
  'reversal.succeeded',
  'reversal.declined',
  'reversal.failed',
  'reversal.unknown',
  'payment.redacted',
  'webhook_endpoint.disabled',
  'webhook_endpoint.removed',
] as const;

/** Kind of an event that the proxy sends. */
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

const EXAMPLE = {
  property: 'aurora',
  id: 'ev_01JZ8M4Q9T6V2X3Y5A7B8C9D0E',
  type: 'charge.succeeded',
  timestamp: '2026-09-02T08:00:01.000Z',
  seq: 42,
  data: { object: CHARGE_EXAMPLE },
} as const;

/** An event of the feed and of webhooks. */
export const EventSchema = component(
  'Event',
  v.object({
    /** Id of the hotel whose event it is. */
    property: PropertyIdSchema,
    /** `ev_…`, the same for every delivery. */
    id: idOf('ev'),
    /**
     * What happened. Any `….unknown`: money may have moved, so alert a person. `checkout.expired`: release the booking once
     * `data.object.final` is true. `checkout.attempt_failed`: the guest can try again only while the session is `open`.
     * `checkout.duplicate_payment`: refund one of `data.duplicate` unless both are due. Kinds may be added: ignore the ones you do
     * not know.
     */
    type: openPicklist(WEBHOOK_EVENT_TYPES),
    /** When it happened, RFC 3339 UTC. */
    timestamp: TimestampSchema,
    /** Position in the property's feed: 1, 2, 3 … without gaps. */
    seq: SeqSchema,
    /** What the event is about. */
    data: v.object({
      /** The resource as a merchant sees it: tokens reduced to their last 4, no client secret. */
      object: v.variant('object', [CheckoutSessionSchema, ChargeSchema, ReversalSchema, WebhookEndpointSchema]),
      /** Only with `checkout.duplicate_payment`: two payments of one session or one reference, one of which is probably a duplicate. */
      duplicate: v.exactOptional(
        v.object({
          /** Both, the earlier one first. */
          payments: v.array(
            v.object({
              /** Id of the session, `cs_…`. */
              payment: idOf('cs'),
              /** Number of the attempt that was paid. */
              attempt: SeqSchema,
            }),
          ),
          /** How to refund one. */
          remedy: v.string(),
        }),
      ),
      /**
       * Only with `payment.redacted`: places in the hotel's feed of the earlier events whose words were erased with it. Erase them in
       * your copies, too.
       */
      redacted: v.exactOptional(v.array(SeqSchema)),
    }),
  }),
  {
    description: 'Something that happened. `seq` is its place in the feed of its hotel: 1, 2, 3 … without gaps.',
    example: EXAMPLE,
  },
);

type AnyEvent = v.InferOutput<typeof EventSchema>;

/** An event about one kind of resource. */
export interface EventAbout<Name extends string, Resource> extends Omit<AnyEvent, 'type' | 'data'> {
  /** What happened. */
  type: Extract<WebhookEventType, `${Name}.${string}`>;
  /** What the event is about. */
  data: Omit<AnyEvent['data'], 'object'> & {
    /** The resource as a merchant sees it: tokens reduced to their last 4, no client secret. */
    object: Resource;
  };
}

/**
 * An event of the proxy; its `type` says what `data.object` is. Types may be added: ignore the ones you do not know.
 * Deliveries may repeat and overtake each other: use `id` to drop repeats and `data.object.seq` to drop what is older than
 * what you have.
 */
export type WebhookEvent =
  | EventAbout<'checkout', CheckoutSession>
  | EventAbout<'charge', Charge>
  | EventAbout<'reversal', Reversal>
  | EventAbout<'payment', CheckoutSession | Charge | Reversal>
  | EventAbout<'webhook_endpoint', WebhookEndpoint>;

/** A stretch of the feed, oldest first. @interface */
export type EventPage<Event> = v.InferOutput<ReturnType<typeof feedOf<v.GenericSchema<Event>>>>;

/** Answer of `GET /v1/events`. */
export const EventListSchema = component('EventList', feedOf(EventSchema), {
  description: 'A stretch of the feed.',
  example: { object: 'list', data: [EXAMPLE], nextAfter: 42 },
});

const PLATFORM_EXAMPLE = { position: 1234, ...EXAMPLE } as const;

/** An event as the feed of a platform has it. */
export const PlatformEventSchema = component(
  'PlatformEvent',
  v.object({
    /** Place in the feed of the platform: 1, 2, 3 … Those of hotels that the key is not for are left out. */
    position: SeqSchema,
    ...EventSchema.entries,
  }),
  { description: 'An event, and its place in the feed of the platform.', example: PLATFORM_EXAMPLE },
);

/** An event of any hotel of a platform; `position` is its place in the feed of the platform. */
export type PlatformEvent = WebhookEvent & {
  /** Place in the feed of the platform: 1, 2, 3 … Those of hotels that the key is not for are left out. */
  position: number;
};

/** Answer of `GET /v1/platform/events`. */
export const PlatformEventListSchema = component('PlatformEventList', feedOf(PlatformEventSchema), {
  description: 'A stretch of the feed of a platform. It may be empty although more follow.',
  example: { object: 'list', data: [PLATFORM_EXAMPLE], nextAfter: 1234 },
});

/** Query of `GET /v1/events` and of `GET /v1/platform/events`. */
export const ListEventsSchema = v.strictObject({
  /** Only events after this position of the feed; 0 is the beginning. */
  after: v.optional(numberIn({ min: 0, max: 999_999_999_999_999, message: 'Must be a feed position' }), '0'),
  limit: LimitSchema,
});
