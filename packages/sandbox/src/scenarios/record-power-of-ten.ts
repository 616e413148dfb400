import type { Scenario } from './scenario.ts';

export const recordPowerOfTen: Scenario = {
  name: 'record-power-of-ten',
  description: 'The transaction record shows the amount in the other unit: a power of ten too much.',
  operations: ['initpayNoIframe'],
  decide: ({ step }) => (step === 'hostedPayment' ? { record: 'power-of-ten' } : {}),
};
