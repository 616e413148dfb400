import { OPERATIONS } from '../domain/plan.ts';
import type { Scenario } from './scenario.ts';

/** Following it would send body and credentials to another origin. */
export const redirected: Scenario = {
  name: 'redirected',
  description: 'Nothing is carried out and the answer is a redirect (307) to another origin.',
  operations: OPERATIONS,
  decide: ({ chosenBy }) =>
    chosenBy === 'control' ? { isSkipped: true, delivery: { kind: 'redirect', status: 307 } } : {},
};
