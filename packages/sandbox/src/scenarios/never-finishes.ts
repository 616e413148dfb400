import { HOSTED_OPERATIONS, isHostedStep, type Scenario } from './scenario.ts';

/** A client must stop waiting without calling the payment failed. */
export const neverFinishes: Scenario = {
  name: 'never-finishes',
  description: 'The guest pays and is charged, but the status stays 0 for ever.',
  operations: HOSTED_OPERATIONS,
  decide: ({ step }) => (isHostedStep(step) ? { settles: {} } : {}),
};
