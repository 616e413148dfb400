import type { Scenario } from './scenario.ts';

/** Another amount than asked for is neither a success nor a failure. */
export const recordWrongAmount: Scenario = {
  name: 'record-wrong-amount',
  description: 'The transaction record, or the answer of pay, shows one unit more than was asked for.',
  operations: ['pay', 'initpayNoIframe'],
  decide: ({ step }) => (step === 'hostedPayment' || step === 'pay' ? { record: 'wrong-amount' } : {}),
};
