import { OPERATIONS } from '../domain/plan.ts';
import type { Scenario } from './scenario.ts';

/** The ordinary way, which every other scenario deviates from. */
export const approved: Scenario = {
  name: 'approved',
  description: 'Approved at once, without a surcharge.',
  operations: OPERATIONS,
  decide: () => ({}),
};
