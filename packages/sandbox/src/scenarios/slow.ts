import { OPERATIONS } from '../domain/plan.ts';
import { isHostedStep, type Scenario } from './scenario.ts';

/** Time-outs that are too short turn good payments into unknown ones. */
export const slow: Scenario = {
  name: 'slow',
  description: 'Answers take 3 seconds; a hosted result needs 5 polls or 10 seconds after the guest paid.',
  operations: OPERATIONS,
  decide: ({ step }) =>
    isHostedStep(step) ? { settles: { afterPolls: 5, afterSeconds: 10 } } : { delivery: { kind: 'slow' } },
};
