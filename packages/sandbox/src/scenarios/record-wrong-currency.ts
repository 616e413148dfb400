import type { Scenario } from './scenario.ts';

export const recordWrongCurrency: Scenario = {
  name: 'record-wrong-currency',
  description: 'The transaction record shows another currency.',
  operations: ['initpayNoIframe'],
  decide: ({ step }) => (step === 'hostedPayment' ? { record: 'wrong-currency' } : {}),
};
