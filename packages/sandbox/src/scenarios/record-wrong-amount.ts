import type { Scenario } from './scenario.ts';

export const recordWrongAmount: Scenario = {
  name: 'record-wrong-amount',
  description: 'The transaction record shows one unit more than was asked for.',
  operations: ['initpayNoIframe'],
  decide: ({ step }) => (step === 'hostedPayment' ? { record: 'wrong-amount' } : {}),
};
