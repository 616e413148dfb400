import type { Scenario } from './scenario.ts';

/** The total differs from what was asked for, and rightly so. */
export const surcharged: Scenario = {
  name: 'surcharged',
  description: 'Hosted payment with 2.5 % surcharge, shown before paying, when the feature was asked for.',
  operations: ['initpayNoIframe'],
  decide: ({ step }) => (step === 'hostedPayment' ? { surcharge: { percent: 2.5 } } : {}),
};
