/** An answer worth reading for each component, by its name. A test sends each through the component's schema. */
import { type ProblemCode, ProblemError, toProblemDocument } from '../src/problem.ts';

const SESSION = {
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
  result: {
    total: { value: 12_180, currency: 'EUR' },
    base: { value: 12_000, currency: 'EUR' },
    surcharge: { amount: { value: 180, currency: 'EUR' }, percent: 1.5 },
    transactionId: '4711',
    paymentObjectId: '815',
    maskedCard: '424242******4242',
  },
  error: null,
  reversed: { value: 0, currency: 'EUR' },
  reversing: { value: 0, currency: 'EUR' },
};

const NEW_SESSION = {
  ...SESSION,
  status: 'open',
  final: false,
  seq: 1,
  startedAt: null,
  completedAt: null,
  result: null,
  reversed: null,
  reversing: null,
};

const CHARGE = {
  object: 'charge',
  id: 'ch_01JZ8M4Q9T6V2X3Y5A7B8C9D0E',
  property: 'aurora',
  livemode: true,
  status: 'succeeded',
  final: true,
  seq: 3,
  amount: { value: 12_000, currency: 'EUR' },
  transactionId: '4712',
  error: null,
  createdAt: '2026-09-02T08:00:00.000Z',
  completedAt: '2026-09-02T08:00:01.000Z',
  reference: 'RES-1234',
  reason: 'no_show',
  maskedCard: '424242******4242',
  reversed: { value: 0, currency: 'EUR' },
  reversing: { value: 0, currency: 'EUR' },
};

const REVERSAL = {
  object: 'reversal',
  id: 'rv_01JZ8M4Q9T6V2X3Y5A7B8C9D0E',
  property: 'aurora',
  livemode: true,
  status: 'succeeded',
  final: true,
  seq: 3,
  amount: { value: 2000, currency: 'EUR' },
  transactionId: '4713',
  error: null,
  createdAt: '2026-09-03T08:00:00.000Z',
  completedAt: '2026-09-03T08:00:01.000Z',
  payment: CHARGE.id,
};

const EVENT = {
  id: 'ev_01JZ8M4Q9T6V2X3Y5A7B8C9D0E',
  type: 'charge.succeeded',
  timestamp: '2026-09-02T08:00:01.000Z',
  seq: 42,
  data: { object: CHARGE },
};

const WEBHOOK_ENDPOINT = {
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
};

const VIEW = {
  id: SESSION.id,
  kind: 'payment',
  status: 'pending',
  final: false,
  seq: 2,
  livemode: true,
  amount: SESSION.amount,
  surcharge: true,
  hotelName: 'Hotel Aurora',
  reference: SESSION.reference,
  description: SESSION.description,
  receipt: null,
  error: null,
  expiresAt: SESSION.expiresAt,
  nextPollMs: 2000,
};

/** Examples by component. */
export const EXAMPLES: Readonly<Record<string, unknown>> = {
  CheckoutSession: SESSION,
  CreatedCheckoutSession: { ...NEW_SESSION, clientSecret: 'cs_…' },
  CheckoutSessionList: { object: 'list', data: [SESSION], nextCursor: null },
  ClientSecret: { clientSecret: 'cs_…' },
  PaymentLink: {
    url: 'https://pay.hotel.example/pay/cs_…',
    qrUrl: 'https://pay.hotel.example/pay/cs_…/qr.svg',
    expiresAt: '2026-09-01T10:30:00.000Z',
  },
  Charge: CHARGE,
  ChargeList: { object: 'list', data: [CHARGE], nextCursor: null },
  Reversal: REVERSAL,
  ReversalList: { object: 'list', data: [REVERSAL], nextCursor: null },
  Event: EVENT,
  EventList: { object: 'list', data: [EVENT], nextAfter: 42 },
  WebhookEndpointList: { object: 'list', data: [WEBHOOK_ENDPOINT] },
  CheckoutView: VIEW,
  StartedCheckout: { ...VIEW, viewUrl: 'https://pay.example/hosted/4f1c' },
  Health: { status: 'ok', version: '1.0.0' },
  Card: {
    token: 'the token of the stored card',
    tokenExpiry: '2030-12-31',
    maskedCard: '424242******4242',
    cardType: 'VISA',
    cardTypeCode: 'VI',
  },
};

/** What a failure with a code looks like. */
export function problemExample(code: ProblemCode): unknown {
  const error = new ProblemError(code, { detail: 'One sentence on what happened in this case.' });
  return toProblemDocument(error, '01JZ8M4Q9T6V2X3Y5A7B8C9D0E');
}
