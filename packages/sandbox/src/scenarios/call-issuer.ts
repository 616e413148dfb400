import { declined } from './declined.ts';
import type { Scenario } from './scenario.ts';

/** A no that the guest can only resolve with the bank. */
export const callIssuer: Scenario = {
  name: 'call-issuer',
  description: 'Declined: the card issuer wants to be called.',
  operations: declined.operations,
  decide: (situation) => (declined.decide(situation).decline === undefined ? {} : { decline: 'call_issuer' }),
};
