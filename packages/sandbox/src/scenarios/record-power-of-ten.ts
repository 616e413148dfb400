import type { Scenario } from './scenario.ts';

/** A mix-up of minor and major units, caught before it multiplies every charge by a hundred. */
export const recordPowerOfTen: Scenario = {
  name: 'record-power-of-ten',
  description:
    'The transaction record, or the answer of pay, shows the amount in the other unit: a power of ten too much.',
  operations: ['pay', 'initpayNoIframe'],
  decide: ({ step }) => (step === 'hostedPayment' || step === 'pay' ? { record: 'power-of-ten' } : {}),
};
