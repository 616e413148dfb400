/** A checkout session as its object stores it, and as merchants and guests see it. Pure. */
import type {
  CardResult,
  CheckoutPresentation,
  CheckoutSession,
  CheckoutView,
  CreateCheckoutSessionSchema,
  PaymentResult,
  PropertyFields,
  RecordedFigures,
  RecordedSessionResolution,
} from '@innkeep/core/contract';
import type { CardBrand } from '@innkeep/core/values';
import type { InferOutput } from 'valibot';
import { guestPollDelay, type ScheduleFacts } from '../policy/polling-schedule.ts';
import type { ReversalSums } from '../policy/reservations.ts';
import { isFinalSessionState, type SessionState, toSessionStatus } from '../policy/session-machine.ts';
import { NEW_WATCH, type SessionWatch } from '../policy/session-watch.ts';

/** How the hosted page is shown; `link` for sessions started from a payment link. */
export type Presentation = CheckoutPresentation | 'link';

/** Fields of the wire that are stored as they are. */
type FixedFields =
  | 'id'
  | 'property'
  | 'livemode'
  | 'kind'
  | 'amount'
  | 'surcharge'
  | 'reference'
  | 'description'
  | 'returnUrl'
  | 'metadata'
  | 'previous';

/** Facts fixed at creation. Instants are milliseconds, here and below. */
export interface NewSession extends Readonly<Pick<CheckoutSession, FixedFields>> {
  readonly hotelName: string;
  /** As the property said at creation; absent when it said nothing. */
  readonly acceptedBrands?: readonly CardBrand[] | undefined;
  /** When the tries of its links before it were made, those of the last hour; absent in the first. */
  readonly earlierTries?: readonly number[];
  readonly createdAt: number;
  readonly expiresAt: number;
}

export function newSession(
  body: InferOutput<typeof CreateCheckoutSessionSchema>,
  origin: {
    readonly id: string;
    readonly property: Readonly<Pick<PropertyFields, 'displayName' | 'livemode' | 'acceptedBrands'>> & {
      readonly id: string;
    };
    readonly createdAt: number;
  },
): NewSession {
  const { id, property, createdAt } = origin;
  return {
    id,
    property: property.id,
    hotelName: property.displayName,
    acceptedBrands: property.acceptedBrands,
    livemode: property.livemode,
    kind: body.kind,
    amount: body.kind === 'payment' ? body.amount : null,
    surcharge: body.kind === 'payment' && body.surcharge,
    reference: body.reference,
    description: body.description ?? null,
    returnUrl: body.returnUrl ?? null,
    metadata: body.metadata,
    previous: null,
    createdAt,
    expiresAt: createdAt + body.expiresInSeconds * 1_000,
  };
}

/** What a hosted request, a charge or a reversal keeps using, even if the property is edited meanwhile. */
export type HotelSnapshot = Readonly<
  Pick<PropertyFields, 'customerId' | 'hotelID' | 'hotelIDType' | 'user' | 'timeZone' | 'amountUnit'>
>;

/** The accepted init and what it was made with: edits of the property do not reach a payment under way. */
export interface HostedRequestRecord extends HotelSnapshot {
  readonly requestID: string;
  readonly serviceProvider: string;
  readonly stateRetrivalUrl: string;
  readonly viewUrl: string;
  /** SHA-256 of the nonce in the return addresses. */
  readonly nonceHash: string;
}

/** Only these settings, of a property or of a hosted request. */
export function hotelSnapshot(settings: HotelSnapshot): HotelSnapshot {
  const { customerId, hotelID, hotelIDType, user, timeZone, amountUnit } = settings;
  return { customerId, hotelID, hotelIDType, user, timeZone, amountUnit };
}

/** What a succeeded session brought. */
export type SessionResult =
  | Readonly<PaymentResult>
  | ({
      /** Sealed; null once erased, or when a person resolved the session without one. */
      readonly sealedToken: string | null;
      readonly tokenLast4: string | null;
    } & Readonly<Omit<CardResult, 'token'>>);

/** Who resolved an uncertain outcome, and why. */
export interface Resolution extends Readonly<Omit<RecordedSessionResolution, 'at'>> {
  readonly at: number;
}

export interface SessionRecord extends NewSession {
  readonly seq: number;
  readonly state: SessionState;
  readonly since: number;
  readonly startedAt: number | null;
  readonly completedAt: number | null;
  readonly presentation: Presentation | null;
  readonly hosted: HostedRequestRecord | null;
  readonly watch: SessionWatch;
  readonly result: SessionResult | null;
  readonly error: Readonly<CheckoutSession['error']>;
  readonly resolution: Resolution | null;
  /** Absent until something was given back. */
  readonly reversals?: ReversalSums;
  /** The session that payment links lead to after this one ended without money; absent while there is none. */
  readonly successor?: string;
  /** Last time that the guest asked for the hosted page again; absent until then. */
  readonly askedAgainAt?: number;
  /** It was reported as failed, canceled or expired before: a success is late. */
  readonly endedBefore?: boolean;
  /** Absent until a record contradicted what was asked. */
  readonly recorded?: RecordedFigures;
}

export type StartedRecord = SessionRecord & { readonly hosted: HostedRequestRecord };

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
export function toMerchantSession(record: SessionRecord, token: string | null): CheckoutSession {
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
    returned: (record.watch.successReturnAt ?? 0) > (record.askedAgainAt ?? 0),
    livemode: record.livemode,
    amount: record.amount,
    surcharge: record.surcharge,
    hotelName: record.hotelName,
    acceptedBrands: [...(record.acceptedBrands ?? [])],
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

function toMerchantResult(result: SessionResult, token: string | null): PaymentResult | CardResult {
  if (result.kind === 'payment') return result;
  const { sealedToken: _sealed, tokenLast4: _last4, ...card } = result;
  return { token, ...card };
}

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
