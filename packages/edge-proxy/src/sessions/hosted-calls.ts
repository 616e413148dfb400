/** The three calls of a hosted journey, from and to what a session stores. */
import type { MoneyJson, RecordedFigures } from '@innkeep/core/contract';
import { InvalidResponseError, isInnkeepError } from '@innkeep/core/errors';
import { checkRecord, recordedRefusal, showsMoney } from '@innkeep/core/hosted';
import type { TransactionRecord } from '@innkeep/core/operations/transaction';
import { Money } from '@innkeep/core/values';
import { withDeadline } from '../http/deadline.ts';
import { seal } from '../http/seal.ts';
import { toTimestamp } from '../http/timestamp.ts';
import { type Property, sealingSecretsOf } from '../properties/configured-properties.ts';
import { hotelSnapshot } from '../properties/hotel-snapshot.ts';
import { lastDayOf } from '../records/last-day.ts';
import type { AccessTokenBindings } from '../upstream/access-token-source.ts';
import { loadCalls } from '../upstream/load-calls.ts';
import { keptId, upstreamContext } from '../upstream/upstream-client.ts';
import { failureCode } from '../upstream/upstream-failure.ts';
import { logUpstreamCall } from '../upstream/upstream-log.ts';
import { UPSTREAM_TIMEOUT_MS } from '../upstream/upstream-options.ts';
import {
  type AttemptRecord,
  cardInfoRefIdOf,
  type HostedRequestRecord,
  type SessionResult,
  type Terms,
} from './attempt-record.ts';
import type { Observation } from './attempt-watch.ts';
import type { SessionRecord } from './session-record.ts';
import { tokenKeptUntil } from './token-retention.ts';

export interface PollResult {
  readonly observation: Observation;
  /** With a consistent record: what the attempt brought. */
  readonly result?: SessionResult;
  /** With a contradicting record: its figures. */
  readonly recorded?: RecordedFigures;
  /** The payment service says that it has no such thing. */
  readonly isMissing?: true;
  /** It was not asked: its address is not trusted any more. */
  readonly isMoved?: true;
}

/** What a poll is made for. */
interface Followed {
  readonly traceparent?: string | undefined;
}

/** Which attempt of which session is polled. */
export interface Watched {
  readonly session: SessionRecord;
  readonly attempt: AttemptRecord;
}

/** How long a record may take that is read before an attempt is said to have ended without money. */
const RECORD_BEFORE_FAILURE_MS = 5_000;
/** Longest text of a contradicting record that is kept. */
const MAX_RECORDED_TEXT = 100;
/** First amount that has more than twelve digits. */
const IMPLAUSIBLE = 1e12;

/** Opens a hosted page. Throws core's errors; only a returned value is an accepted init. */
export async function openHostedPage(
  bindings: AccessTokenBindings,
  property: Property,
  asked: {
    readonly session: SessionRecord;
    readonly number: number;
    readonly terms: Terms;
    readonly returns: Readonly<Record<'success' | 'abort' | 'nonceHash', string>>;
    readonly traceparent?: string | undefined;
  },
): Promise<HostedRequestRecord> {
  const { session, number, returns, traceparent } = asked;
  const { id, reference } = session;
  const { amount, description, surcharge } = asked.terms;
  const hotel = hotelSnapshot(property);
  const { initCreateTokenNoIframe, initpayNoIframe } = await loadCalls();
  const context = await upstreamContext(bindings, property, { id, hotel, traceparent });
  const cardInfoRefID = cardInfoRefIdOf(session, { number });
  const common = { cardInfoRefID, callbackSuccessUrl: returns.success, callbackAbortUrl: returns.abort };
  // One limit over everything, a login included.
  const init = await withDeadline(UPSTREAM_TIMEOUT_MS, (signal) => {
    if (amount === null) return initCreateTokenNoIframe(context, common, { signal });
    const payment = {
      amount: Money.fromJSON(amount),
      resNo: reference ?? '',
      description: description ?? '',
      surcharge,
    };
    return initpayNoIframe(context, { ...payment, ...common }, { signal });
  });
  const { requestID, serviceProvider, stateRetrivalUrl, viewUrl } = init;
  // One record would prove two payments, and both could be refunded.
  if (session.attempts.some(({ hosted }) => hosted.requestID === requestID)) {
    const operation = amount === null ? 'initCreateTokenNoIframe' : 'initpayNoIframe';
    const error = new InvalidResponseError('requestID', 'requestID is that of an earlier attempt.');
    logUpstreamCall({ operation, property: session.property, resource: id, code: error.code, field: error.path });
    throw error;
  }
  return {
    requestID,
    serviceProvider,
    stateRetrivalUrl,
    viewUrl: viewUrl.href,
    nonceHash: returns.nonceHash,
    ...hotel,
  };
}

/** Asks for the state of the hosted request. A failed call only means that time has passed: the schedule asks again. */
export async function pollState(
  bindings: AccessTokenBindings,
  property: Property,
  watched: Watched,
  { traceparent }: Followed = {},
): Promise<PollResult> {
  try {
    const { paystatus } = await loadCalls();
    const context = await contextOf(bindings, property, { watched, traceparent });
    const status = await paystatus(context, watched.attempt.hosted);
    if (status.state === 'done') {
      // Kept with its prefix, which says what the id names: the record has to name the same thing.
      const objectID = status.objectID && String(status.raw.result);
      return { observation: { seen: 'state_done', objectID } };
    }
    return { observation: { seen: status.state === 'error' ? 'state_error' : 'state_open' } };
  } catch (error) {
    logFailure('paystatus', watched, error);
    return { observation: { seen: 'time' }, ...missing(error) };
  }
}

/** Reads the record of a request and compares it with what was asked. Never throws. */
export async function pollRecord(
  bindings: AccessTokenBindings,
  property: Property,
  watched: Watched,
  { traceparent }: Followed = {},
): Promise<PollResult> {
  const { session, attempt } = watched;
  try {
    const { requestID } = attempt.hosted;
    // An older version kept a blank one.
    const serviceProvider = keptId(attempt.hosted.serviceProvider) ?? property.providerHosted;
    const { amount, surcharge: maySurcharge } = attempt.terms;
    const asked = amount === null ? {} : { amount: Money.fromJSON(amount) };
    const { transaction } = await loadCalls();
    const context = await contextOf(bindings, property, { watched, traceparent });
    const mayFail = attempt.status === 'pending' && attempt.watch.doneSeenAt === null;
    const limitMs = mayFail ? RECORD_BEFORE_FAILURE_MS : UPSTREAM_TIMEOUT_MS;
    const found = await withDeadline(limitMs, (signal) =>
      transaction(context, { requestID, serviceProvider }, { signal }),
    );
    const expected = {
      operation: session.kind === 'payment' ? 'initpayNoIframe' : 'initCreateTokenNoIframe',
      ...asked,
      surcharge: maySurcharge,
      cardInfoRefID: cardInfoRefIdOf(session, attempt),
      requestID,
      maxSurchargePercent: property.maxSurchargePercent,
      ...(attempt.watch.objectID === null ? {} : { objectID: attempt.watch.objectID }),
    } as const;
    const decision = checkRecord(expected, found);
    const refusal = recordedRefusal(expected, found, property.uncertainReturnCodes);
    if (decision.decision === 'not_ready') return { observation: { seen: 'record_not_readable', refusal } };
    if (decision.decision === 'contradiction') {
      const { code, field } = decision;
      logUpstreamCall({ operation: 'transaction', property: session.property, resource: session.id, code, field });
      return {
        observation: { seen: 'record_contradicts', code, showsMoney: showsMoney(found), refusal },
        recorded: recordedFigures(found),
      };
    }
    const common = { transactionId: keptId(found.transactionID), maskedCard: found.maskedCardNo || null };
    const objectId = bareObjectId(attempt.watch.objectID || (found.paymentObjID ?? ''));
    if (decision.payment !== undefined) {
      const { total, base, surcharge } = decision.payment;
      const result: SessionResult = {
        kind: 'payment',
        total: total.toJSON(),
        base: base.toJSON(),
        surcharge: surchargeOf(surcharge ?? undefined),
        paymentObjectId: objectId,
        ...common,
      };
      return { observation: { seen: 'record_consistent' }, result };
    }
    const token = decision.token ?? '';
    const result: SessionResult = {
      kind: 'card',
      sealedToken: await seal(token, cardTokenAad(session, attempt), sealingSecretsOf(property)),
      tokenLast4: token.slice(-4),
      tokenValidUntil: lastDayOf(found.tokenValidUntil),
      tokenKeptUntil: toTimestamp(tokenKeptUntil(found.tokenValidUntil, property, Date.now())),
      tokenObjectId: objectId,
      serviceProvider: keptId(found.serviceProvider) ?? serviceProvider,
      ...common,
    };
    return { observation: { seen: 'record_consistent' }, result };
  } catch (error) {
    logFailure('transaction', watched, error);
    const { isMissing, isMoved } = missing(error);
    if (isMissing) return { observation: { seen: 'record_not_readable' }, isMissing };
    return { observation: { seen: 'record_not_readable', isUnanswered: true }, ...(isMoved && { isMoved }) };
  }
}

/** What is not trusted any more was not asked: the hotel has moved to another address. */
function missing(error: unknown): Pick<PollResult, 'isMissing' | 'isMoved'> {
  if (isInnkeepError(error, 'untrusted_url')) return { isMoved: true };
  return isInnkeepError(error, 'upstream_status') && error.status === 404 ? { isMissing: true } : {};
}

/** The figures of a contradicting record, without its token. */
function recordedFigures(found: TransactionRecord): RecordedFigures {
  const { amount, surcharge, raw } = found;
  const base = surcharge === undefined ? amount : amount?.minus(surcharge.amount);
  return {
    amount: plausible(amount),
    base: plausible(base),
    surcharge: plausible(surcharge?.amount) && surchargeOf(surcharge),
    wireAmount: typeof raw.amount === 'number' ? figure(raw.amount) : null,
    currency: capped(found.currency),
    transactionId: capped(found.transactionID),
    // A token's says so: nobody is to look for a payment of that id.
    paymentObjectId: capped(found.paymentObjID?.trim().replace(/^PAYOBJID=/i, '')),
    maskedCard: capped(found.maskedCardNo),
    returnCode: capped(found.returnCode),
  };
}

function surchargeOf(surcharge: TransactionRecord['surcharge']): RecordedFigures['surcharge'] {
  return surcharge === undefined
    ? null
    : { amount: surcharge.amount.toJSON(), percent: Math.max(0, figure(surcharge.percent) ?? 0) };
}

/** An amount that somebody can have meant: more digits are a card number, or nonsense. */
function plausible(amount: Money | undefined): MoneyJson | null {
  return amount === undefined || amount.minor < 0n || amount.minor >= IMPLAUSIBLE ? null : amount.toJSON();
}

/** A number of no more digits than an amount has; null for one that is larger. */
function figure(value: number): number | null {
  return Math.abs(value) < IMPLAUSIBLE ? Number(value.toPrecision(12)) : null;
}

function capped(text: string | undefined): string | null {
  return (
    text
      ?.trim()
      .slice(0, MAX_RECORDED_TEXT)
      .replace(/\p{Surrogate}$/u, '') || null
  );
}

/** The associated data that an attempt’s card token is sealed with. */
export function cardTokenAad(
  session: Pick<SessionRecord, 'property' | 'id'>,
  attempt: Pick<AttemptRecord, 'number'>,
): string {
  return `card-token:${session.property}:${cardInfoRefIdOf(session, attempt)}`;
}

function contextOf(
  bindings: AccessTokenBindings,
  property: Property,
  { watched, traceparent }: Followed & { readonly watched: Watched },
) {
  return upstreamContext(bindings, property, { id: watched.session.id, hotel: watched.attempt.hosted, traceparent });
}

/** `PAYOBJID=123` → `123`; null when nothing is named. */
function bareObjectId(objectID: string): string | null {
  return objectID.trim().replace(/^[A-Z]+OBJID=/i, '') || null;
}

function logFailure(operation: string, { session }: Watched, error: unknown): void {
  logUpstreamCall({ operation, property: session.property, resource: session.id, code: failureCode(error) });
}
