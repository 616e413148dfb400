import type { Scenario } from './scenario.ts';

/** A plain no. A client must show it as final and may let the guest try another card. */
export const declined: Scenario = {
  name: 'declined',
  description: 'The card is declined; nothing is charged or stored.',
  operations: ['createToken', 'pay', 'reversal', 'initpayNoIframe', 'initCreateTokenNoIframe'],
  decide: ({ step, chosenBy }) => (step === 'reversal' && chosenBy !== 'control' ? {} : { decline: 'declined' }),
};
