/** A checkout session as its object stores it, and as merchants and guests see it. Pure. */
import type {
  CheckoutSession,
  CheckoutStatus,
  CheckoutView,
  CreateCheckoutSessionSchema,
  PropertyFields,
} from '@innkeep/core/contract';
import type { CardBrand } from '@innkeep/core/values';
import type { InferOutput } from 'valibot';
import { sortedJson } from '../http/request-fingerprint.ts';
import { toTimestamp } from '../http/timestamp.ts';
import type { Actor } from '../properties/actor.ts';
import { firstSuccess } from '../records/first-success.ts';
import type { LedgerNews } from '../records/ledger-update.ts';
import type { StoredRecord } from '../records/record-row.ts';
import type { RecordTimes } from '../records/retention.ts';
import { type AttemptRecord, isAwaited, type Terms, toMerchantAttempt } from './attempt-record.ts';
import { guestPollDelay } from './polling-schedule.ts';
import type { Closing } from './session-status.ts';

/** What the hotel gives with a session in addition to its terms, as it is kept and shown. */
type Given = Readonly<Pick<CheckoutSession, 'returnUrl' | 'metadata'>>;

/** The one place that names what is given: of a body, of a record or of an offer. */
export function givenOf({
  returnUrl = null,
  metadata,
}: Given | InferOutput<typeof CreateCheckoutSessionSchema>): Given {
  return { returnUrl, metadata };
}

/** What the hotel wants of a session, and may want otherwise later. Instants are milliseconds, here and below. */
export interface Offer extends Given {
  readonly terms: Terms;
  readonly expiresAt: number;
}

/** Set at creation. */
export interface NewSession
  extends Offer,
    Readonly<Pick<CheckoutSession, 'id' | 'property' | 'livemode' | 'kind' | 'reference'>> {
  readonly madeBy: Actor;
  readonly hotelName: string;
  /** As the property said at creation; absent when it said nothing. */
  readonly acceptedBrands?: readonly CardBrand[] | undefined;
  readonly createdAt: number;
}

export function newSession(
  body: InferOutput<typeof CreateCheckoutSessionSchema>,
  origin: {
    readonly id: string;
    readonly property: Readonly<Pick<PropertyFields, 'displayName' | 'livemode' | 'acceptedBrands'>> & {
      readonly id: string;
    };
    readonly createdAt: number;
    readonly actor: Actor;
  },
): NewSession {
  const { id, property, createdAt, actor } = origin;
  return {
    id,
    property: property.id,
    madeBy: actor,
    hotelName: property.displayName,
    acceptedBrands: property.acceptedBrands,
    livemode: property.livemode,
    kind: body.kind,
    reference: body.reference,
    terms: {
      version: 1,
      amount: body.kind === 'payment' ? body.amount : null,
      surcharge: body.kind === 'payment' && body.surcharge,
      description: body.description ?? null,
    },
    ...givenOf(body),
    createdAt,
    expiresAt: createdAt + body.expiresInSeconds * 1_000,
  };
}

export interface SessionRecord extends NewSession, Pick<StoredRecord, 'redactedAt'> {
  readonly seq: number;
  /** Computed from the attempts, as `final` is. */
  readonly state: CheckoutStatus;
  readonly final: boolean;
  /** Null while the session can be started. */
  readonly closed: Closing | null;
  readonly attempts: readonly AttemptRecord[];
  /** What was wanted while an attempt was under way: for the next one. Null when nothing else was. */
  readonly nextOffer: Offer | null;
  /** What this version tells the merchant. */
  readonly news: LedgerNews | null;
}

export function newRecord(session: NewSession): SessionRecord {
  return { ...session, seq: 1, state: 'open', final: false, closed: null, attempts: [], nextOffer: null, news: null };
}

/** What its time counts from: as in the ledger, the last start or end of an attempt is what completed it. */
export function sessionTimes({ createdAt, attempts }: SessionRecord): RecordTimes {
  return { createdAt, completedAt: Math.max(0, ...attempts.map(({ endedAt, startedAt }) => endedAt ?? startedAt)) };
}

/** Whether nothing of it is in doubt or can change by itself. */
export function isCertain({ final, attempts }: Pick<SessionRecord, 'final' | 'attempts'>): boolean {
  return final && attempts.every(({ status }) => status !== 'unknown');
}

/** The attempt that is under way; undefined while there is none. */
export function pendingAttempt({ attempts }: Pick<SessionRecord, 'attempts'>): AttemptRecord | undefined {
  return attempts.find(({ status }) => status === 'pending');
}

export function attemptOf({ attempts }: Pick<SessionRecord, 'attempts'>, number: number): AttemptRecord | undefined {
  return attempts[number - 1];
}

/** The terms that the session shows: those of the attempt that is paid, in doubt or under way, else those of the next one. */
export function shownTerms({ attempts, terms }: Pick<SessionRecord, 'attempts' | 'terms'>): Terms {
  const inDoubt = attempts.find(({ status }) => status === 'unknown');
  return (firstSuccess(attempts) ?? inDoubt ?? pendingAttempt({ attempts }))?.terms ?? terms;
}

/** Whether two offers show the guest the same. */
export function sameTerms(one: Terms, other: Terms): boolean {
  return (
    one.amount?.value === other.amount?.value &&
    one.amount?.currency === other.amount?.currency &&
    one.surcharge === other.surcharge &&
    one.description === other.description
  );
}

/** Whether a session, or what is wanted for its next attempt, has all of an offer but its time. */
export function hasOffer(record: SessionRecord, offer: Offer): boolean {
  const newest = record.nextOffer ?? record;
  return sameTerms(newest.terms, offer.terms) && sortedJson(givenOf(newest)) === sortedJson(givenOf(offer));
}

function isOutdated(record: SessionRecord): boolean {
  const newest = record.nextOffer?.terms ?? record.terms;
  return !sameTerms(shownTerms(record), newest);
}

/**
 * The merchant's view.
 * @param tokenOf what to show as a card's token: the token itself, or its last four in events and lists
 */
export function toMerchantSession(
  record: SessionRecord,
  tokenOf: (attempt: AttemptRecord) => string | null,
): CheckoutSession {
  const { amount, surcharge, description, version } = shownTerms(record);
  const attempts = record.attempts.map((attempt) => toMerchantAttempt(attempt, tokenOf(attempt)));
  const paid = firstSuccess(attempts);
  return {
    object: 'checkout_session',
    id: record.id,
    property: record.property,
    kind: record.kind,
    status: record.state,
    final: record.final,
    seq: record.seq,
    amount,
    reference: record.reference,
    description,
    surcharge,
    terms: version,
    outdated: isOutdated(record),
    ...givenOf(record),
    livemode: record.livemode,
    by: record.madeBy.by,
    createdAt: toTimestamp(record.createdAt),
    ...(record.redactedAt && { redactedAt: toTimestamp(record.redactedAt) }),
    ...(record.closed?.author && { endedAt: toTimestamp(record.closed.at), endedBy: record.closed.author }),
    startedAt: attempts[0]?.startedAt ?? null,
    completedAt: paid?.endedAt ?? null,
    expiresAt: toTimestamp(record.expiresAt),
    late: paid?.late ?? false,
    result: paid?.result ?? null,
    attempts,
    reversed: paid?.reversed ?? null,
    reversing: paid?.reversing ?? null,
  };
}

/** Whether its money is of this mode. That of a session without money is the mode of its attempts; of those of older versions it may be any. */
export function isOfMode({ livemode, state, attempts }: SessionRecord, mode: boolean): boolean {
  const mayChange = state === 'open' || state === 'expired';
  return livemode === mode || (mayChange && attempts.every((attempt) => attempt.livemode === undefined));
}

/** The attempt that is waited for because its guest came back as somebody who has paid; undefined while there is none. */
export function awaitedAttempt(
  { state, final, attempts }: Pick<SessionRecord, 'state' | 'final' | 'attempts'>,
  now?: number,
): AttemptRecord | undefined {
  return final || state === 'unknown' ? undefined : attempts.find((attempt) => isAwaited(attempt, now));
}

/** The guest's view: whoever may have paid waits, although the hotel's session may go on or has expired. */
export function toCheckoutView(record: SessionRecord, now?: number): CheckoutView {
  const { state, final, attempts } = record;
  const awaited = awaitedAttempt(record, now);
  const status = awaited === undefined ? state : 'pending';
  const { amount, surcharge, description, version: terms } = awaited?.terms ?? shownTerms(record);
  const paid = firstSuccess(attempts);
  const inDoubt = status === 'unknown' ? attempts.find((attempt) => attempt.status === 'unknown') : undefined;
  const shown = awaited ?? inDoubt ?? attempts.at(-1);
  return {
    id: record.id,
    kind: record.kind,
    status,
    final,
    seq: record.seq,
    terms,
    returned: awaited !== undefined,
    livemode: record.livemode,
    amount,
    surcharge,
    hotelName: record.hotelName,
    acceptedBrands: [...(record.acceptedBrands ?? [])],
    reference: record.reference ?? '',
    description,
    receipt: toReceipt(paid),
    error: paid !== undefined || awaited !== undefined || shown?.error == null ? null : { code: shown.error.code },
    expiresAt: toTimestamp(record.expiresAt),
    nextPollMs: guestPollDelay(state, final, awaited !== undefined),
  };
}

function toReceipt(paid: AttemptRecord | undefined): CheckoutView['receipt'] {
  if (paid?.result == null) return null;
  const { result } = paid;
  const money = result.kind === 'payment' ? result : { base: null, surcharge: null, total: null };
  return {
    base: money.base,
    surcharge: money.surcharge,
    total: money.total,
    maskedCard: result.maskedCard,
    completedAt: toTimestamp(paid.endedAt ?? paid.since),
  };
}
