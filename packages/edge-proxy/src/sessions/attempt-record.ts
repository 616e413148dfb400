/** One attempt to pay a session, as the session's object stores it and as merchants see it. Pure. */
import type {
  AttemptStatus,
  CardResult,
  CheckoutAttempt,
  CheckoutPresentation,
  MoneyJson,
  PaymentResult,
  RecordedFigures,
} from '@innkeep/core/contract';
import { toTimestamp } from '../http/timestamp.ts';
import type { HotelSnapshot } from '../properties/hotel-snapshot.ts';
import { lastDayOf } from '../records/last-day.ts';
import type { ReversalSums } from '../records/reservations.ts';
import type { Resolution } from '../records/resolution.ts';
import { hasFailed } from './attempt-machine.ts';
import type { AttemptWatch } from './attempt-watch.ts';
import { type ScheduleInput, watchedUntil } from './polling-schedule.ts';

/** How the hosted page is shown; `link` for attempts started from a payment link. */
export type Presentation = CheckoutPresentation | 'link';

/** What a guest is shown and asked for. */
export interface Terms {
  /** 1, 2, 3 … */
  readonly version: number;
  /** Null when a card is to be stored. */
  readonly amount: MoneyJson | null;
  readonly surcharge: boolean;
  readonly description: string | null;
}

/** The accepted init and what it was made with: edits of the property do not reach a payment under way. */
export interface HostedRequestRecord extends HotelSnapshot {
  readonly requestID: string;
  readonly serviceProvider: string;
  readonly stateRetrivalUrl: string;
  readonly viewUrl: string;
  /** SHA-256 of the nonce in the return addresses. */
  readonly nonceHash: string;
}

/** How long the payment service may lag behind a guest who has paid. */
const LONGEST_LAG_MS = 15 * 60_000;

/** What an attempt that succeeded brought. */
export type SessionResult =
  | Readonly<PaymentResult>
  | ({
      /** Sealed; null once erased, or when a person resolved the attempt without one. */
      readonly sealedToken: string | null;
      readonly tokenLast4: string | null;
      /** The provider that its token belongs to. Older versions leave it out. */
      readonly serviceProvider?: string;
    } & Readonly<Omit<CardResult, 'token'>>);

/** Instants are milliseconds. */
export interface AttemptRecord {
  readonly number: number;
  readonly status: AttemptStatus;
  /** Since when it has this status. */
  readonly since: number;
  readonly terms: Terms;
  readonly presentation: Presentation;
  readonly hosted: HostedRequestRecord;
  readonly watch: AttemptWatch;
  /** Whether it is of real money. Older versions leave it out. */
  readonly livemode?: boolean;
  readonly startedAt: number;
  /** Last time that the guest asked for the hosted page again; null until then. */
  readonly askedAgainAt: number | null;
  readonly endedAt: number | null;
  /** It was reported as ended without money before: a success is late. */
  readonly hadEnded: boolean;
  readonly error: Readonly<CheckoutAttempt['error']>;
  readonly result: SessionResult | null;
  /** Null until a record contradicted what was asked. */
  readonly recorded: RecordedFigures | null;
  readonly resolution: Resolution | null;
  readonly reversals: ReversalSums;
}

/** The name under which the payment service knows an attempt. */
export function cardInfoRefIdOf(session: { readonly id: string }, { number }: Pick<AttemptRecord, 'number'>): string {
  return `${session.id}-${number}`;
}

/** Whether something was seen of money that no record has shown yet, and that nobody has decided about. */
export function hasUnclearMoney({ status, watch, resolution }: AttemptRecord): boolean {
  if (status === 'succeeded' || resolution !== null) return false;
  return watch.doneSeenAt !== null || watch.contradictionAt !== null;
}

/** What decides when the payment service is asked. */
export function scheduleInput(
  attempt: AttemptRecord,
  { expiresAt, closed }: { readonly expiresAt: number; readonly closed: { readonly at: number } | null },
): ScheduleInput {
  const { status, since, watch } = attempt;
  const closedAt = closed?.at ?? null;
  const { recheckAt = null, resumedAt = null } = watch;
  return { status, since, expiresAt, guestSeenAt: guestSeenAt(attempt), recheckAt, resumedAt, closedAt };
}

/**
 * Until when an attempt that has ended without money may still turn out to be paid, as far as anything says so; 0 when nothing
 * does. A guest who came back as having paid is believed: after an end that the payment service has told, only while it may lag
 * behind; against a refused card, never.
 */
export function mayBePaidUntil(attempt: AttemptRecord): number {
  const { status, since, resolution, watch } = attempt;
  const { successReturnAt, refusal } = watch;
  if (status === 'abandoned') return watchedUntil({ since, guestSeenAt: guestSeenAt(attempt) });
  if (!hasFailed(status) || resolution !== null || successReturnAt == null) return 0;
  // Its page has ended.
  return refusal === 'declined' ? 0 : successReturnAt + LONGEST_LAG_MS;
}

/** Whether it ever may have, however long ago. */
export function mayBePaid(attempt: AttemptRecord): boolean {
  return mayBePaidUntil(attempt) > 0;
}

/** Whether the payment service has ended it a day ago, and its guest has not been there since. */
export function isLongOver(attempt: AttemptRecord): boolean {
  const { status, since } = attempt;
  return hasFailed(status) && Date.now() >= watchedUntil({ since, guestSeenAt: guestSeenAt(attempt) });
}

/** Whether it is waited for, since its guest came back as somebody who has paid and the payment service may still say so. */
export function isAwaited(attempt: AttemptRecord, now: number = Date.now()): boolean {
  const cameBackPaid = attempt.watch.successReturnAt != null;
  return cameBackPaid && (attempt.status === 'pending' || now < mayBePaidUntil(attempt));
}

/** The last sign of the guest. */
function guestSeenAt({ startedAt, askedAgainAt, watch }: AttemptRecord): number {
  return Math.max(startedAt, askedAgainAt ?? 0, watch.returnedAt ?? 0);
}

/**
 * The merchant's view.
 * @param token as in `toMerchantSession`
 */
export function toMerchantAttempt(attempt: AttemptRecord, token: string | null): CheckoutAttempt {
  const { number, status, error, terms, hadEnded, result, recorded, resolution, reversals } = attempt;
  const currency = result?.kind === 'payment' ? result.total.currency : undefined;
  return {
    number,
    status,
    error,
    amount: terms.amount,
    surcharge: terms.surcharge,
    startedAt: toTimestamp(attempt.startedAt),
    endedAt: attempt.endedAt === null ? null : toTimestamp(attempt.endedAt),
    late: status === 'succeeded' && hadEnded,
    result: result === null ? null : toMerchantResult(result, token),
    recorded,
    resolution: resolution === null ? null : { ...resolution, at: toTimestamp(resolution.at) },
    reversed: currency === undefined ? null : { value: reversals.reversed, currency },
    reversing: currency === undefined ? null : { value: reversals.reversing, currency },
  };
}

function toMerchantResult(result: SessionResult, token: string | null): PaymentResult | CardResult {
  if (result.kind === 'payment') return result;
  const { sealedToken: _sealed, tokenLast4: _last4, serviceProvider: _provider, ...card } = result;
  // One that an older version stored is as the record had it.
  return { token, ...card, tokenValidUntil: lastDayOf(card.tokenValidUntil) };
}
