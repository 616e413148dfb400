import { expect, test } from 'vitest';
import { isOutcome, nextState, type PayInput, type PayState, TRANSITIONS } from './pay-state.ts';

// Written out by hand, so that a change of the table has to be meant. A dot: nothing changes.
const EXPECTED = `
            open  pending  succeeded  failed  canceled  expired  unknown  start    error  cancel  reset
idle        .     waiting  succeeded  failed  canceled  expired  unknown  opening  error  .       .
opening     idle  waiting  succeeded  failed  canceled  expired  unknown  .        error  idle    idle
waiting     .     .        succeeded  failed  canceled  expired  unknown  opening  error  idle    idle
succeeded   .     .        .          .       .         .        .        .        .      .       idle
failed      .     .        succeeded  .       .         .        unknown  opening  .      .       idle
canceled    .     .        succeeded  .       .         .        unknown  opening  .      .       idle
expired     .     .        succeeded  failed  canceled  .        unknown  opening  .      .       idle
unknown     .     .        succeeded  failed  .         .        .        .        .      .       .
error       idle  waiting  succeeded  failed  canceled  expired  unknown  opening  .      .       idle
`;

const [header = [], ...rows] = EXPECTED.trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/));
// The table above is the list of all states and inputs.
const inputs = header as PayInput[];
const states = rows.map(([state]) => state as PayState);

test('knows nine states and every input in each of them', () => {
  expect(Object.keys(TRANSITIONS)).toEqual(states);
  expect(states).toHaveLength(9);
});

for (const [state, ...cells] of rows) {
  for (const [column, cell] of cells.entries()) {
    test(`${state} × ${inputs[column]} → ${cell === '.' ? 'no change' : cell}`, () => {
      expect(nextState(state as PayState, inputs[column] as PayInput)).toBe(cell === '.' ? undefined : cell);
    });
  }
}

test('has no way from unknown to a new payment or a failure of this page’s own', () => {
  for (const input of ['start', 'reset', 'cancel', 'error', 'expired', 'open', 'pending'] as const) {
    expect(nextState('unknown', input)).toBeUndefined();
  }
});

test('lets every state that is no outcome be left by the guest', () => {
  for (const state of states.filter((each) => !isOutcome(each) && each !== 'idle')) {
    expect(nextState(state, 'reset')).toBe('idle');
  }
});
