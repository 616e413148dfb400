import { expect, test } from 'vitest';
import { inputOf, nextState, type PayInput, type PayState, TRANSITIONS } from './pay-state.ts';

// Written out by hand, so that a change of the table has to be meant. A dot: nothing changes.
const EXPECTED = `
            open  pending  succeeded  failed  canceled  expired  unknown  start    error  cancel  reset
idle        .     waiting  succeeded  failed  canceled  expired  unknown  opening  error  .       .
opening     idle  waiting  succeeded  failed  canceled  expired  unknown  .        error  idle    idle
waiting     idle  .        succeeded  failed  canceled  expired  unknown  opening  error  idle    idle
succeeded   .     .        .          .       .         .        .        .        .      .       idle
failed      idle  waiting  succeeded  .       canceled  expired  unknown  opening  .      .       idle
canceled    idle  waiting  succeeded  failed  .         expired  unknown  opening  .      .       idle
expired     idle  waiting  succeeded  failed  canceled  .        unknown  opening  .      .       idle
unknown     idle  waiting  succeeded  failed  canceled  expired  .        .        .      .       .
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

test.each([
  ['open', null, 'open'],
  ['open', 'declined', 'failed'],
  ['open', 'upstream_failed', 'failed'],
  ['open', 'canceled_by_guest', 'canceled'],
  ['expired', 'declined', 'expired'],
  ['unknown', 'amount_mismatch', 'unknown'],
] as const)('reads %s with the error %s as %s', (status, code, input) => {
  expect(inputOf({ status, error: code && { code } })).toBe(input);
});
