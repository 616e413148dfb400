import { declined } from './declined.ts';
import type { Scenario } from './scenario.ts';

export const expiredCard: Scenario = {
  name: 'expired-card',
  description: 'Declined: the card has expired, whatever date was entered.',
  operations: declined.operations,
  decide: (situation) => (declined.decide(situation).decline === undefined ? {} : { decline: 'expired_card' }),
};
