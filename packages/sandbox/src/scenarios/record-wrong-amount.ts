import type { Scenario } from './scenario.ts';

export const recordWrongAmount: Scenario = {
  name: 'record-wrong-amount',
  description: 'The transaction record, or the answer of pay, shows one unit more than was asked for.',
  operations: ['pay', 'initpayNoIframe'],
  decide: ({ step }) => (step === 'hostedPayment' || step === 'pay' ? { record: 'wrong-amount' } : {}),
};
