import { declined } from './declined.ts';
import type { Scenario } from './scenario.ts';

/** A no that must not be retried with the same card. */
export const declinedForSecurity: Scenario = {
  name: 'declined-for-security',
  description: 'Declined for security reasons, as for a stolen card.',
  operations: declined.operations,
  decide: (situation) => (declined.decide(situation).decline === undefined ? {} : { decline: 'security' }),
};
