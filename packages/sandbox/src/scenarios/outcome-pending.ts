import type { Scenario } from './scenario.ts';

/** A code that is not 0 proves nothing by itself: the money has moved. */
export const outcomePending: Scenario = {
  name: 'outcome-pending',
  description: 'The operation is carried out, and the answer is returnCode 96 without an id: outcome pending.',
  operations: ['createToken', 'pay', 'reversal'],
  decide: ({ chosenBy }) => (chosenBy === 'control' ? { delivery: { kind: 'pending' } } : {}),
};
