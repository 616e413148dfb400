import { HOSTED_OPERATIONS, isHostedStep, type Scenario } from './scenario.ts';

/** Return addresses are visited by whoever likes to, as often as they like. */
export const duplicateReturn: Scenario = {
  name: 'duplicate-return',
  description: 'The success address is visited twice: by the sandbox itself and by the guest.',
  operations: HOSTED_OPERATIONS,
  decide: ({ step }) => (isHostedStep(step) ? { returnsTwice: true } : {}),
};
