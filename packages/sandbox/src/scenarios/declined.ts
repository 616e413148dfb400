import type { Scenario } from './scenario.ts';

export const declined: Scenario = {
  name: 'declined',
  description: 'The card is declined; nothing is charged or stored.',
  operations: ['createToken', 'pay', 'reversal', 'initpayNoIframe', 'initCreateTokenNoIframe'],
  decide: ({ step, chosenBy }) => (step === 'reversal' && chosenBy !== 'control' ? {} : { decline: 'declined' }),
};
