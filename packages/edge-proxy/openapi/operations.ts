/** What every route is for, in words: the part of the API's description that no schema holds. */
import type { GenericSchema } from 'valibot';
import type { ProblemCode } from '../src/problem.ts';
import {
  CreateCheckoutSessionSchema,
  CreateClientSecretSchema,
  EmptySchema,
  ListCheckoutSessionsSchema,
  ListEventsSchema,
  ResolveCheckoutSessionSchema,
  StartCheckoutSchema,
} from '../src/routes/session-schemas.ts';

/** One operation of the description. */
export interface Operation {
  readonly method: 'GET' | 'POST';
  /** As the app mounts it. */
  readonly path: string;
  readonly id: string;
  readonly tag: 'Checkout sessions' | 'Guest' | 'Events' | 'Pages' | 'Service';
  readonly summary: string;
  readonly security: 'merchant' | 'guest' | 'none';
  readonly body?: { readonly schema: GenericSchema; readonly isOptional?: boolean };
  readonly query?: GenericSchema;
  readonly isIdempotent?: boolean;
  /** Status and name of the success schema; null where the answer is a page or a redirect. */
  readonly success: {
    readonly status: number;
    readonly description: string;
    readonly schema?: string;
    readonly type?: string;
  };
  readonly problems: readonly ProblemCode[];
}

const MERCHANT: readonly ProblemCode[] = ['unauthorized', 'forbidden', 'rate_limited', 'property_unavailable'];
const GUEST: readonly ProblemCode[] = ['unauthorized', 'forbidden', 'rate_limited', 'property_unavailable'];
const BODY: readonly ProblemCode[] = ['invalid_request', 'payload_too_large', 'unsupported_media_type'];
const session = { status: 200, description: 'The session', schema: 'CheckoutSession' } as const;

/** In the order of the document. */
export const OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: '/v1/checkout-sessions',
    id: 'createCheckoutSession',
    tag: 'Checkout sessions',
    summary: 'Fix what a guest is to pay, or that a card is to be stored',
    security: 'merchant',
    body: { schema: CreateCheckoutSessionSchema },
    isIdempotent: true,
    success: {
      status: 201,
      description: 'The new session, or the one an earlier call with the key made',
      schema: 'CreatedCheckoutSession',
    },
    problems: [...BODY, ...MERCHANT, 'idempotency_mismatch'],
  },
  {
    method: 'GET',
    path: '/v1/checkout-sessions',
    id: 'listCheckoutSessions',
    tag: 'Checkout sessions',
    summary: 'List sessions, newest first; eventually consistent',
    security: 'merchant',
    query: ListCheckoutSessionsSchema,
    success: { status: 200, description: 'A page', schema: 'CheckoutSessionList' },
    problems: ['invalid_request', ...MERCHANT],
  },
  {
    method: 'GET',
    path: '/v1/checkout-sessions/:id',
    id: 'retrieveCheckoutSession',
    tag: 'Checkout sessions',
    summary: 'Read a session',
    security: 'merchant',
    success: session,
    problems: [...MERCHANT, 'not_found'],
  },
  {
    method: 'POST',
    path: '/v1/checkout-sessions/:id/expire',
    id: 'expireCheckoutSession',
    tag: 'Checkout sessions',
    summary: 'End a session that nobody has started',
    security: 'merchant',
    body: { schema: EmptySchema, isOptional: true },
    success: session,
    problems: [...BODY, ...MERCHANT, 'not_found', 'session_not_open', 'payment_in_progress'],
  },
  {
    method: 'POST',
    path: '/v1/checkout-sessions/:id/refresh',
    id: 'refreshCheckoutSession',
    tag: 'Checkout sessions',
    summary: 'Look at the payment service now; answers after two seconds at most',
    security: 'merchant',
    body: { schema: EmptySchema, isOptional: true },
    success: session,
    problems: [...BODY, ...MERCHANT, 'not_found'],
  },
  {
    method: 'POST',
    path: '/v1/checkout-sessions/:id/resolve',
    id: 'resolveCheckoutSession',
    tag: 'Checkout sessions',
    summary: 'End an unknown outcome with evidence',
    security: 'merchant',
    body: { schema: ResolveCheckoutSessionSchema },
    success: session,
    problems: [...BODY, ...MERCHANT, 'not_found', 'not_resolvable'],
  },
  {
    method: 'POST',
    path: '/v1/checkout-sessions/:id/client-secret',
    id: 'createClientSecret',
    tag: 'Checkout sessions',
    summary: 'Make a client secret for a return page or another device; five live at once, the oldest goes',
    security: 'merchant',
    body: { schema: CreateClientSecretSchema, isOptional: true },
    success: { status: 200, description: 'The secret, shown once', schema: 'ClientSecret' },
    problems: [...BODY, ...MERCHANT, 'not_found'],
  },
  {
    method: 'POST',
    path: '/v1/checkout-sessions/:id/link',
    id: 'createPaymentLink',
    tag: 'Checkout sessions',
    summary: 'Make an address and a QR code that pay this session',
    security: 'merchant',
    body: { schema: EmptySchema, isOptional: true },
    success: { status: 200, description: 'The link', schema: 'PaymentLink' },
    problems: [...BODY, ...MERCHANT, 'not_found', 'session_not_open'],
  },
  {
    method: 'GET',
    path: '/v1/checkout',
    id: 'readCheckout',
    tag: 'Guest',
    summary: 'Read the session of a client secret',
    security: 'guest',
    success: { status: 200, description: 'What the guest may know', schema: 'CheckoutView' },
    problems: GUEST,
  },
  {
    method: 'POST',
    path: '/v1/checkout/start',
    id: 'startCheckout',
    tag: 'Guest',
    summary: 'Open the hosted page, or the same page again while the payment is pending',
    security: 'guest',
    body: { schema: StartCheckoutSchema },
    success: { status: 200, description: 'The session and where to send the guest', schema: 'StartedCheckout' },
    problems: [...BODY, ...GUEST, 'session_not_open', 'upstream_error', 'upstream_rejected', 'upstream_timeout'],
  },
  {
    method: 'GET',
    path: '/v1/events',
    id: 'listEvents',
    tag: 'Events',
    summary: 'Read the feed after a position, oldest first',
    security: 'merchant',
    query: ListEventsSchema,
    success: {
      status: 200,
      description: 'A page; `nextAfter` repeats `after` when nothing is new',
      schema: 'EventList',
    },
    problems: ['invalid_request', ...MERCHANT],
  },
  {
    method: 'POST',
    path: '/v1/events/:id/redeliver',
    id: 'redeliverEvent',
    tag: 'Events',
    summary: 'Send an event to every webhook again',
    security: 'merchant',
    body: { schema: EmptySchema, isOptional: true },
    success: { status: 202, description: 'The event, on its way', schema: 'Event' },
    problems: [...BODY, ...MERCHANT, 'not_found'],
  },
  {
    method: 'GET',
    path: '/return/:sessionId/:nonce/:outcome{success|abort}',
    id: 'returnFromHostedPage',
    tag: 'Pages',
    summary: 'Where the hosted page sends the guest back to; a hint to look now, and no proof',
    security: 'none',
    success: {
      status: 200,
      description: 'The result page; 303 to the return address in the redirect flow',
      type: 'text/html',
    },
    problems: [],
  },
  {
    method: 'POST',
    path: '/return/:sessionId/:nonce/:outcome{success|abort}',
    id: 'returnFromHostedPageByPost',
    tag: 'Pages',
    summary: 'The same by form post; the body is not read',
    security: 'none',
    success: {
      status: 200,
      description: 'The result page; 303 to the return address in the redirect flow',
      type: 'text/html',
    },
    problems: [],
  },
  {
    method: 'GET',
    path: '/pay/:linkId',
    id: 'showPaymentLink',
    tag: 'Pages',
    summary: 'A payment link’s page',
    security: 'none',
    success: { status: 200, description: 'The page', type: 'text/html' },
    problems: [],
  },
  {
    method: 'POST',
    path: '/pay/:linkId',
    id: 'startPaymentLink',
    tag: 'Pages',
    summary: 'Start from a payment link',
    security: 'none',
    success: { status: 303, description: 'To the hosted page' },
    problems: ['forbidden', 'rate_limited'],
  },
  {
    method: 'GET',
    path: '/pay/:linkId/qr.svg',
    id: 'showPaymentLinkCode',
    tag: 'Pages',
    summary: 'A payment link’s QR code',
    security: 'none',
    success: { status: 200, description: 'The code', type: 'image/svg+xml' },
    problems: [],
  },
  {
    method: 'GET',
    path: '/openapi.json',
    id: 'showOpenApiDocument',
    tag: 'Service',
    summary: 'This document',
    security: 'none',
    success: { status: 200, description: 'OpenAPI 3.1', type: 'application/json' },
    problems: ['method_not_allowed'],
  },
  {
    method: 'GET',
    path: '/pages.css',
    id: 'showPageStyle',
    tag: 'Service',
    summary: 'The style sheet of the pages',
    security: 'none',
    success: { status: 200, description: 'The sheet', type: 'text/css' },
    problems: ['method_not_allowed'],
  },
  {
    method: 'GET',
    path: '/healthz',
    id: 'health',
    tag: 'Service',
    summary: 'Whether the proxy runs',
    security: 'none',
    success: { status: 200, description: 'It runs', schema: 'Health' },
    problems: ['method_not_allowed'],
  },
];
