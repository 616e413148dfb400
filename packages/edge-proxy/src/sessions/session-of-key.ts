/** The one session of a booking, as the hotel wants it now. */
import { MAX_ATTEMPTS } from '@innkeep/core/contract';
import { keyMismatch } from '../http/idempotency.ts';
import { type ProblemDetails, type Refusal, refuse } from '../http/problem.ts';
import type { Act } from '../properties/audit-row.ts';
import { KEY_OF_OTHER_MODE } from '../records/other-mode.ts';
import { mayBePaid } from './attempt-record.ts';
import { tooManyAttempts } from './refusals.ts';
import type { SessionAttempts } from './session-attempts.ts';
import { hasOffer, isOfMode, type NewSession, type SessionRecord } from './session-record.ts';
import type { SessionStorage } from './session-storage.ts';
import type { SessionTransitions } from './session-transitions.ts';

/** How a call for the session of a key is made. */
export interface EnsureOptions {
  /** Why the property would not accept what is wanted, should it have to be stored. */
  readonly refusal?: ProblemDetails | undefined;
  readonly traceparent?: string | undefined;
}

interface Parts {
  readonly store: SessionStorage;
  readonly transitions: SessionTransitions;
  readonly attempts: SessionAttempts;
  /** Ends the client secret of a session that somebody has ended. Returns why not, if it cannot. */
  readonly endSecrets: (record: SessionRecord) => Promise<Refusal | undefined>;
}

/**
 * Brings the session of a key up to date, reopens it, or leaves it as it is while somebody pays it or may have paid.
 * Returns why not, when it cannot.
 */
export async function bringUpToDate(
  parts: Parts,
  wanted: NewSession,
  options: EnsureOptions,
): Promise<Refusal | undefined> {
  const { store, transitions, attempts, endSecrets } = parts;
  const { refusal, traceparent } = options;
  await attempts.passOverdue();
  const record = store.load();
  if (record === undefined) return undefined;
  if (record.redactedAt !== undefined) {
    const detail = 'The session of this key was redacted: use a new key';
    return refuse('key_used', { detail, resource: record.id });
  }
  if (!isOfMode(record, wanted.livemode)) {
    return refuse('key_used', { detail: KEY_OF_OTHER_MODE, resource: record.id });
  }
  const param = mismatchOf(record, wanted);
  if (param !== undefined) return { ...keyMismatch(record.id), param };
  if (record.state === 'expired' && !record.final) {
    if (!(await attempts.areUnpaid(record.attempts.filter(mayBePaid), traceparent))) return undefined;
  }
  // Nothing but the end of a secret is awaited from here to the commit.
  const current = store.load() ?? record;
  const { state } = current;
  const isBeingPaid = state === 'pending' || (state === 'open' && attempts.hostedStart.underWay !== undefined);
  if (!isBeingPaid && !isPayable(current)) return undefined;
  if (state !== 'expired' && hasOffer(current, wanted)) return undefined;
  if (refusal !== undefined) return state === 'pending' ? undefined : refuse('invalid_request', refusal);
  const act: Act = { action: 'checkout_session.changed', actor: wanted.madeBy };
  if (isBeingPaid) {
    transitions.keepOffer(current, wanted, act);
    return undefined;
  }
  if (state === 'expired') {
    if (current.attempts.length >= MAX_ATTEMPTS) return tooManyAttempts(current);
    const ended = current.closed?.by === 'merchant' ? await endSecrets(current) : undefined;
    if (ended !== undefined) return ended;
    // Redacted meanwhile, or opened and ended once more.
    if (store.load()?.seq !== current.seq) return bringUpToDate(parts, wanted, options);
  }
  transitions.apply({ is: 'offered', offer: wanted }, act);
  return undefined;
}

function isPayable({ state }: SessionRecord): boolean {
  return state === 'open' || state === 'expired';
}

/** What keeps a body from being that of the same booking. */
function mismatchOf(record: SessionRecord, wanted: NewSession): string | undefined {
  if (record.kind !== wanted.kind) return 'kind';
  if (record.reference !== wanted.reference) return 'reference';
  return record.terms.amount?.currency === wanted.terms.amount?.currency ? undefined : 'amount.currency';
}
