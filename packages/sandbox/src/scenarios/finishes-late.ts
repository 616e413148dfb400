import { HOSTED_OPERATIONS, isHostedStep, type Scenario } from './scenario.ts';

/** A late success must still be found after a deadline has passed. */
export const finishesLate: Scenario = {
  name: 'finishes-late',
  description: 'The status stays 0 for 45 minutes of sandbox time after the guest paid: later than any deadline.',
  operations: HOSTED_OPERATIONS,
  decide: ({ step }) => (isHostedStep(step) ? { settles: { afterSeconds: 45 * 60 } } : {}),
};
