/** How a session's record changes, and what the ledger gets. Pure. */
import { type CheckoutErrorCode, MAX_ATTEMPTS, type RecordedFigures } from '@innkeep/core/contract';
import { toDuplicate } from '../ledger/duplicate-payment.ts';
import { firstSuccess } from '../records/first-success.ts';
import type { LedgerNews, LedgerUpdate } from '../records/ledger-update.ts';
import type { Resolution } from '../records/resolution.ts';
import { type AttemptEvent, endedWithoutMoney, hasFailed, nextAttemptStatus } from './attempt-machine.ts';
import type { AttemptRecord, HostedRequestRecord, Presentation, SessionResult, Terms } from './attempt-record.ts';
import { type AttemptWatch, NEW_WATCH } from './attempt-watch.ts';
import {
  attemptOf,
  givenOf,
  hasOffer,
  type Offer,
  type SessionRecord,
  sameTerms,
  toMerchantSession,
} from './session-record.ts';
import { type Closing, isFinalSession, sessionStatus, settlesAt } from './session-status.ts';

/** What an event brings with it. */
export interface AttemptChange {
  readonly watch?: AttemptWatch;
  readonly result?: SessionResult | undefined;
  readonly error?: CheckoutErrorCode | undefined;
  readonly recorded?: RecordedFigures | undefined;
  readonly resolution?: Resolution;
}

/** What can happen to a session. */
export type SessionEvent =
  /** The payment service has accepted an init: a new attempt. */
  | {
      readonly is: 'started';
      readonly hosted: HostedRequestRecord;
      readonly presentation: Presentation;
      readonly terms: Terms;
      /** Whether that is real money: the hotel may have gone live since the session was made. */
      readonly livemode: boolean;
    }
  /** Something was found out about an attempt. */
  | ({ readonly is: 'attempt'; readonly number: number; readonly event: AttemptEvent } & AttemptChange)
  /** It can no longer be started. `mayBePaid`: nobody has answered whether an attempt was. */
  | ({ readonly is: 'closed'; readonly mayBePaid?: boolean } & Pick<Closing, 'by' | 'author'>)
  /** No attempt of a session that has expired may still be paid. */
  | { readonly is: 'settled' }
  /** The hotel wants something else of a session that nobody is paying. An expired one is reopened. */
  | { readonly is: 'offered'; readonly offer: Offer }
  /** Nobody is paying any more: what was wanted meanwhile holds. */
  | { readonly is: 'next_offer' };

function toClosing({ by, author }: Pick<Closing, 'by' | 'author'>, rest: Pick<Closing, 'at' | 'isSettled'>): Closing {
  return { by, ...rest, ...(author && { author }) };
}

const ERROR_MESSAGES: Readonly<Record<CheckoutErrorCode, string>> = {
  declined: 'The card was declined',
  upstream_failed: 'The payment service ended the payment with an error',
  canceled_by_guest: 'The guest canceled on the payment page',
  amount_mismatch: 'The recorded amount is not the amount requested: money may have moved',
  amount_unit_mismatch:
    'The recorded amount differs by exactly the currency’s power of ten: check amountUnit. Money may have moved',
  record_mismatch: 'The payment service’s record does not fit this session: money may have moved',
  record_unreadable:
    'The payment service reports the payment as done, but its record cannot be read: money may have moved',
};

/** The record after an event; undefined when the event means nothing as it is. `now` in milliseconds. */
export function transition(record: SessionRecord, event: SessionEvent, now: number): SessionRecord | undefined {
  const changed = changedBy(record, event, now);
  if (changed === undefined) return undefined;
  const state = sessionStatus(changed);
  // An expired session that comes out of a doubt is told about again.
  const closed =
    changed.closed !== null && state !== 'expired' ? { ...changed.closed, isSettled: false } : changed.closed;
  const next = withNextOffer({ ...changed, closed, seq: record.seq + 1, state });
  return { ...next, final: isFinalSession(next), news: newsOf(record, next, event) };
}

function changedBy(record: SessionRecord, event: SessionEvent, now: number): SessionRecord | undefined {
  switch (event.is) {
    case 'started':
      if (record.state !== 'open' || record.attempts.length >= MAX_ATTEMPTS) return undefined;
      if (event.terms.version !== record.terms.version) return undefined;
      return { ...record, livemode: event.livemode, attempts: [...record.attempts, newAttempt(record, event, now)] };
    case 'attempt':
      return afterAttempt(record, event, now);
    case 'closed':
      if (record.state !== 'open') return undefined;
      return {
        ...record,
        closed: toClosing(event, { at: now, isSettled: !event.mayBePaid && settlesAt(record) <= now }),
      };
    case 'settled':
      if (record.state !== 'expired' || record.closed === null || record.closed.isSettled) return undefined;
      return { ...record, closed: { ...record.closed, isSettled: true } };
    case 'offered':
      if (record.state !== 'expired' && (record.state !== 'open' || hasOffer(record, event.offer))) return undefined;
      return { ...record, ...withOffer(record, event.offer), closed: null, nextOffer: null };
    case 'next_offer':
      return record.state === 'open' && record.nextOffer !== null ? record : undefined;
  }
}

function afterAttempt(
  record: SessionRecord,
  { number, event, ...change }: Extract<SessionEvent, { is: 'attempt' }>,
  now: number,
): SessionRecord | undefined {
  const attempt = attemptOf(record, number);
  const status = attempt && nextAttemptStatus(attempt.status, event);
  if (attempt === undefined || status === undefined) return undefined;
  // The first success stays the first, also of two in one moment, or after a clock went back.
  const paidAt = status === 'succeeded' ? (firstSuccess(record.attempts)?.endedAt ?? -1) : -1;
  const next: AttemptRecord = {
    ...attempt,
    status,
    since: now,
    endedAt: status === 'unknown' || status === 'pending' ? null : Math.max(now, paidAt + 1),
    hadEnded: attempt.hadEnded || endedWithoutMoney(attempt.status),
    watch: change.watch ?? attempt.watch,
    result: status === 'succeeded' ? (change.result ?? resolvedResult(attempt, change.resolution)) : attempt.result,
    error: errorAfter(attempt, status, change),
    // A consistent record leaves nothing to show of what an earlier one said.
    recorded: change.recorded ?? (change.result === undefined ? attempt.recorded : null),
    resolution: change.resolution ?? attempt.resolution,
  };
  return withAttempt(record, next);
}

/** The same record with another version of one attempt. */
export function withAttempt(record: SessionRecord, attempt: AttemptRecord): SessionRecord {
  return {
    ...record,
    attempts: record.attempts.map((each) => (each.number === attempt.number ? attempt : each)),
  };
}

function newAttempt(
  { attempts }: SessionRecord,
  { hosted, presentation, terms, livemode }: Extract<SessionEvent, { is: 'started' }>,
  now: number,
): AttemptRecord {
  return {
    number: attempts.length + 1,
    status: 'pending',
    since: now,
    terms,
    presentation,
    hosted,
    watch: NEW_WATCH,
    livemode,
    startedAt: now,
    askedAgainAt: null,
    endedAt: null,
    hadEnded: false,
    error: null,
    result: null,
    recorded: null,
    resolution: null,
    reversals: { reversed: 0, reversing: 0 },
  };
}

/** What of a record an offer replaces. Its terms grow when the guest would see a difference, and it never ends sooner. */
function withOffer({ terms, expiresAt }: SessionRecord, offer: Offer): Offer {
  const version = sameTerms(terms, offer.terms) ? terms.version : terms.version + 1;
  // Whoever offers hands over a whole session, which was made now and may be of a hotel that was edited.
  return { ...givenOf(offer), terms: { ...offer.terms, version }, expiresAt: Math.max(expiresAt, offer.expiresAt) };
}

function withNextOffer(record: SessionRecord): SessionRecord {
  if (record.state !== 'open' || record.nextOffer === null) return record;
  return { ...record, ...withOffer(record, record.nextOffer), nextOffer: null };
}

function errorAfter(
  { error }: AttemptRecord,
  status: AttemptRecord['status'],
  { error: code = error?.code, resolution }: AttemptChange,
): AttemptRecord['error'] {
  if (status === 'succeeded') return null;
  if (resolution !== undefined) {
    return { code: code ?? 'upstream_failed', message: `Resolved by hand: ${resolution.evidence}` };
  }
  return code === undefined ? null : { code, message: ERROR_MESSAGES[code] };
}

/** The result of an attempt that a person resolved: the amount that moved, or else the amount asked for, and no more. */
function resolvedResult({ terms }: AttemptRecord, resolution: Resolution | undefined): SessionResult | null {
  const transactionId = resolution?.transactionId ?? null;
  if (terms.amount === null) {
    const nothing = { sealedToken: null, tokenLast4: null, tokenValidUntil: null, tokenKeptUntil: null };
    return { kind: 'card', ...nothing, tokenObjectId: null, transactionId, maskedCard: null };
  }
  const amount = resolution?.amount ?? terms.amount;
  return {
    kind: 'payment',
    total: amount,
    base: amount,
    surcharge: null,
    transactionId,
    paymentObjectId: null,
    maskedCard: null,
  };
}

/** What a version tells the merchant; null for a start, an abandoned attempt and other terms. */
function newsOf(before: SessionRecord, next: SessionRecord, event: SessionEvent): LedgerNews | null {
  if (event.is === 'closed' || event.is === 'settled') return { type: 'checkout.expired' };
  const attempt = event.is === 'attempt' ? attemptOf(next, event.number) : undefined;
  if (attempt === undefined) return null;
  if (hasFailed(attempt.status)) return { type: 'checkout.attempt_failed' };
  if (attempt.status === 'unknown') return { type: 'checkout.unknown' };
  if (attempt.status !== 'succeeded') return null;
  const first = firstSuccess(before.attempts);
  if (first === undefined) return { type: 'checkout.succeeded' };
  if (next.kind === 'card') return null;
  const payments = [first, attempt].map(({ number }) => ({ payment: next.id, attempt: number }));
  return { type: 'checkout.duplicate_payment', duplicate: toDuplicate(payments) };
}

/** A version as the ledger gets it. */
export function sessionEntry(record: SessionRecord): Pick<LedgerUpdate, 'type' | 'duplicate' | 'resource'> {
  const { id, seq, state: status, reference, createdAt, madeBy, news } = record;
  const body = JSON.stringify(
    toMerchantSession(record, ({ result }) => (result?.kind === 'card' ? result.tokenLast4 : null)),
  );
  return {
    type: news?.type ?? null,
    ...(news?.duplicate === undefined ? {} : { duplicate: news.duplicate }),
    resource: { id, kind: 'checkout_session', seq, status, reference, createdAt, madeBy, body },
  };
}
