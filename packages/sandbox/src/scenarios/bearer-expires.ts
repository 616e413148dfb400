import { OPERATIONS } from '../domain/plan.ts';
import { isHostedStep, type Scenario } from './scenario.ts';

/** A token can stop being valid at any moment; one new login is the cure, not a failed payment. */
export const bearerExpires: Scenario = {
  name: 'bearer-expires',
  description: 'The bearer token stops being valid while the result is polled; a new login helps.',
  operations: OPERATIONS.filter((operation) => operation !== 'login' && operation !== 'gateway'),
  decide: ({ step, chosenBy }) => {
    if (isHostedStep(step)) return { expiresBearerOnPoll: true };
    return chosenBy === 'control' ? { expiresBearer: true } : {};
  },
};
