import { OPERATIONS } from '../domain/plan.ts';
import type { Scenario } from './scenario.ts';

export const unavailable: Scenario = {
  name: 'unavailable',
  description: 'Nothing is carried out and the answer is HTTP 503.',
  operations: OPERATIONS,
  decide: ({ chosenBy }) =>
    chosenBy === 'control' ? { isSkipped: true, delivery: { kind: 'status', status: 503 } } : {},
};
