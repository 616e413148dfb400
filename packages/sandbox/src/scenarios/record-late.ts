import { HOSTED_OPERATIONS, isHostedStep, type Scenario } from './scenario.ts';

/** Status and record are two systems: the second may lag behind the first. */
export const recordLate: Scenario = {
  name: 'record-late',
  description: 'Status 1 comes first; the transaction record is complete only on the 4th reading.',
  operations: HOSTED_OPERATIONS,
  decide: ({ step }) => (isHostedStep(step) ? { record: 'late' } : {}),
};
