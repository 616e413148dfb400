import { MONEY_OPERATION_STATUSES } from '@innkeep/core/contract';
import { expect, test } from 'vitest';
import {
  hasMoneyEvent,
  isFinalMoneyState,
  isUnderWay,
  MONEY_EVENTS,
  type MoneyEvent,
  type MoneyState,
  nextMoneyState,
  settlementOf,
} from './money-machine.ts';

/** Written by hand from the rules, not from the table: every other pair must be ignored. */
const ARROWS: readonly (readonly [MoneyState, MoneyEvent, MoneyState])[] = [
  ['created', 'handed_over', 'sent'],
  ['created', 'not_executed', 'failed'],
  ['sent', 'executed', 'succeeded'],
  ['sent', 'declined', 'declined'],
  ['sent', 'not_executed', 'failed'],
  ['sent', 'no_clear_answer', 'unknown'],
  ['unknown', 'resolved_succeeded', 'succeeded'],
  ['unknown', 'resolved_failed', 'failed'],
];

const PAIRS = MONEY_OPERATION_STATUSES.flatMap((state) => MONEY_EVENTS.map((event) => [state, event] as const));

test.each(PAIRS)('%s and %s', (state, event) => {
  const arrow = ARROWS.find(([from, on]) => from === state && on === event);
  expect(nextMoneyState(state, event)).toBe(arrow?.[2]);
});

test.each([
  ['created', { final: false, underWay: true, news: false, settlement: undefined }],
  ['sent', { final: false, underWay: true, news: false, settlement: undefined }],
  ['succeeded', { final: true, underWay: false, news: true, settlement: 'reversed' }],
  ['declined', { final: true, underWay: false, news: true, settlement: 'released' }],
  ['failed', { final: true, underWay: false, news: true, settlement: 'released' }],
  ['unknown', { final: false, underWay: false, news: true, settlement: undefined }],
] as const)('what %s means', (state, { final, underWay, news, settlement }) => {
  expect(isFinalMoneyState(state)).toBe(final);
  expect(isUnderWay(state)).toBe(underWay);
  expect(hasMoneyEvent(state)).toBe(news);
  expect(settlementOf(state)).toBe(settlement);
});
