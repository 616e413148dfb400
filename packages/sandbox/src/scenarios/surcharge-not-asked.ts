import type { Scenario } from './scenario.ts';

/** A surcharge against the rules: a client must not report such a payment as settled. */
export const surchargeNotAsked: Scenario = {
  name: 'surcharge-not-asked',
  description: 'Hosted payment with 2.5 % surcharge although nobody asked for the feature.',
  operations: ['initpayNoIframe'],
  decide: ({ step }) => (step === 'hostedPayment' ? { surcharge: { percent: 2.5, isUnasked: true } } : {}),
};
