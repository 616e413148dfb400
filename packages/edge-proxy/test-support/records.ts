/** Records as the objects store them. */

import type { RecordedFigures } from '@innkeep/core/contract';
import type { ChargeRecord, ReversalRecord } from '../src/money/money-record.ts';
import type { Actor } from '../src/properties/actor.ts';
import type { HotelSnapshot } from '../src/properties/hotel-snapshot.ts';
import type { AttemptRecord, HostedRequestRecord, SessionResult, Terms } from '../src/sessions/attempt-record.ts';
import { NEW_WATCH } from '../src/sessions/attempt-watch.ts';
import { newRecord, type SessionRecord } from '../src/sessions/session-record.ts';
import { isFinalSession, sessionStatus } from '../src/sessions/session-status.ts';

/** When each of them was made. */
export const CREATED_AT = Date.parse('2026-06-01T12:00:00Z');

/** Who makes what the tests make, and how. */
export const ACTOR: Actor = {
  by: { key: 'web', person: null, via: 'key' },
  requestId: '0af7651916cd43dd8448eb211c80319c',
  network: null,
};

/** Settings of a hotel that a request keeps using. */
export const HOTEL: HotelSnapshot = {
  customerId: '1234',
  hotelID: '1',
  hotelIDType: 'TEST_PMS',
  user: 'web',
  timeZone: 'Europe/Vienna',
  amountUnit: 'minor',
  origin: 'https://pay.test',
};

/** An accepted init. */
export const HOSTED: HostedRequestRecord = {
  ...HOTEL,
  requestID: 'R-1',
  serviceProvider: 'TEST_HOSTED',
  stateRetrivalUrl: 'https://pay.test/api/1234/paystatus?requestid=R-1',
  viewUrl: 'https://view.test/payment?PD=1',
  nonceHash: 'nonce-hash',
};

/** What a guest is asked for. */
export const TERMS: Terms = {
  version: 1,
  amount: { value: 12_000, currency: 'EUR' },
  surcharge: true,
  description: '2 nights',
};

/** A payment session that nobody has started. */
export const OPEN_SESSION: SessionRecord = newRecord({
  id: 'cs_1',
  property: 'aurora',
  madeBy: ACTOR,
  hotelName: 'Hotel Aurora',
  acceptedBrands: ['visa', 'mastercard'],
  livemode: false,
  kind: 'payment',
  terms: TERMS,
  reference: 'RES-1',
  returnUrl: 'https://aurora.test/booking',
  metadata: { bookingId: '1' },
  createdAt: CREATED_AT,
  expiresAt: CREATED_AT + 3_600_000,
});

/** A first attempt, whose hosted page was opened ten seconds after the session was made. */
export const PENDING_ATTEMPT: AttemptRecord = {
  number: 1,
  status: 'pending',
  since: CREATED_AT + 10_000,
  terms: TERMS,
  presentation: 'tab',
  hosted: HOSTED,
  watch: NEW_WATCH,
  livemode: false,
  startedAt: CREATED_AT + 10_000,
  askedAgainAt: null,
  endedAt: null,
  hadEnded: false,
  error: null,
  result: null,
  recorded: null,
  resolution: null,
  reversals: { reversed: 0, reversing: 0 },
};

/** A session after these attempts: {@link PENDING_ATTEMPT}, changed so. Its status is computed, as always. */
export function sessionWith(
  attempts: readonly Partial<AttemptRecord>[],
  { base = OPEN_SESSION, ...changes }: Partial<SessionRecord> & { readonly base?: SessionRecord } = {},
): SessionRecord {
  const made = attempts.map((attempt, index) => ({ ...PENDING_ATTEMPT, number: index + 1, ...attempt }));
  const record = { ...base, seq: made.length + 1, attempts: made, ...changes };
  return { ...record, state: sessionStatus(record), final: isFinalSession(record) };
}

/** The same, with its hosted page open for ten seconds. */
export const PENDING_SESSION: SessionRecord = sessionWith([{}]);

/** What a record says that contradicts what was asked. */
export const RECORDED: RecordedFigures = {
  amount: { value: 13_000, currency: 'EUR' },
  base: { value: 13_000, currency: 'EUR' },
  surcharge: null,
  wireAmount: 13_000,
  currency: 'EUR',
  transactionId: 'TX-1',
  paymentObjectId: '4711',
  maskedCard: '424242......4242',
  returnCode: '0',
};

/** What a payment brought. */
export const PAYMENT_RESULT: SessionResult & { readonly kind: 'payment' } = {
  kind: 'payment',
  total: { value: 12_240, currency: 'EUR' },
  base: { value: 12_000, currency: 'EUR' },
  surcharge: { amount: { value: 240, currency: 'EUR' }, percent: 2 },
  transactionId: 'TX-1',
  paymentObjectId: '4711',
  maskedCard: '424242******4242',
};

/** What storing a card brought. */
export const CARD_RESULT: SessionResult & { readonly kind: 'card' } = {
  kind: 'card',
  sealedToken: 'sealed',
  tokenLast4: '9876',
  tokenValidUntil: '2029-12-31',
  tokenKeptUntil: '2026-12-31T00:00:00.000Z',
  tokenObjectId: '815',
  transactionId: 'TX-2',
  maskedCard: '424242******4242',
};

/** What a charge and a reversal begin with. */
const NEW_OPERATION = {
  property: 'aurora',
  livemode: false,
  createdAt: CREATED_AT,
  madeBy: ACTOR,
  reference: 'RES-1',
  note: null,
  serviceProvider: 'TEST_HOSTED',
  hotel: HOTEL,
  seq: 1,
  state: 'created',
  transactionId: null,
  error: null,
  resolution: null,
  completedAt: null,
} as const;

/** A charge that nothing was sent for yet. */
export const NEW_CHARGE_RECORD: ChargeRecord = {
  ...NEW_OPERATION,
  kind: 'charge',
  id: 'ch_1',
  amount: { value: 8_000, currency: 'EUR' },
  reason: 'no_show',
  text: null,
  sealedToken: 'sealed',
  maskedCard: null,
  sums: { reversed: 0, reversing: 0 },
};

/** A reversal that nothing was sent for yet. */
export const NEW_REVERSAL_RECORD: ReversalRecord = {
  ...NEW_OPERATION,
  kind: 'reversal',
  id: 'rv_1',
  isLimited: false,
  reason: null,
  payment: 'cs_1',
  attempt: 1,
  amount: { value: 5_000, currency: 'EUR' },
  paymentTransactionId: 'TX-1',
  epoch: 1,
};
