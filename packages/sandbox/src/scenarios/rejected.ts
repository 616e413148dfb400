import type { Scenario } from './scenario.ts';

/** The service answers properly and says no: nothing happened, and that is certain. */
export const rejected: Scenario = {
  name: 'rejected',
  description: 'The operation is not carried out and says so: login 401, gateway RC 1, else a returnCode other than 0.',
  operations: [
    'login',
    'createToken',
    'pay',
    'reversal',
    'initpayNoIframe',
    'initCreateTokenNoIframe',
    'transaction',
    'gateway',
  ],
  decide: ({ step }) => (step === 'transaction' ? { decline: 'declined' } : { decline: 'declined', isSkipped: true }),
};
