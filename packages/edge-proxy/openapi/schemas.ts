/** Schemas of what the proxy answers, for its description and for tests. They are in no bundle. */
import {
  CheckoutViewSchema as CoreCheckoutViewSchema,
  StartedCheckoutSchema as CoreStartedCheckoutSchema,
} from '@innkeep/core/contract';
import * as v from 'valibot';
import { Money, Seq, SessionResolution, Timestamp } from './common-schemas.ts';
import { Charge, Reversal } from './money-schemas.ts';

const Status = v.picklist(['open', 'pending', 'succeeded', 'failed', 'canceled', 'expired', 'unknown']);
const Kind = v.picklist(['payment', 'card']);
const ErrorCode = v.picklist([
  'upstream_failed',
  'canceled_by_guest',
  'amount_mismatch',
  'amount_unit_mismatch',
  'record_mismatch',
  'record_unreadable',
]);
const Surcharge = v.strictObject({ amount: Money, percent: v.number() });

const PaymentResult = v.strictObject({
  total: Money,
  base: Money,
  surcharge: v.nullable(Surcharge),
  transactionId: v.nullable(v.string()),
  paymentObjectId: v.nullable(v.string()),
  maskedCard: v.nullable(v.string()),
});

const CardResult = v.strictObject({
  token: v.optional(v.nullable(v.string())),
  tokenValidUntil: v.nullable(v.string()),
  tokenObjectId: v.nullable(v.string()),
  transactionId: v.nullable(v.string()),
  maskedCard: v.nullable(v.string()),
});

const Recorded = v.pipe(
  v.strictObject({
    amount: v.nullable(Money),
    base: v.nullable(Money),
    surcharge: v.nullable(Surcharge),
    wireAmount: v.nullable(v.number()),
    currency: v.nullable(v.string()),
    transactionId: v.nullable(v.string()),
    paymentObjectId: v.nullable(v.string()),
    maskedCard: v.nullable(v.string()),
    returnCode: v.nullable(v.string()),
  }),
  v.description(
    'What the payment service’s record said that contradicts what was asked. For staff; it proves nothing.',
  ),
);

const sessionEntries = {
  object: v.literal('checkout_session'),
  id: v.pipe(v.string(), v.regex(/^cs_[0-9A-HJKMNP-TV-Z]{26}$/)),
  property: v.string(),
  kind: Kind,
  status: Status,
  final: v.boolean(),
  seq: Seq,
  amount: v.nullable(Money),
  reference: v.string(),
  description: v.nullable(v.string()),
  surcharge: v.boolean(),
  returnUrl: v.nullable(v.string()),
  metadata: v.record(v.string(), v.string()),
  livemode: v.boolean(),
  previous: v.nullable(v.string()),
  createdAt: Timestamp,
  startedAt: v.nullable(Timestamp),
  completedAt: v.nullable(Timestamp),
  expiresAt: Timestamp,
  late: v.optional(
    v.pipe(v.boolean(), v.description('Succeeded after it had been told as failed, canceled or expired.')),
  ),
  result: v.nullable(v.union([PaymentResult, CardResult])),
  error: v.nullable(v.strictObject({ code: ErrorCode, message: v.string() })),
  recorded: v.optional(v.nullable(Recorded)),
  reversed: v.nullable(Money),
  reversing: v.nullable(Money),
  resolution: v.optional(SessionResolution),
};

/** A session as its merchant sees it. */
export const CheckoutSession = v.pipe(v.strictObject(sessionEntries), v.description('A checkout session.'));

/** A session just made. */
export const CreatedCheckoutSession = v.pipe(
  v.strictObject({ ...sessionEntries, clientSecret: v.optional(v.string()) }),
  v.description('A new session. `clientSecret` is shown once; a replay has none.'),
);

/** A page of sessions. */
export const CheckoutSessionList = v.strictObject({
  object: v.literal('list'),
  data: v.array(CheckoutSession),
  nextCursor: v.nullable(v.string()),
});

/** A new client secret. */
export const ClientSecret = v.strictObject({
  clientSecret: v.pipe(v.string(), v.description('For the guest’s page. Never in an address, never in a log.')),
});

/** A payment link. */
export const PaymentLink = v.strictObject({
  url: v.pipe(v.string(), v.description('The page that pays the session. Whoever has it can pay.')),
  qrUrl: v.pipe(v.string(), v.description('The same address as a QR code, SVG.')),
  expiresAt: v.pipe(Timestamp, v.description('Until when it can be paid.')),
});

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** How a webhook endpoint is doing. */
const WebhookEndpoint = v.pipe(
  v.strictObject({
    object: v.literal('webhook_endpoint'),
    id: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
    host: v.string(),
    status: v.picklist(['active', 'paused', 'disabled', 'removed']),
    waiting: Count,
    firstWaitingSeq: v.nullable(Seq),
    lastWaitingSeq: v.nullable(Seq),
    givenUp: Count,
    lastSuccessAt: v.nullable(Timestamp),
    lastFailureAt: v.nullable(Timestamp),
    lastFailureStatus: v.nullable(v.pipe(v.number(), v.integer())),
    pausedSince: v.nullable(Timestamp),
    disabledSince: v.nullable(Timestamp),
    nextAttemptAt: v.nullable(Timestamp),
  }),
  v.description('How a webhook endpoint is doing. `removed` is in events alone.'),
);

/** All endpoints of a property. */
export const WebhookEndpointList = v.strictObject({
  object: v.pipe(v.literal('list'), v.description('Kind of answer.')),
  data: v.pipe(v.array(WebhookEndpoint), v.description('Every endpoint of the configuration.')),
});

/** One event of the feed and of webhooks. */
export const Event = v.pipe(
  v.strictObject({
    id: v.pipe(v.string(), v.regex(/^ev_[0-9A-HJKMNP-TV-Z]{26}$/)),
    type: v.picklist([
      'checkout.succeeded',
      'checkout.failed',
      'checkout.canceled',
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
      'webhook_endpoint.disabled',
      'webhook_endpoint.removed',
    ]),
    timestamp: Timestamp,
    seq: Seq,
    data: v.strictObject({
      object: v.union([CheckoutSession, Charge, Reversal, WebhookEndpoint]),
      duplicate: v.optional(v.strictObject({ payments: v.array(v.string()), remedy: v.string() })),
    }),
  }),
  v.description('Something that happened. `seq` is its place in the feed: 1, 2, 3 … without gaps.'),
);

/** A page of the feed. */
export const EventList = v.strictObject({
  object: v.literal('list'),
  data: v.array(Event),
  nextAfter: v.pipe(v.number(), v.integer(), v.minValue(0)),
});

/** What a guest sees. */
export const CheckoutView = CoreCheckoutViewSchema;

/** What a guest sees after a start. */
export const StartedCheckout = CoreStartedCheckoutSchema;

/** Every failure. */
export const Problem = v.pipe(
  v.strictObject({
    type: v.string(),
    title: v.string(),
    status: v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(599)),
    code: v.string(),
    detail: v.string(),
    param: v.optional(v.string()),
    resource: v.optional(v.string()),
    upstreamStatus: v.optional(
      v.pipe(v.number(), v.description('HTTP status that the gateway answered with, when that is what failed.')),
    ),
    traceId: v.string(),
  }),
  v.description('What went wrong (RFC 9457). `code` is stable, `param` the field to blame.'),
);

/** The health check's answer. */
export const Health = v.strictObject({
  status: v.pipe(v.literal('ok'), v.description('Always this, when there is an answer.')),
  version: v.pipe(v.string(), v.description('Version of the proxy.')),
});
