/** The three calls of a hosted journey, from and to what a session stores. */
import type { MoneyJson, RecordedFigures } from '@innkeep/core/contract';
import { isInnkeepError } from '@innkeep/core/errors';
import { checkRecord, recordedRefusal, showsMoney } from '@innkeep/core/hosted';
import { initCreateTokenNoIframe } from '@innkeep/core/operations/init-create-token-no-iframe';
import { initpayNoIframe } from '@innkeep/core/operations/initpay-no-iframe';
import { paystatus } from '@innkeep/core/operations/paystatus';
import { type TransactionRecord, transaction } from '@innkeep/core/operations/transaction';
import { Money } from '@innkeep/core/values';
import { type Property, sealingSecretsOf } from '../config/properties.ts';
import { seal } from '../crypto/seal.ts';
import { withDeadline } from '../deadline.ts';
import type { Observation } from '../policy/session-watch.ts';
import {
  type HostedRequestRecord,
  hotelSnapshot,
  type SessionRecord,
  type SessionResult,
  type StartedRecord,
} from '../records/session-record.ts';
import type { AccessTokenBindings } from './access-token-source.ts';
import { keptId, upstreamContext } from './upstream-client.ts';
import { failureCode } from './upstream-failure.ts';
import { logUpstreamCall } from './upstream-log.ts';
import { UPSTREAM_TIMEOUT_MS } from './upstream-options.ts';

export interface Sight {
  readonly observation: Observation;
  /** With a consistent record: what the session brought. */
  readonly result?: SessionResult;
  /** With a contradicting record: its figures. */
  readonly recorded?: RecordedFigures;
}

/** What a look is made for. */
interface Followed {
  readonly traceparent?: string | undefined;
}

/** How long a record may take that is read before a session is called failed or canceled. */
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
    readonly record: SessionRecord;
    readonly returns: Readonly<Record<'success' | 'abort' | 'nonceHash', string>>;
    readonly traceparent?: string | undefined;
  },
): Promise<HostedRequestRecord> {
  const { record, returns, traceparent } = asked;
  const { id, amount, reference: resNo, description, surcharge } = record;
  const hotel = hotelSnapshot(property);
  const context = upstreamContext(bindings, property, { id, hotel, traceparent });
  const common = { cardInfoRefID: id, callbackSuccessUrl: returns.success, callbackAbortUrl: returns.abort };
  // One limit over everything, a login included.
  const init = await withDeadline(UPSTREAM_TIMEOUT_MS, (signal) => {
    if (amount === null) return initCreateTokenNoIframe(context, common, { signal });
    const payment = { amount: Money.fromJSON(amount), resNo, description: description ?? '', surcharge };
    return initpayNoIframe(context, { ...payment, ...common }, { signal });
  });
  const { requestID, serviceProvider, stateRetrivalUrl, viewUrl } = init;
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
export async function lookAtState(
  bindings: AccessTokenBindings,
  property: Property,
  record: StartedRecord,
  { traceparent }: Followed = {},
): Promise<Sight> {
  try {
    const status = await paystatus(contextOf(bindings, property, { record, traceparent }), record.hosted);
    // Kept with its prefix, which says what the id names: the record has to name the same thing.
    const objectID = String(status.raw.result ?? '');
    if (status.state === 'done') return { observation: { seen: 'state_done', objectID } };
    return { observation: { seen: status.state === 'error' ? 'state_error' : 'state_open' } };
  } catch (error) {
    logFailure('paystatus', record, error);
    return { observation: { seen: 'time' } };
  }
}

/** Reads the record of a request and compares it with what was asked. Never throws. */
export async function lookAtRecord(
  bindings: AccessTokenBindings,
  property: Property,
  record: StartedRecord,
  { traceparent }: Followed = {},
): Promise<Sight> {
  try {
    const { requestID, serviceProvider } = record.hosted;
    const asked = record.amount === null ? {} : { amount: Money.fromJSON(record.amount) };
    const context = contextOf(bindings, property, { record, traceparent });
    const limitMs = record.watch.doneSeenAt === null ? RECORD_BEFORE_FAILURE_MS : UPSTREAM_TIMEOUT_MS;
    const found = await withDeadline(limitMs, (signal) =>
      transaction(context, { requestID, serviceProvider }, { signal }),
    );
    const expected = {
      operation: record.kind === 'payment' ? 'initpayNoIframe' : 'initCreateTokenNoIframe',
      ...asked,
      surcharge: record.surcharge,
      cardInfoRefID: record.id,
      requestID,
      maxSurchargePercent: property.maxSurchargePercent,
      ...(record.watch.objectID === null ? {} : { objectID: record.watch.objectID }),
    } as const;
    const verdict = checkRecord(expected, found);
    const refusal = recordedRefusal(expected, found, property.uncertainReturnCodes);
    if (verdict.verdict === 'not_ready') return { observation: { seen: 'record_not_readable', refusal } };
    if (verdict.verdict === 'contradiction') {
      const { code, field } = verdict;
      logUpstreamCall({ operation: 'transaction', property: record.property, resource: record.id, code, field });
      return {
        observation: { seen: 'record_contradicts', code, showsMoney: showsMoney(found), refusal },
        recorded: recordedFigures(found),
      };
    }
    const common = { transactionId: keptId(found.transactionID), maskedCard: found.maskedCardNo || null };
    const objectId = bareObjectId(record.watch.objectID || (found.paymentObjID ?? ''));
    if (verdict.payment !== undefined) {
      const { total, base, surcharge } = verdict.payment;
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
    const token = verdict.token ?? '';
    const result: SessionResult = {
      kind: 'card',
      sealedToken: await seal(token, cardTokenPlace(record), sealingSecretsOf(property)),
      tokenLast4: token.slice(-4),
      tokenValidUntil: found.tokenValidUntil ?? null,
      tokenObjectId: objectId,
      ...common,
    };
    return { observation: { seen: 'record_consistent' }, result };
  } catch (error) {
    logFailure('transaction', record, error);
    const isMissing = isInnkeepError(error, 'upstream_status') && error.status === 404;
    return { observation: { seen: 'record_not_readable', ...(isMissing ? {} : { isUnanswered: true }) } };
  }
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
    paymentObjectId: capped(bareObjectId(found.paymentObjID ?? '') ?? undefined),
    maskedCard: capped(found.maskedCardNo),
    returnCode: capped(found.returnCode),
  };
}

function surchargeOf(surcharge: TransactionRecord['surcharge']): RecordedFigures['surcharge'] {
  return surcharge === undefined
    ? null
    : { amount: surcharge.amount.toJSON(), percent: figure(surcharge.percent) ?? 0 };
}

/** Money that somebody can have meant: more digits are a card number, or nonsense. */
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

/** What a session's card token is sealed for. */
export function cardTokenPlace(record: Pick<SessionRecord, 'property' | 'id'>): string {
  return `card-token:${record.property}:${record.id}`;
}

function contextOf(
  bindings: AccessTokenBindings,
  property: Property,
  { record, traceparent }: Followed & { readonly record: StartedRecord },
) {
  return upstreamContext(bindings, property, { id: record.id, hotel: record.hosted, traceparent });
}

/** `PAYOBJID=123` → `123`; null when nothing is named. */
function bareObjectId(objectID: string): string | null {
  return objectID.trim().replace(/^[A-Z]+OBJID=/i, '') || null;
}

function logFailure(operation: string, record: SessionRecord, error: unknown): void {
  logUpstreamCall({ operation, property: record.property, resource: record.id, code: failureCode(error) });
}
