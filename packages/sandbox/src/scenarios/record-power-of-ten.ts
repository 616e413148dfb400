import type { Scenario } from './scenario.ts';

export const recordPowerOfTen: Scenario = {
  name: 'record-power-of-ten',
  description:
    'The transaction record, or the answer of pay, shows the amount in the other unit: a power of ten too much.',
  operations: ['pay', 'initpayNoIframe'],
  decide: ({ step }) => (step === 'hostedPayment' || step === 'pay' ? { record: 'power-of-ten' } : {}),
};
