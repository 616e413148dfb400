import { describe, expect, test } from 'vitest';
import { ACTOR, CREATED_AT, NEW_CHARGE_RECORD, NEW_REVERSAL_RECORD } from '../../test-support/records.ts';
import { REPEAT_GUARD_MS } from '../records/reservations.ts';
import { toMerchantOperation } from './money-record.ts';
import { duplicateRiskOf, moneyEntry, moneyTransition } from './money-transition.ts';

const now = CREATED_AT + 1_000;

describe('a transition', () => {
  test('that the table does not have is none', () => {
    expect(moneyTransition(NEW_CHARGE_RECORD, 'executed', { now })).toBeUndefined();
  });

  test('counts, and forgets the token with the request', () => {
    expect(moneyTransition(NEW_CHARGE_RECORD, 'handed_over', { now, sealedToken: null })).toStrictEqual({
      ...NEW_CHARGE_RECORD,
      seq: 2,
      state: 'sent',
      sealedToken: null,
    });
  });

  test('to a final outcome has the time and what came with it', () => {
    const change = { transactionId: 'TX-1', maskedCard: '424242******4242' };
    const sent = { ...NEW_CHARGE_RECORD, seq: 2, state: 'sent' } as const;
    expect(moneyTransition(sent, 'executed', { now, ...change })).toStrictEqual({
      ...sent,
      ...change,
      seq: 3,
      state: 'succeeded',
      completedAt: now,
    });
  });

  test('to an unknown outcome does not complete', () => {
    const sent = { ...NEW_REVERSAL_RECORD, seq: 2, state: 'sent' } as const;
    expect(moneyTransition(sent, 'no_clear_answer', { now })).toStrictEqual({ ...sent, seq: 3, state: 'unknown' });
  });

  test('gives a reversal no card', () => {
    const sent = { ...NEW_REVERSAL_RECORD, seq: 2, state: 'sent' } as const;
    const change = { transactionId: 'TX-2', maskedCard: '424242******4242', sealedToken: null };
    expect(moneyTransition(sent, 'executed', { now, ...change })).toStrictEqual({
      ...sent,
      transactionId: 'TX-2',
      seq: 3,
      state: 'succeeded',
      completedAt: now,
    });
  });
});

describe('the ledger gets', () => {
  const { id, kind, reference, createdAt } = NEW_CHARGE_RECORD;

  test.each([
    ['created', null, {}],
    ['sent', null, {}],
    ['unknown', 'charge.unknown', {}],
    ['declined', 'charge.declined', { endsIntent: true }],
    ['failed', 'charge.failed', { endsIntent: true }],
    ['succeeded', 'charge.succeeded', { keepsIntentUntil: now + REPEAT_GUARD_MS }],
  ] as const)('a charge that is %s', (state, type, intent) => {
    const record = { ...NEW_CHARGE_RECORD, state, completedAt: now };
    const body = JSON.stringify(toMerchantOperation(record));
    expect(moneyEntry(record)).toStrictEqual({
      type,
      resource: { id, kind, seq: 1, status: state, reference, createdAt, madeBy: ACTOR, body },
      ...intent,
    });
  });

  test.each(['succeeded', 'failed'] as const)('a reversal that %s, which keeps no charge from being made', (state) => {
    const record = { ...NEW_REVERSAL_RECORD, state };
    expect(moneyEntry(record)).toStrictEqual({
      type: `reversal.${state}`,
      resource: {
        id: 'rv_1',
        kind: 'reversal',
        seq: 1,
        status: state,
        reference: 'RES-1',
        createdAt,
        madeBy: ACTOR,
        body: JSON.stringify(toMerchantOperation(record)),
      },
    });
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
