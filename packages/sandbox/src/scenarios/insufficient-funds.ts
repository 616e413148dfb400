import { declined } from './declined.ts';
import type { Scenario } from './scenario.ts';

/** A no with a reason that only the lenient profile puts on the wire. */
export const insufficientFunds: Scenario = {
  name: 'insufficient-funds',
  description: 'Declined: the account has not enough money.',
  operations: declined.operations,
  decide: (situation) => (declined.decide(situation).decline === undefined ? {} : { decline: 'insufficient_funds' }),
};
