/** How an event changes the record of a charge or a reversal, and what the ledger gets. Pure. */

import type { LedgerUpdate } from '../records/ledger-update.ts';
import { REPEAT_GUARD_MS } from '../records/reservations.ts';
import { hasMoneyEvent, isFinalMoneyState, type MoneyEvent, nextMoneyState } from './money-machine.ts';
import { type ChargeRecord, type MoneyRecord, toMerchantOperation } from './money-record.ts';

/** Where every charge and every reversal begins. */
export const NEW_PROGRESS = {
  seq: 1,
  state: 'created',
  transactionId: null,
  error: null,
  resolution: null,
  completedAt: null,
} as const;

export type MoneyChange = Partial<Pick<ChargeRecord, 'transactionId' | 'error' | 'resolution' | 'maskedCard'>>;

/** Why another charge like this one may be a duplicate: it may still be executed or have been, or it has just been. */
export type DuplicateRisk = 'undecided' | 'succeeded';

/** The record after an event; undefined when the event means nothing in its state. */
export function moneyTransition(
  record: MoneyRecord,
  event: MoneyEvent,
  { now, ...change }: MoneyChange & { readonly now: number },
): MoneyRecord | undefined {
  const state = nextMoneyState(record.state, event);
  if (state === undefined) return undefined;
  const progress = { seq: record.seq + 1, state, completedAt: isFinalMoneyState(state) ? now : null };
  // What is sent has taken it along, and what ended unsent no longer needs it.
  if (record.kind === 'charge') return { ...record, ...change, sealedToken: null, ...progress };
  // A reversal has no card.
  const { maskedCard: _, ...rest } = change;
  return { ...record, ...rest, ...progress };
}

/** A version as the ledger gets it. */
export function moneyEntry(record: MoneyRecord): Omit<LedgerUpdate, 'eventId' | 'at'> {
  return {
    type: hasMoneyEvent(record.state) ? `${record.kind}.${record.state}` : null,
    resource: {
      id: record.id,
      kind: record.kind,
      seq: record.seq,
      status: record.state,
      reference: record.reference,
      createdAt: record.createdAt,
      madeBy: record.madeBy,
      body: JSON.stringify(toMerchantOperation(record)),
    },
    ...intentOf(record),
  };
}

function intentOf(record: MoneyRecord): Pick<LedgerUpdate, 'endsIntent' | 'keepsIntentUntil'> {
  if (record.kind !== 'charge' || !isFinalMoneyState(record.state)) return {};
  if (record.state !== 'succeeded') return { endsIntent: true };
  return { keepsIntentUntil: (record.completedAt ?? 0) + REPEAT_GUARD_MS };
}

/** Why another charge like this one may be a duplicate; null when it is none. */
export function duplicateRiskOf(record: MoneyRecord, now: number): DuplicateRisk | null {
  if (!isFinalMoneyState(record.state)) return 'undecided';
  return record.state === 'succeeded' && now < (record.completedAt ?? 0) + REPEAT_GUARD_MS ? 'succeeded' : null;
}
