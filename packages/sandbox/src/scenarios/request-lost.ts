import { OPERATIONS } from '../domain/plan.ts';
import type { Scenario } from './scenario.ts';

/** The twin of `answer-lost`: from outside they look the same, and only one of them has moved money. */
export const requestLost: Scenario = {
  name: 'request-lost',
  description: 'The connection breaks before anything is carried out.',
  operations: OPERATIONS,
  decide: ({ chosenBy }) => (chosenBy === 'control' ? { isSkipped: true, delivery: { kind: 'lost' } } : {}),
};
