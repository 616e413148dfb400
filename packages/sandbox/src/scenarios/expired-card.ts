import { declined } from './declined.ts';
import type { Scenario } from './scenario.ts';

/** A no for a card that was fine when it was stored. */
export const expiredCard: Scenario = {
  name: 'expired-card',
  description: 'Declined: the card has expired, whatever date was entered.',
  operations: declined.operations,
  decide: (situation) => (declined.decide(situation).decline === undefined ? {} : { decline: 'expired_card' }),
};
