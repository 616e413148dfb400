import { HOSTED_OPERATIONS, isHostedStep, type Scenario } from './scenario.ts';

/** A record of somebody else’s payment must never settle this one. */
export const recordWrongRequest: Scenario = {
  name: 'record-wrong-request',
  description: 'The transaction record names another request.',
  operations: HOSTED_OPERATIONS,
  decide: ({ step }) => (isHostedStep(step) ? { record: 'wrong-request' } : {}),
};
