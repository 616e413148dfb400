import { describe, expect, test } from 'vitest';
import { ACTOR, CREATED_AT, NEW_CHARGE_RECORD, NEW_REVERSAL_RECORD } from '../../test-support/records.ts';
import { REPEAT_GUARD_MS } from '../records/reservations.ts';
import type { MoneyEvent } from './money-machine.ts';
import { type MoneyRecord, toMerchantOperation } from './money-record.ts';
import { duplicateRiskOf, type MoneyChange, moneyEntry, moneyTransition } from './money-transition.ts';

const now = CREATED_AT + 1_000;

const SENT = { seq: 2, state: 'sent' } as const;
const answer = { transactionId: 'TX-1', maskedCard: '424242******4242' };
const SENT_CHARGE = { ...SENT, sealedToken: null };
const charge = { ...NEW_CHARGE_RECORD, ...SENT_CHARGE };
const reversal = { ...NEW_REVERSAL_RECORD, ...SENT };
const succeeded = { seq: 3, state: 'succeeded', transactionId: 'TX-1', completedAt: now };

test.each<[string, MoneyRecord, MoneyEvent, Partial<MoneyChange>, object | undefined]>([
  ['that the table does not have is none', NEW_CHARGE_RECORD, 'executed', {}, undefined],
  ['counts, and forgets the token with the request', NEW_CHARGE_RECORD, 'handed_over', {}, SENT_CHARGE],
  [
    'to a final outcome forgets the token, too, when nothing was sent',
    NEW_CHARGE_RECORD,
    'not_executed',
    {},
    { seq: 2, state: 'failed', sealedToken: null, completedAt: now },
  ],
  ['to a final outcome has the time and what came with it', charge, 'executed', answer, { ...succeeded, ...answer }],
  ['to an unknown outcome does not complete', reversal, 'no_clear_answer', {}, { seq: 3, state: 'unknown' }],
  ['gives a reversal no card', reversal, 'executed', answer, succeeded],
])('a transition %s', (_, record, event, change, expected) => {
  const next = moneyTransition(record, event, { now, ...change });
  expect(next).toStrictEqual(expected && { ...record, ...expected });
});

describe('the ledger gets', () => {
  /** Of a record that nothing was changed of but its state. */
  const resourceOf = (record: MoneyRecord) => {
    const { id, kind, seq, state, reference, createdAt } = record;
    const body = JSON.stringify(toMerchantOperation(record));
    return { id, kind, seq, status: state, reference, createdAt, madeBy: ACTOR, body };
  };

  test.each([
    ['created', null, {}],
    ['sent', null, {}],
    ['unknown', 'charge.unknown', {}],
    ['declined', 'charge.declined', { endsIntent: true }],
    ['failed', 'charge.failed', { endsIntent: true }],
    ['succeeded', 'charge.succeeded', { keepsIntentUntil: now + REPEAT_GUARD_MS }],
  ] as const)('a charge that is %s', (state, type, intent) => {
    const record = { ...NEW_CHARGE_RECORD, state, completedAt: now };
    expect(moneyEntry(record)).toStrictEqual({ type, resource: resourceOf(record), ...intent });
  });

  test.each(['succeeded', 'failed'] as const)('a reversal that %s, which keeps no charge from being made', (state) => {
    const record = { ...NEW_REVERSAL_RECORD, state };
    expect(moneyEntry(record)).toStrictEqual({ type: `reversal.${state}`, resource: resourceOf(record) });
  });
});

describe('another charge like this one', () => {
  const paid = { ...NEW_CHARGE_RECORD, state: 'succeeded', completedAt: now } as const;

  test.each(['created', 'sent', 'unknown'] as const)('may be a duplicate however long it is %s', (state) => {
    expect(duplicateRiskOf({ ...NEW_CHARGE_RECORD, state }, now + 100 * REPEAT_GUARD_MS)).toBe('undecided');
  });

  test.each(['declined', 'failed'] as const)('is none after it was %s', (state) => {
    expect(duplicateRiskOf({ ...NEW_CHARGE_RECORD, state, completedAt: now }, now)).toBeNull();
  });

  test('may be one for a while after success', () => {
    expect(duplicateRiskOf(paid, now + REPEAT_GUARD_MS - 1)).toBe('succeeded');
    expect(duplicateRiskOf(paid, now + REPEAT_GUARD_MS)).toBeNull();
  });
});
