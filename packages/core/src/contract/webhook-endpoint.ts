import * as v from 'valibot';
import { component } from './component.ts';
import { CountSchema, SeqSchema, TimestampSchema } from './fields.ts';

/** States of a webhook endpoint. */
export const WEBHOOK_ENDPOINT_STATUSES = ['active', 'paused', 'disabled', 'removed'] as const;

/** State of a webhook endpoint. */
export const WebhookEndpointStatusSchema = component('WebhookEndpointStatus', v.picklist(WEBHOOK_ENDPOINT_STATUSES), {
  description:
    '`paused` after repeated failure: one event at a time tests whether it is back. `disabled` after 410, until an event is redelivered. `removed` appears in events only.',
});

/** How a webhook endpoint is doing. */
export const WebhookEndpointSchema = component(
  'WebhookEndpoint',
  v.object({
    /** Kind of resource. */
    object: v.literal('webhook_endpoint'),
    /** A hash of its address. */
    id: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
    /** Host of its address; the rest may hold secrets. */
    host: v.string(),
    /** Id of the platform whose endpoint it is; absent for the hotel's own. */
    platform: v.exactOptional(v.string()),
    /**
     * `paused` after repeated failure: one event at a time tests whether it is back. `disabled` after 410, until an event is
     * redelivered. `removed` appears in events only.
     */
    status: WebhookEndpointStatusSchema,
    /** How many events wait for it. */
    waiting: CountSchema,
    /** Position of the first of them; null when there is none. */
    firstWaitingSeq: v.nullable(SeqSchema),
    /** Position of the last of them; null when there is none. */
    lastWaitingSeq: v.nullable(SeqSchema),
    /** How many events were given up: after their last attempt, or because they waited until the feed deleted them, after 90 days. */
    givenUp: CountSchema,
    /** When it last accepted an event; null: never. */
    lastSuccessAt: v.nullable(TimestampSchema),
    /** When it last did not accept one; null: never. */
    lastFailureAt: v.nullable(TimestampSchema),
    /** HTTP status that it answered then; null when it did not answer. */
    lastFailureStatus: v.nullable(v.pipe(v.number(), v.integer())),
    /** Since when it is paused; null when it is not. */
    pausedSince: v.nullable(TimestampSchema),
    /** When it answered 410; null when it is not disabled. */
    disabledSince: v.nullable(TimestampSchema),
    /** When the next event is sent to it; null while there is nothing to send. */
    nextAttemptAt: v.nullable(TimestampSchema),
  }),
  { description: 'How a webhook endpoint is doing. `removed` appears in events only.' },
);

/** How a webhook endpoint of the property is doing. @interface */
export type WebhookEndpoint = v.InferOutput<typeof WebhookEndpointSchema>;

/** Answer of `GET /v1/webhook-endpoints`. */
export const WebhookEndpointListSchema = component(
  'WebhookEndpointList',
  v.object({
    /** Kind of answer. */
    object: v.literal('list'),
    /** Every endpoint of the configuration, and those of platforms that the hotel belongs to. */
    data: v.array(WebhookEndpointSchema),
  }),
  {
    description: 'All webhook endpoints of a property.',
    example: {
      object: 'list',
      data: [
        {
          object: 'webhook_endpoint',
          id: '0123456789abcdef0123456789abcdef',
          host: 'hotel.example',
          status: 'active',
          waiting: 0,
          firstWaitingSeq: null,
          lastWaitingSeq: null,
          givenUp: 0,
          lastSuccessAt: '2026-09-02T08:00:02.000Z',
          lastFailureAt: null,
          lastFailureStatus: null,
          pausedSince: null,
          disabledSince: null,
          nextAttemptAt: null,
        },
      ],
    },
  },
);

/** All webhook endpoints of a property. @interface */
export type WebhookEndpointList = v.InferOutput<typeof WebhookEndpointListSchema>;
