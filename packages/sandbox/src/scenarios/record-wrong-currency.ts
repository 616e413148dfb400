import type { Scenario } from './scenario.ts';

/** The right number in the wrong currency is the wrong amount. */
export const recordWrongCurrency: Scenario = {
  name: 'record-wrong-currency',
  description: 'The transaction record shows another currency.',
  operations: ['initpayNoIframe'],
  decide: ({ step }) => (step === 'hostedPayment' ? { record: 'wrong-currency' } : {}),
};
