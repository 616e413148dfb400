import { describe, expect, test } from 'vitest';
import {
  CARD_RESULT,
  CREATED_AT,
  HOSTED,
  OPEN_SESSION,
  PAYMENT_RESULT,
  PENDING_SESSION,
} from '../../test-support/records.ts';
import type { Resolution, SessionRecord } from './session-record.ts';
import { sessionEntry, transition } from './session-transition.ts';

const now = CREATED_AT + 60_000;
const AMOUNT = { value: 12_000, currency: 'EUR' };
const RECORDED = {
  amount: { value: 11_999, currency: 'EUR' },
  base: { value: 11_999, currency: 'EUR' },
  surcharge: null,
  wireAmount: 11_999,
  currency: 'EUR',
  transactionId: 'TX-1',
  paymentObjectId: '4711',
  maskedCard: null,
  returnCode: '0',
};
const MISMATCH = {
  code: 'amount_mismatch',
  message: 'The recorded amount is not the amount requested: money may have moved',
} as const;
const UNKNOWN: SessionRecord = { ...PENDING_SESSION, seq: 3, state: 'unknown', error: MISMATCH, recorded: RECORDED };
const RESOLUTION: Resolution = {
  status: 'succeeded',
  evidence: 'Portal',
  transactionId: 'TX-9',
  by: 'web',
  at: now,
};

describe('a transition', () => {
  test.each([
    ['open', 'record_consistent'],
    ['pending', 'resolved_succeeded'],
    ['succeeded', 'record_contradicts'],
    ['lapsed', 'init_accepted'],
  ] as const)('from %s by %s is none', (state, event) => {
    expect(transition({ ...PENDING_SESSION, state }, event, { now })).toBeUndefined();
  });

  test('opens the hosted page', () => {
    const started = transition(OPEN_SESSION, 'init_accepted', {
      now: CREATED_AT + 10_000,
      hosted: HOSTED,
      presentation: 'tab',
    });
    expect(started).toStrictEqual(PENDING_SESSION);
  });

  test('keeps what it does not change', () => {
    expect(transition(PENDING_SESSION, 'deadline_passed', { now })).toStrictEqual({
      ...PENDING_SESSION,
      seq: 3,
      state: 'expired',
      since: now,
    });
  });

  test('leaves a session that nobody started without a start', () => {
    expect(transition(OPEN_SESSION, 'expired_by_merchant', { now })).toStrictEqual({
      ...OPEN_SESSION,
      seq: 2,
      state: 'lapsed',
      since: now,
    });
  });

  test('to a success has the result, the watch and the time', () => {
    const watch = { ...PENDING_SESSION.watch, doneSeenAt: now };
    const paid = transition(PENDING_SESSION, 'record_consistent', { now, watch, result: PAYMENT_RESULT });
    expect(paid).toStrictEqual({
      ...PENDING_SESSION,
      seq: 3,
      state: 'succeeded',
      since: now,
      completedAt: now,
      watch,
      result: PAYMENT_RESULT,
    });
  });

  test.each([
    ['ended_with_error', 'failed', 'upstream_failed', 'The payment service ended the payment with an error'],
    ['ended_by_guest', 'canceled', 'canceled_by_guest', 'The guest canceled on the payment page'],
  ] as const)('by %s ends as %s', (event, state, code, message) => {
    expect(transition(PENDING_SESSION, event, { now, error: code })).toStrictEqual({
      ...PENDING_SESSION,
      seq: 3,
      state,
      since: now,
      completedAt: now,
      error: { code, message },
    });
  });

  test('to a doubtful outcome keeps the figures, and does not complete', () => {
    const ended: SessionRecord = { ...PENDING_SESSION, state: 'expired', completedAt: now };
    expect(
      transition(ended, 'record_contradicts', { now, error: 'amount_mismatch', recorded: RECORDED }),
    ).toStrictEqual({ ...UNKNOWN, since: now, endedBefore: true });
  });

  test.each([
    ['pending', false],
    ['unknown', false],
    ['expired', true],
    ['failed', true],
    ['canceled', true],
  ] as const)('from %s to a success is late: %s', (state, isLate) => {
    const paid = transition({ ...PENDING_SESSION, state }, 'record_consistent', { now, result: PAYMENT_RESULT });
    expect(paid?.endedBefore).toBe(isLate ? true : undefined);
  });

  test('keeps lateness over an outcome in doubt', () => {
    const doubtful: SessionRecord = { ...UNKNOWN, endedBefore: true };
    expect(transition(doubtful, 'record_consistent', { now, result: PAYMENT_RESULT })?.endedBefore).toBe(true);
  });

  test('by a consistent record forgets figures and error of the earlier one', () => {
    const paid = transition(UNKNOWN, 'record_consistent', { now, result: PAYMENT_RESULT });
    expect(paid).toStrictEqual({
      ...PENDING_SESSION,
      seq: 4,
      state: 'succeeded',
      since: now,
      completedAt: now,
      result: PAYMENT_RESULT,
    });
  });

  test('to a success that brings no result counts what was asked', () => {
    expect(transition(PENDING_SESSION, 'record_consistent', { now })?.result).toMatchObject({
      total: AMOUNT,
      transactionId: null,
    });
  });

  test('by a later contradiction takes its figures and keeps the error when it brings none', () => {
    const later = { ...RECORDED, wireAmount: 1 };
    expect(transition(UNKNOWN, 'record_contradicts', { now, recorded: later })).toStrictEqual({
      ...UNKNOWN,
      seq: 4,
      since: now,
      recorded: later,
    });
  });
});

describe('a person', () => {
  const paid = {
    kind: 'payment',
    total: AMOUNT,
    base: AMOUNT,
    surcharge: null,
    transactionId: 'TX-9',
    paymentObjectId: null,
    maskedCard: null,
  };

  test('who vouches for a payment vouches for what was asked, and the figures stay', () => {
    const resolved = transition(UNKNOWN, 'resolved_succeeded', { now, resolution: RESOLUTION });
    expect(resolved).toStrictEqual({
      ...UNKNOWN,
      seq: 4,
      state: 'succeeded',
      since: now,
      completedAt: now,
      error: null,
      result: paid,
      resolution: RESOLUTION,
    });
  });

  test('may name another amount, and no transaction', () => {
    const amount = { value: 13_000, currency: 'EUR' };
    const resolution: Resolution = { ...RESOLUTION, transactionId: null, amount };
    const resolved = transition(UNKNOWN, 'resolved_succeeded', { now, resolution });
    expect(resolved?.result).toStrictEqual({ ...paid, total: amount, base: amount, transactionId: null });
  });

  test('who vouches for a card knows no token', () => {
    const record: SessionRecord = { ...UNKNOWN, kind: 'card', amount: null };
    expect(transition(record, 'resolved_succeeded', { now, resolution: RESOLUTION })?.result).toStrictEqual({
      kind: 'card',
      sealedToken: null,
      tokenLast4: null,
      tokenValidUntil: null,
      tokenObjectId: null,
      transactionId: 'TX-9',
      maskedCard: null,
    });
  });

  const failed: Resolution = { ...RESOLUTION, status: 'failed', transactionId: null };

  test.each([
    ['unknown', MISMATCH, 'amount_mismatch'],
    ['expired', null, 'upstream_failed'],
  ] as const)('who ends %s as failed gives the evidence', (state, error, code) => {
    const resolved = transition({ ...UNKNOWN, state, error }, 'resolved_failed', { now, resolution: failed });
    expect(resolved).toMatchObject({
      state: 'failed',
      completedAt: now,
      result: null,
      error: { code, message: 'Resolved by hand: Portal' },
      resolution: failed,
    });
  });

  test('is still named after a payment that showed later', () => {
    const record: SessionRecord = { ...UNKNOWN, state: 'failed', resolution: failed };
    const later = transition(record, 'record_consistent', { now, result: PAYMENT_RESULT });
    expect(later).toMatchObject({ state: 'succeeded', error: null, result: PAYMENT_RESULT, resolution: failed });
  });
});

describe('the ledger gets', () => {
  test('a session that waits, without an event', () => {
    const { type, resource } = sessionEntry(PENDING_SESSION);
    expect({ type, ...resource, body: JSON.parse(resource.body) }).toMatchObject({
      type: null,
      id: 'cs_1',
      kind: 'checkout_session',
      seq: 2,
      status: 'pending',
      reference: 'RES-1',
      createdAt: CREATED_AT,
      body: { object: 'checkout_session', id: 'cs_1', result: null },
    });
  });

  test('a card with the last four characters of its token', () => {
    const { type, resource } = sessionEntry({ ...PENDING_SESSION, state: 'succeeded', result: CARD_RESULT });
    expect(type).toBe('checkout.succeeded');
    expect(JSON.parse(resource.body)).toMatchObject({ result: { token: '9876', tokenObjectId: '815' } });
    expect(resource.body).not.toContain('sealed');
  });

  test('a payment, and what expired unstarted as expired', () => {
    const { resource } = sessionEntry({ ...PENDING_SESSION, state: 'succeeded', result: PAYMENT_RESULT });
    expect(JSON.parse(resource.body).result).toMatchObject({ total: PAYMENT_RESULT.total });
    const lapsed = sessionEntry({ ...OPEN_SESSION, state: 'lapsed' });
    expect(lapsed).toMatchObject({ type: 'checkout.expired', resource: { status: 'expired' } });
  });
});
