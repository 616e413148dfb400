import type { Scenario } from './scenario.ts';

/** A stored card is no promise: deposits and no-show fees must handle a decline. */
export const declinesLater: Scenario = {
  name: 'declines-later',
  description: 'The card is stored fine and declines every charge that comes later: the no-show case.',
  operations: ['pay', 'initpayNoIframe'],
  decide: ({ step }) => (step === 'pay' || step === 'hostedPayment' ? { decline: 'declined' } : {}),
};
