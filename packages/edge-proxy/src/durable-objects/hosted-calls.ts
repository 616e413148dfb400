/** The three calls of a hosted journey, from and to what a session stores. */
import { isInnkeepError } from '@innkeep/core/errors';
import { checkRecord } from '@innkeep/core/hosted';
import { initCreateTokenNoIframe } from '@innkeep/core/operations/init-create-token-no-iframe';
import { initpayNoIframe } from '@innkeep/core/operations/initpay-no-iframe';
import { paystatus } from '@innkeep/core/operations/paystatus';
import { transaction } from '@innkeep/core/operations/transaction';
import { Money } from '@innkeep/core/values';
import type { Property } from '../config/properties.ts';
import { seal } from '../crypto/seal.ts';
import type { Observation } from '../policy/session-watch.ts';
import type { AccessTokenBindings } from './access-token-source.ts';
import { withDeadline } from './deadline.ts';
import type { HostedRequestRecord, SessionRecord, SessionResult, StartedRecord } from './session-record.ts';
import { sessionContext } from './upstream-client.ts';
import { failureCode } from './upstream-failure.ts';
import { logUpstreamCall } from './upstream-log.ts';
import { hotelSnapshot, UPSTREAM_TIMEOUT_MS } from './upstream-options.ts';

/** What a look at the upstream saw; undefined when it saw nothing new. */
export interface Sight {
  readonly observation: Observation;
  /** With a consistent record: what the session brought. */
  readonly result?: SessionResult;
}

/** Where the guest comes back to. */
export interface ReturnAddresses {
  readonly success: string;
  readonly abort: string;
  readonly nonceHash: string;
}

/** Opens a hosted page. Throws core's errors; only a returned value is an accepted init. */
export async function openHostedPage(
  bindings: AccessTokenBindings,
  property: Property,
  asked: { readonly record: SessionRecord; readonly returns: ReturnAddresses },
): Promise<HostedRequestRecord> {
  const { record, returns } = asked;
  const hotel = hotelSnapshot(property);
  const context = sessionContext(bindings, property, { id: record.id, hotel });
  const callbacks = { callbackSuccessUrl: returns.success, callbackAbortUrl: returns.abort };
  const { amount } = record;
  // One limit over everything, a login included.
  const init = await withDeadline(UPSTREAM_TIMEOUT_MS, (signal) =>
    amount === null
      ? initCreateTokenNoIframe(context, { cardInfoRefID: record.id, ...callbacks }, { signal })
      : initpayNoIframe(
          context,
          {
            amount: Money.fromJSON(amount),
            cardInfoRefID: record.id,
            resNo: record.reference,
            description: record.description ?? '',
            surcharge: record.surcharge,
            ...callbacks,
          },
          { signal },
        ),
  );
  return {
    requestID: init.requestID,
    serviceProvider: init.serviceProvider,
    stateRetrivalUrl: init.stateRetrivalUrl,
    viewUrl: init.viewUrl.href,
    nonceHash: returns.nonceHash,
    ...hotel,
  };
}

/** Asks how the hosted request stands. A failed call is no sight: the schedule asks again. */
export async function lookAtState(
  bindings: AccessTokenBindings,
  property: Property,
  record: StartedRecord,
): Promise<Sight | undefined> {
  try {
    const status = await paystatus(contextOf(bindings, property, record), record.hosted);
    // As it came: its prefix says what the id names, and the record has to name the same thing.
    const objectID = String(status.raw.result ?? '');
    if (status.state === 'done') return { observation: { seen: 'state_done', objectID } };
    return status.state === 'error' ? { observation: { seen: 'state_error' } } : undefined;
  } catch (error) {
    logFailure('paystatus', record, error);
    return undefined;
  }
}

/** Reads the record of a finished request and compares it with what was asked. Never throws. */
export async function lookAtRecord(
  bindings: AccessTokenBindings,
  property: Property,
  record: StartedRecord,
): Promise<Sight> {
  try {
    const { hosted } = record;
    const asked = record.amount === null ? {} : { amount: Money.fromJSON(record.amount) };
    const found = await transaction(contextOf(bindings, property, record), { ...hosted, request: asked });
    const verdict = checkRecord(
      {
        operation: record.kind === 'payment' ? 'initpayNoIframe' : 'initCreateTokenNoIframe',
        ...asked,
        surcharge: record.surcharge,
        cardInfoRefID: record.id,
        requestID: hosted.requestID,
        ...(record.watch.objectID === null ? {} : { objectID: record.watch.objectID }),
      },
      found,
    );
    if (verdict.verdict === 'not_ready') return { observation: { seen: 'record_not_readable' } };
    if (verdict.verdict === 'contradiction') {
      logUpstreamCall({
        operation: 'transaction',
        property: record.property,
        resource: record.id,
        code: verdict.code,
        field: verdict.field,
      });
      return { observation: { seen: 'record_contradicts', code: verdict.code } };
    }
    const common = {
      transactionId: found.transactionID ?? null,
      maskedCard: found.maskedCardNo ?? null,
    };
    const objectId = bareObjectId(record.watch.objectID || (found.paymentObjID ?? ''));
    if (verdict.payment !== undefined) {
      const { total, base, surcharge } = verdict.payment;
      const result: SessionResult = {
        kind: 'payment',
        total: total.toJSON(),
        base: base.toJSON(),
        surcharge: surcharge === null ? null : { amount: surcharge.amount.toJSON(), percent: surcharge.percent },
        paymentObjectId: objectId,
        ...common,
      };
      return { observation: { seen: 'record_consistent' }, result };
    }
    const token = verdict.token ?? '';
    const result: SessionResult = {
      kind: 'card',
      sealedToken: await seal(token, cardTokenPlace(record), property.password),
      tokenLast4: token.slice(-4),
      tokenValidUntil: found.tokenValidUntil ?? null,
      tokenObjectId: objectId,
      ...common,
    };
    return { observation: { seen: 'record_consistent' }, result };
  } catch (error) {
    logFailure('transaction', record, error);
    if (isInnkeepError(error, 'amount_unit_mismatch')) {
      return { observation: { seen: 'record_contradicts', code: 'amount_unit_mismatch' } };
    }
    return { observation: { seen: 'record_not_readable' } };
  }
}

/** Where a session's card token is sealed for. */
export function cardTokenPlace(record: Pick<SessionRecord, 'property' | 'id'>): string {
  return `card-token:${record.property}:${record.id}`;
}

function contextOf(bindings: AccessTokenBindings, property: Property, record: StartedRecord) {
  return sessionContext(bindings, property, { id: record.id, hotel: record.hosted });
}

/** `PAYOBJID=123` → `123`; null when nothing is named. */
function bareObjectId(objectID: string): string | null {
  return objectID.trim().replace(/^[A-Z]+OBJID=/i, '') || null;
}

function logFailure(operation: string, record: SessionRecord, error: unknown): void {
  logUpstreamCall({ operation, property: record.property, resource: record.id, code: failureCode(error) });
}
