/** Checkout sessions: what the hotel calls, and what the guest calls. */
import {
  CheckoutSessionListSchema,
  CheckoutSessionSchema,
  CheckoutViewSchema,
  ClientSecretSchema,
  CreatedCheckoutSessionSchema,
  PaymentLinkSchema,
  StartedCheckoutSchema,
} from '@innkeep/core/contract';
import type { OperationTexts } from '../operation-text.ts';

const one = { 200: { description: 'The session', schema: CheckoutSessionSchema } };
/** Nobody has paid it. */
const unpaid = { startedAt: null, completedAt: null, result: null, attempts: [], reversed: null, reversing: null };
const ended = { endedAt: '2026-09-01T10:20:00.000Z', endedBy: { key: 'web', person: null, via: 'key' } };
const expired = { ...one[200], example: { ...unpaid, status: 'expired', seq: 2, ...ended } };
const open = { ...one[200], example: { ...unpaid, status: 'open', final: false, seq: 1 } };

const REDACTED = {
  seq: 4,
  reference: null,
  description: null,
  returnUrl: null,
  redactedAt: '2026-12-01T08:00:00.000Z',
};

const BODY = {
  kind: 'payment',
  amount: { value: 12_000, currency: 'EUR' },
  reference: 'RES-1234',
  description: '2 nights',
  returnUrl: 'https://hotel.example/booking/1234',
};

export const CHECKOUT_SESSIONS: OperationTexts = {
  createCheckoutSession: {
    summary: 'Create a checkout session',
    description:
      'Hand the client secret to the guest’s page and keep the id with the booking. With an `Idempotency-Key`, a lost call can be repeated. A desk session is shown no client secret.',
    answers: {
      201: {
        description:
          'The new session, or the one an earlier call with the key made; for a desk session without `clientSecret`',
        schema: CreatedCheckoutSessionSchema,
        headers: ['Location', 'idempotent-replayed'],
      },
    },
    problems: ['idempotency_mismatch'],
    example: BODY,
  },
  listCheckoutSessions: {
    summary: 'List checkout sessions, newest first',
    description:
      'The list is eventually consistent. The session of an idempotency key is not: read it by its key. A session that has just changed may still be listed as it was: read it by its id where that matters.',
    answers: { 200: { description: 'A page', schema: CheckoutSessionListSchema } },
  },
  retrieveCheckoutSession: {
    summary: 'Retrieve a checkout session',
    description: 'The session as it is now, with a stored card’s token if the key has the scope `tokens`.',
    answers: one,
    problems: ['not_found'],
  },
  expireCheckoutSession: {
    summary: 'Expire a checkout session that nobody is paying',
    description:
      'No money moves. It asks once more about abandoned attempts, and is refused if one was paid. While a guest is paying it is refused: wait for the outcome. If the session is reopened later, it has another client secret and other links.',
    answers: { 200: expired },
    problems: ['not_found', 'session_not_open', 'payment_in_progress'],
  },
  refreshCheckoutSession: {
    summary: 'Refresh a checkout session from the payment service',
    description:
      'For a person who is waiting: the answer comes within two seconds. The proxy also polls by itself, whether or not anybody asks.',
    answers: one,
    problems: ['not_found'],
  },
  createClientSecret: {
    summary: 'Retrieve or rotate the client secret of a checkout session',
    description:
      'The same secret that creating the session returned, for every page and device, until `rotate` ends it. Whoever has it can read and start the session, and nothing else. Never put it into an address.',
    answers: {
      200: {
        description: 'The secret that is live; a repeated `rotate` with the same key ends nothing more',
        schema: ClientSecretSchema,
        headers: ['idempotent-replayed'],
      },
    },
    problems: ['not_found'],
    example: { rotate: true },
  },
  createPaymentLink: {
    summary: 'Create a payment link, with a QR code',
    description: 'Whoever has the link can pay, until the session expires or the link is revoked.',
    answers: {
      200: {
        description: 'The link; the same one for the same key of the same caller, even once it was revoked',
        schema: PaymentLinkSchema,
        headers: ['idempotent-replayed'],
      },
    },
    problems: ['not_found', 'session_not_open'],
  },
  revokePaymentLinks: {
    summary: 'Revoke every payment link of a checkout session',
    description:
      'Their pages answer 404 from then on; the session stays as it is and can have new links. A hosted page that is open already can still be paid.',
    answers: { 200: open },
    problems: ['not_found'],
  },
  ensureCheckoutSession: {
    summary: 'Create or update the one checkout session of a booking',
    description:
      'Call it whenever the booking’s page is shown. The same key always has the same session, with the same client secret until you expire it. A new amount or text applies to the next attempt, never to a guest who is paying; meanwhile `outdated` is true. An expired session is reopened.',
    answers: {
      201: { description: 'The new session', schema: CreatedCheckoutSessionSchema, headers: ['Location'] },
      200: { description: 'The session as it is now', schema: CreatedCheckoutSessionSchema },
    },
    problems: ['idempotency_mismatch', 'too_many_attempts', 'key_used'],
    example: BODY,
  },
  retrieveCheckoutSessionByKey: {
    summary: 'Retrieve the checkout session of a key',
    description: 'The session as it is now, as if it were read by its id.',
    answers: one,
    problems: ['not_found'],
  },
  resolveCheckoutSession: {
    summary: 'Resolve an attempt whose outcome is not certain',
    description:
      'For an attempt that somebody has looked up: an `unknown` or abandoned one can be resolved either way; a declined, canceled or failed one only as `succeeded`. It moves no money. `succeeded` cannot be undone; what was resolved as failed can still be resolved as `succeeded`, and `resolution` is then the later one.',
    answers: { 200: { description: 'The session', schema: CheckoutSessionSchema } },
    problems: ['not_found', 'not_resolvable'],
    example: { status: 'succeeded', evidence: 'Settlement report, line 14', transactionId: '4711' },
  },
  redactCheckoutSession: {
    summary: 'Redact a checkout session: personal data and the token of a stored card',
    description:
      'For a session that is final. Its reference, description, return address, metadata, masked card, evidence and error texts are removed from every answer, list, export and event, waiting webhooks included. Amounts, ids, states and times stay. Its reversals are redacted with it. What arrives later is reported, but kept without words; the money can still be refunded. Repeating it changes nothing.',
    answers: { 200: { ...one[200], example: REDACTED } },
    problems: ['not_found', 'not_final'],
  },
  readCheckout: {
    summary: 'Retrieve the checkout session of a client secret',
    description: 'Ask again after `nextPollMs` milliseconds, unless it is null.',
    answers: { 200: { description: 'What the guest may know', schema: CheckoutViewSchema } },
  },
  startCheckout: {
    summary: 'Start an attempt, or reopen the hosted page of a pending one',
    description:
      'Name the `terms` that the guest was shown. Before an attempt begins, the payment service is asked how the last one ended, so that nobody pays twice. Open `viewUrl` as a top-level page, never in a frame.',
    answers: { 200: { description: 'The session and where to send the guest', schema: StartedCheckoutSchema } },
    problems: [
      'session_not_open',
      'terms_changed',
      'too_many_attempts',
      'upstream_error',
      'upstream_rejected',
      'upstream_timeout',
      'upstream_unavailable',
    ],
    example: { presentation: 'redirect', terms: 1 },
  },
};
