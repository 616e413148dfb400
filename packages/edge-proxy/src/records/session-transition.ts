/** How an event changes a session's record, and what the ledger gets. Pure. */
import type { CheckoutErrorCode, RecordedFigures } from '@innkeep/core/contract';
import {
  endedWithoutMoney,
  nextSessionState,
  type SessionEvent,
  type SessionState,
  sessionEventType,
  toSessionStatus,
} from '../policy/session-machine.ts';
import type { LedgerUpdate } from './ledger-update.ts';
import {
  type HostedRequestRecord,
  type Presentation,
  type Resolution,
  type SessionRecord,
  type SessionResult,
  toMerchantSession,
} from './session-record.ts';

export interface SessionChange {
  readonly hosted?: HostedRequestRecord;
  readonly presentation?: Presentation;
  readonly watch?: SessionRecord['watch'];
  readonly result?: SessionResult | undefined;
  readonly error?: CheckoutErrorCode | undefined;
  readonly recorded?: RecordedFigures | undefined;
  readonly resolution?: Resolution;
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

/** The record after an event; undefined when the event means nothing in its state. */
export function transition(
  record: SessionRecord,
  event: SessionEvent,
  { now, ...change }: SessionChange & { readonly now: number },
): SessionRecord | undefined {
  const state = nextSessionState(record.state, event);
  if (state === undefined) return undefined;
  const isOutcome = state === 'succeeded' || state === 'failed' || state === 'canceled';
  // A consistent record leaves nothing to show of what an earlier one said.
  const { recorded = change.result === undefined ? record.recorded : undefined } = change;
  const { recorded: _, ...kept } = record;
  return {
    ...kept,
    ...(recorded === undefined ? {} : { recorded }),
    ...(endedWithoutMoney(record.state) ? { endedBefore: true } : {}),
    seq: record.seq + 1,
    state,
    since: now,
    startedAt: state === 'pending' ? now : record.startedAt,
    completedAt: isOutcome ? now : null,
    hosted: change.hosted ?? record.hosted,
    presentation: change.presentation ?? record.presentation,
    watch: change.watch ?? record.watch,
    result: state === 'succeeded' ? (change.result ?? resolvedResult(record, change.resolution)) : record.result,
    error: errorAfter(record, state, change),
    resolution: change.resolution ?? record.resolution,
  };
}

function errorAfter(record: SessionRecord, state: SessionState, change: SessionChange): SessionRecord['error'] {
  if (state === 'succeeded') return null;
  const { resolution } = change;
  const code: CheckoutErrorCode | undefined =
    change.error ?? record.error?.code ?? (resolution === undefined ? undefined : 'upstream_failed');
  if (code === undefined) return null;
  return {
    code,
    message: resolution === undefined ? ERROR_MESSAGES[code] : `Resolved by hand: ${resolution.evidence}`,
  };
}

/** The result of a session that a person resolved: the amount that moved, or else the amount asked for, and no more. */
function resolvedResult(record: SessionRecord, resolution: Resolution | undefined): SessionResult | null {
  const transactionId = resolution?.transactionId ?? null;
  if (record.amount === null) {
    const nothing = { sealedToken: null, tokenLast4: null, tokenValidUntil: null, tokenObjectId: null };
    return { kind: 'card', ...nothing, transactionId, maskedCard: null };
  }
  const amount = resolution?.amount ?? record.amount;
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

/** A version as the ledger gets it. */
export function sessionEntry(record: SessionRecord): Pick<LedgerUpdate, 'type' | 'resource'> {
  const last4 = record.result?.kind === 'card' ? record.result.tokenLast4 : null;
  return {
    type: sessionEventType(record.state) ?? null,
    resource: {
      id: record.id,
      kind: 'checkout_session',
      seq: record.seq,
      status: toSessionStatus(record.state),
      reference: record.reference,
      createdAt: record.createdAt,
      body: JSON.stringify(toMerchantSession(record, last4)),
    },
  };
}
