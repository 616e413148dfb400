import { OPERATIONS } from '../domain/plan.ts';
import type { Scenario } from './scenario.ts';

/** The service is down; nothing happened, but a client cannot tell that from a 500 after the charge. */
export const unavailable: Scenario = {
  name: 'unavailable',
  description: 'Nothing is carried out and the answer is HTTP 503.',
  operations: OPERATIONS,
  decide: ({ chosenBy }) =>
    chosenBy === 'control' ? { isSkipped: true, delivery: { kind: 'status', status: 503 } } : {},
};
