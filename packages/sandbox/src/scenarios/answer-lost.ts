import { OPERATIONS } from '../domain/plan.ts';
import { isMoneyStep, type Scenario } from './scenario.ts';

/** The client cannot know whether money moved, and must neither retry nor call it failed. */
export const answerLost: Scenario = {
  name: 'answer-lost',
  description: 'The charge happens, then the connection breaks before the answer.',
  operations: OPERATIONS,
  decide: (situation) => (isMoneyStep(situation) ? { delivery: { kind: 'lost' } } : {}),
};
