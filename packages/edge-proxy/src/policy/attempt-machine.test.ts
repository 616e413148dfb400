import { describe, expect, test } from 'vitest';
import {
  canStillMove,
  endedWithoutMoney,
  isFinalSessionState,
  nextSessionState,
  SESSION_EVENTS,
  SESSION_TRANSITIONS,
  type SessionEvent,
  type SessionState,
  sessionEventType,
  toSessionStatus,
  transitionTable,
} from './session-machine.ts';

// Written from the rules, not from the table: every cell that is not here must be empty.
const ENDINGS: Readonly<Partial<Record<SessionEvent, SessionState>>> = {
  record_consistent: 'succeeded',
  ended_with_error: 'failed',
  ended_by_guest: 'canceled',
  record_contradicts: 'unknown',
  record_unreadable: 'unknown',
};
/** Money that shows after an ending without money. */
const LATE: typeof ENDINGS = {
  record_consistent: 'succeeded',
  record_contradicts: 'unknown',
  record_unreadable: 'unknown',
  resolved_succeeded: 'succeeded',
};
const EXPECTED: Readonly<Record<SessionState, Readonly<Partial<Record<SessionEvent, SessionState>>>>> = {
  open: { init_accepted: 'pending', deadline_passed: 'lapsed', expired_by_merchant: 'lapsed' },
  pending: { ...ENDINGS, deadline_passed: 'expired' },
  expired: { ...ENDINGS, resolved_succeeded: 'succeeded', resolved_failed: 'failed' },
  unknown: {
    record_consistent: 'succeeded',
    record_contradicts: 'unknown',
    resolved_succeeded: 'succeeded',
    resolved_failed: 'failed',
  },
  succeeded: {},
  failed: LATE,
  canceled: LATE,
  lapsed: {},
};
const STATES = Object.keys(EXPECTED) as SessionState[];
const CELLS = STATES.flatMap((state) => SESSION_EVENTS.map((event) => [state, event] as const));

test('the table knows exactly the states of the rules', () => {
  expect(Object.keys(SESSION_TRANSITIONS).sort()).toEqual([...STATES].sort());
});

test.each(CELLS)('%s × %s', (state, event) => {
  expect(nextSessionState(state, event)).toBe(EXPECTED[state][event]);
});

describe('by construction', () => {
  test('every state can be reached from open', () => {
    const reached = new Set<SessionState>(['open']);
    for (let size = 0; size !== reached.size; ) {
      size = reached.size;
      for (const state of [...reached]) for (const next of Object.values(SESSION_TRANSITIONS[state])) reached.add(next);
    }
    expect([...reached].sort()).toEqual([...STATES].sort());
  });

  test('only succeeded, failed, canceled and a session nobody started are final', () => {
    expect(STATES.filter(isFinalSessionState).sort()).toEqual(['canceled', 'failed', 'lapsed', 'succeeded']);
  });

  test('money that shows late moves whatever was started and has not succeeded', () => {
    expect(STATES.filter(canStillMove).sort()).toEqual(['canceled', 'expired', 'failed', 'pending', 'unknown']);
    expect(STATES.filter(endedWithoutMoney).sort()).toEqual(['canceled', 'expired', 'failed']);
  });

  test('an ending without money is never replaced by another one, but for what expired', () => {
    const ways = CELLS.filter(
      ([state, event]) => endedWithoutMoney(state) && endedWithoutMoney(nextSessionState(state, event) ?? 'open'),
    );
    expect(new Set(ways.map(([state]) => state))).toEqual(new Set(['expired']));
  });

  test('success has one way in: a consistent record, or a person with evidence', () => {
    const ways = CELLS.filter(([state, event]) => nextSessionState(state, event) === 'succeeded').map(
      ([, event]) => event,
    );
    expect(new Set(ways)).toEqual(new Set(['record_consistent', 'resolved_succeeded']));
  });

  test('an unknown outcome never fails by itself', () => {
    const ways = SESSION_EVENTS.filter((event) => nextSessionState('unknown', event) === 'failed');
    expect(ways).toEqual(['resolved_failed']);
  });

  test('a page is opened once: nothing leads back to open or pending', () => {
    const back = CELLS.filter(([state, event]) => {
      const next = nextSessionState(state, event);
      return next === 'open' || (next === 'pending' && state !== 'open');
    });
    expect(back).toEqual([]);
  });

  test('every outcome is an event of the feed, every beginning is not', () => {
    expect(STATES.map((state) => [state, sessionEventType(state)])).toEqual([
      ['open', undefined],
      ['pending', undefined],
      ['expired', 'checkout.expired'],
      ['unknown', 'checkout.unknown'],
      ['succeeded', 'checkout.succeeded'],
      ['failed', 'checkout.failed'],
      ['canceled', 'checkout.canceled'],
      ['lapsed', 'checkout.expired'],
    ]);
  });

  test('a lapsed session looks expired from outside', () => {
    expect(toSessionStatus('lapsed')).toBe('expired');
  });

  test('the list in the docs shows every arrow', () => {
    const arrows = transitionTable(SESSION_TRANSITIONS).match(/^\| `\w+` \| `\w+` \| `\w+` \|$/gm) ?? [];
    expect(arrows).toHaveLength(CELLS.filter(([state, event]) => nextSessionState(state, event) !== undefined).length);
  });
});
