import { HOSTED_OPERATIONS, isHostedStep, type Scenario } from './scenario.ts';

/** An address from an answer is not to be trusted: the bearer token would follow it. */
export const foreignUrls: Scenario = {
  name: 'foreign-urls',
  description: 'The init answer carries viewUrl and stateRetrivalUrl on an origin that nobody should trust.',
  operations: HOSTED_OPERATIONS,
  decide: ({ step }) => (isHostedStep(step) ? {} : { hasForeignUrls: true }),
};
