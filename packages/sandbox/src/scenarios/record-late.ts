import { HOSTED_OPERATIONS, isHostedStep, type Scenario } from './scenario.ts';

export const recordLate: Scenario = {
  name: 'record-late',
  description: 'Status 1 comes first; the transaction record is complete only on the 4th reading.',
  operations: HOSTED_OPERATIONS,
  decide: ({ step }) => (isHostedStep(step) ? { record: 'late' } : {}),
};
