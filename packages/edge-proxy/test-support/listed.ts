/** Sessions, charges and reversals as a ledger is told of them. */
import type { ChargeRecord, ReversalRecord } from '../src/money/money-record.ts';
import { moneyEntry } from '../src/money/money-transition.ts';
import type { LedgerUpdate } from '../src/records/ledger-update.ts';
import type { AttemptRecord } from '../src/sessions/attempt-record.ts';
import type { SessionRecord } from '../src/sessions/session-record.ts';
import { sessionEntry } from '../src/sessions/session-transition.ts';
import { NEW_CHARGE_RECORD, NEW_REVERSAL_RECORD, PAYMENT_RESULT, sessionWith } from './records.ts';

/** An id that is well formed. */
export function listedId(prefix: 'cs' | 'ch' | 'rv' | 'ev', n: number): string {
  return `${prefix}_${String(n).padStart(26, '0')}`;
}

let events = 0;

function told(entry: Omit<LedgerUpdate, 'eventId' | 'at'>, at: number): LedgerUpdate {
  events += 1;
  return { ...entry, eventId: listedId('ev', events), at };
}

/** A session after these attempts. */
export function listedSession(
  n: number,
  attempts: readonly Partial<AttemptRecord>[],
  changes: Partial<SessionRecord> & { readonly createdAt: number },
): LedgerUpdate {
  const record = sessionWith(attempts, { id: listedId('cs', n), ...changes });
  return told(sessionEntry(record), changes.createdAt);
}

/** An attempt that was paid then. */
export function paidAt(at: number, value: number = 12_240): Partial<AttemptRecord> {
  return {
    status: 'succeeded',
    startedAt: at - 60_000,
    endedAt: at,
    result: { ...PAYMENT_RESULT, total: { value, currency: 'EUR' } },
  };
}

/** A charge. */
export function listedCharge(n: number, changes: Partial<ChargeRecord> & { readonly createdAt: number }): LedgerUpdate {
  return told(
    moneyEntry({ ...NEW_CHARGE_RECORD, id: listedId('ch', n), sealedToken: null, ...changes }),
    changes.createdAt,
  );
}

/** A reversal. */
export function listedReversal(
  n: number,
  changes: Partial<ReversalRecord> & { readonly createdAt: number },
): LedgerUpdate {
  return told(moneyEntry({ ...NEW_REVERSAL_RECORD, id: listedId('rv', n), ...changes }), changes.createdAt);
}
