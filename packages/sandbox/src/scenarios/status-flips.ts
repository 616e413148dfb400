import { HOSTED_OPERATIONS, isHostedStep, type Scenario } from './scenario.ts';

/** A final status that changes its mind must not undo what was settled. */
export const statusFlips: Scenario = {
  name: 'status-flips',
  description: 'The first final status says done, every later one says error; the money stays charged.',
  operations: HOSTED_OPERATIONS,
  decide: ({ step }) => (isHostedStep(step) ? { flipsAfterFinal: true } : {}),
};
