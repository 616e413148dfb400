import { HOSTED_OPERATIONS, isHostedStep, type Scenario } from './scenario.ts';

export const foreignUrls: Scenario = {
  name: 'foreign-urls',
  description: 'The init answer carries viewUrl and stateRetrivalUrl on an origin that nobody should trust.',
  operations: HOSTED_OPERATIONS,
  decide: ({ step }) => (isHostedStep(step) ? {} : { hasForeignUrls: true }),
};
