/** A checkout session as its object stores it, and as merchants and guests see it. Pure. */
import type { CheckoutErrorCode, CheckoutView } from '@innkeep/core/contract';
import type { MoneyValue } from '../policy/payment-limits.ts';
import { guestPollDelay, type ScheduleFacts } from '../policy/polling-schedule.ts';
import type { ReversalSums } from '../policy/reservations.ts';
import {
  isFinalSessionState,
  type SessionState,
  type SessionStatus,
  toSessionStatus,
} from '../policy/session-machine.ts';
import { NEW_WATCH, type SessionWatch } from '../policy/session-watch.ts';

/** How the hosted page is shown; `link` for sessions started from a payment link. */
export type Presentation = 'redirect' | 'tab' | 'link';

/** What a session is for. */
export type SessionKind = 'payment' | 'card';

/** Facts fixed at creation. Instants are milliseconds. */
export interface NewSession {
  readonly id: string;
  readonly property: string;
  readonly hotelName: string;
  readonly livemode: boolean;
  readonly kind: SessionKind;
  readonly amount: MoneyValue | null;
  readonly surcharge: boolean;
  readonly reference: string;
  readonly description: string | null;
  readonly returnUrl: string | null;
  readonly metadata: Record<string, string>;
  /** The session this one follows on its payment links. */
  readonly previous: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** The accepted init and what it was made with: edits of the property do not reach a payment under way. */
export interface HostedRequestRecord {
  readonly requestID: string;
  readonly serviceProvider: string;
  readonly stateRetrivalUrl: string;
  readonly viewUrl: string;
  /** SHA-256 of the nonce in the return addresses. */
  readonly nonceHash: string;
  readonly customerId: string;
  readonly hotelID: string;
  readonly hotelIDType: string;
  readonly user: string;
  readonly timeZone: string;
  readonly amountUnit: 'minor' | 'major';
}

/** What a hosted request, a charge or a reversal keeps using, whatever is edited meanwhile. */
export type HotelSnapshot = Pick<
  HostedRequestRecord,
  'customerId' | 'hotelID' | 'hotelIDType' | 'user' | 'timeZone' | 'amountUnit'
>;

/** Just that, out of a property's present settings or out of a hosted request. */
export function hotelSnapshot(settings: HotelSnapshot): HotelSnapshot {
  const { customerId, hotelID, hotelIDType, user, timeZone, amountUnit } = settings;
  return { customerId, hotelID, hotelIDType, user, timeZone, amountUnit };
}

/** What a succeeded session brought. */
export type SessionResult =
  | {
      readonly kind: 'payment';
      readonly total: MoneyValue;
      readonly base: MoneyValue;
      readonly surcharge: { readonly amount: MoneyValue; readonly percent: number } | null;
      readonly transactionId: string | null;
      readonly paymentObjectId: string | null;
      readonly maskedCard: string | null;
    }
  | {
      readonly kind: 'card';
      /** Sealed; null once erased, or when a person resolved the session without one. */
      readonly sealedToken: string | null;
      readonly tokenLast4: string | null;
      readonly tokenValidUntil: string | null;
      readonly tokenObjectId: string | null;
      readonly transactionId: string | null;
      readonly maskedCard: string | null;
    };

/** What a record said that contradicts what was asked: for staff, and no proof of anything. */
export interface RecordedFigures {
  /** Total, surcharge included; null when it is no exact amount of a known currency. */
  readonly amount: MoneyValue | null;
  /** `amount` without the surcharge. */
  readonly base: MoneyValue | null;
  readonly surcharge: { readonly amount: MoneyValue; readonly percent: number } | null;
  /** The amount's number as it came, in the payment service's unit. */
  readonly wireAmount: number | null;
  readonly currency: string | null;
  readonly transactionId: string | null;
  readonly paymentObjectId: string | null;
  readonly maskedCard: string | null;
  readonly returnCode: string | null;
}

/** Who resolved an uncertain outcome, and why. */
export interface Resolution {
  readonly status: 'succeeded' | 'failed';
  readonly evidence: string;
  readonly transactionId: string | null;
  /** What really moved; absent when it was not given. */
  readonly amount?: MoneyValue;
  /** Id of the merchant key that was used. */
  readonly by: string;
  readonly at: number;
}

/** The whole record. */
export interface SessionRecord extends NewSession {
  readonly seq: number;
  readonly state: SessionState;
  /** Since when it is in this state. */
  readonly since: number;
  readonly startedAt: number | null;
  readonly completedAt: number | null;
  readonly presentation: Presentation | null;
  readonly hosted: HostedRequestRecord | null;
  readonly watch: SessionWatch;
  readonly result: SessionResult | null;
  readonly error: { readonly code: CheckoutErrorCode; readonly message: string } | null;
  readonly resolution: Resolution | null;
  /** Absent until something was given back. */
  readonly reversals?: ReversalSums;
  /** The session that payment links lead to after this one ended without money; absent while there is none. */
  readonly successor?: string;
  /** Last time that the guest asked for the hosted page again; absent until then. */
  readonly askedAgainAt?: number;
  /** It was told as failed, canceled or expired before: a success is late. */
  readonly endedBefore?: boolean;
  /** Absent until a record contradicted what was asked. */
  readonly recorded?: RecordedFigures;
}

/** A session whose hosted page was opened. */
export type StartedRecord = SessionRecord & { readonly hosted: HostedRequestRecord };

/** A session as its merchant sees it, without the client secret. */
export interface MerchantSession {
  object: 'checkout_session';
  id: string;
  property: string;
  kind: SessionKind;
  status: SessionStatus;
  final: boolean;
  seq: number;
  amount: MoneyValue | null;
  reference: string;
  description: string | null;
  surcharge: boolean;
  returnUrl: string | null;
  metadata: Record<string, string>;
  livemode: boolean;
  previous: string | null;
  createdAt: string;
  startedAt: string | null;
  completedAt: string | null;
  expiresAt: string;
  /** It succeeded after it had been told as failed, canceled or expired. */
  late: boolean;
  result: MerchantPaymentResult | MerchantCardResult | null;
  error: { code: CheckoutErrorCode; message: string } | null;
  recorded: RecordedFigures | null;
  reversed: MoneyValue | null;
  reversing: MoneyValue | null;
  /** Only on a session that a person resolved. */
  resolution?: {
    status: 'succeeded' | 'failed';
    evidence: string;
    transactionId: string | null;
    amount?: MoneyValue;
    by: string;
    at: string;
  };
}

/** Result of a payment. */
export interface MerchantPaymentResult {
  total: MoneyValue;
  base: MoneyValue;
  surcharge: { amount: MoneyValue; percent: number } | null;
  transactionId: string | null;
  paymentObjectId: string | null;
  maskedCard: string | null;
}

/** Result of a tokenization. */
export interface MerchantCardResult {
  token: string | null;
  tokenValidUntil: string | null;
  tokenObjectId: string | null;
  transactionId: string | null;
  maskedCard: string | null;
}

/** What the polling schedule needs to know of a record. */
export function scheduleFacts(record: SessionRecord): ScheduleFacts {
  const { state, since, expiresAt, askedAgainAt = 0, watch } = record;
  const startedAt = record.startedAt ?? record.createdAt;
  return {
    state,
    since,
    startedAt,
    expiresAt,
    returnedAt: watch.returnedAt,
    guestSeenAt: Math.max(startedAt, askedAgainAt, watch.returnedAt ?? 0),
    askedAt: watch.askedAt ?? null,
  };
}

/**
 * The merchant's view.
 * @param token what to show as the card's token: the token itself, or its last four in events and lists
 */
export function toMerchantSession(record: SessionRecord, token: string | null): MerchantSession {
  const { reversed = 0, reversing = 0 } = record.reversals ?? {};
  const currency = record.result?.kind === 'payment' ? record.result.total.currency : undefined;
  return {
    object: 'checkout_session',
    id: record.id,
    property: record.property,
    kind: record.kind,
    status: toSessionStatus(record.state),
    final: isFinalSessionState(record.state),
    seq: record.seq,
    amount: record.amount,
    reference: record.reference,
    description: record.description,
    surcharge: record.surcharge,
    returnUrl: record.returnUrl,
    metadata: record.metadata,
    livemode: record.livemode,
    previous: record.previous,
    createdAt: toTimestamp(record.createdAt),
    startedAt: record.startedAt === null ? null : toTimestamp(record.startedAt),
    completedAt: record.completedAt === null ? null : toTimestamp(record.completedAt),
    expiresAt: toTimestamp(record.expiresAt),
    late: record.state === 'succeeded' && record.endedBefore === true,
    result: record.result === null ? null : toMerchantResult(record.result, token),
    error: record.error,
    recorded: record.recorded ?? null,
    reversed: currency === undefined ? null : { value: reversed, currency },
    reversing: currency === undefined ? null : { value: reversing, currency },
    ...(record.resolution === null
      ? {}
      : { resolution: { ...record.resolution, at: toTimestamp(record.resolution.at) } }),
  };
}

/** The guest's view. `now` in milliseconds. */
export function toCheckoutView(record: SessionRecord, now: number): CheckoutView {
  const final = isFinalSessionState(record.state);
  const { result } = record;
  return {
    id: record.id,
    kind: record.kind,
    status: toSessionStatus(record.state),
    final,
    seq: record.seq,
    livemode: record.livemode,
    amount: record.amount,
    surcharge: record.surcharge,
    hotelName: record.hotelName,
    reference: record.reference,
    description: record.description,
    receipt:
      result === null
        ? null
        : {
            base: result.kind === 'payment' ? result.base : null,
            surcharge: result.kind === 'payment' ? result.surcharge : null,
            total: result.kind === 'payment' ? result.total : null,
            maskedCard: result.maskedCard,
            completedAt: toTimestamp(record.completedAt ?? record.since),
          },
    error: record.error === null ? null : { code: record.error.code },
    expiresAt: toTimestamp(record.expiresAt),
    nextPollMs: final ? null : guestPollDelay(scheduleFacts(record), now),
  };
}

/** RFC 3339 in UTC. */
export function toTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}

function toMerchantResult(result: SessionResult, token: string | null): MerchantPaymentResult | MerchantCardResult {
  if (result.kind === 'payment') {
    const { kind: _, ...payment } = result;
    return payment;
  }
  const { kind: _, sealedToken: _sealed, tokenLast4: _last4, ...card } = result;
  return { token, ...card };
}

/** A session as it begins. */
export function newRecord(session: NewSession): SessionRecord {
  return {
    ...session,
    seq: 1,
    state: 'open',
    since: session.createdAt,
    startedAt: null,
    completedAt: null,
    presentation: null,
    hosted: null,
    watch: NEW_WATCH,
    result: null,
    error: null,
    resolution: null,
  };
}
