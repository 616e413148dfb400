/** Decisions of the upstream about a payment, properly reported. */
import type { DeclineReason } from '../domain/decline-reason.ts';
import { OPERATIONS } from '../domain/plan.ts';
import { onSteps, type Scenario } from './scenario.ts';

/** The normal case, from which every other scenario deviates. */
export const approved: Scenario = {
  name: 'approved',
  description: 'Approved at once, without a surcharge.',
  operations: OPERATIONS,
  cards: ['4242424242424242', '5555555555554444', '378282246310005', '3530111333300000'],
  decide: () => ({}),
};

/**
 * A plain decline: final, and the guest may try another card. The lenient profile puts its reason on the wire. A reversal
 * has an amount of its own, and not a card.
 */
const declining = (reason: DeclineReason): Pick<Scenario, 'operations' | 'decide'> => ({
  operations: ['createToken', 'pay', 'reversal', 'initpayNoIframe', 'initCreateTokenNoIframe'],
  decide: ({ step, chosenBy }) => (step === 'reversal' && chosenBy === 'card' ? {} : { decline: reason }),
});

export const OUTCOMES: readonly Scenario[] = [
  approved,
  {
    name: 'declined',
    description: 'The card is declined; nothing is charged or stored.',
    cards: ['4000000000000002'],
    amount: '6601',
    ...declining('declined'),
  },
  {
    name: 'insufficient-funds',
    description: 'Declined: the account has not enough money.',
    cards: ['4000000000009995'],
    amount: '6602',
    ...declining('insufficient_funds'),
  },
  {
    name: 'declined-for-security',
    description: 'Declined for security reasons, as for a stolen card.',
    cards: ['4100000000000019'],
    amount: '6603',
    ...declining('security'),
  },
  {
    name: 'call-issuer',
    description: 'Declined: refer to the card issuer.',
    cards: ['4000000000010407'],
    amount: '6604',
    ...declining('call_issuer'),
  },
  {
    name: 'expired-card',
    description: 'Declined: the card has expired, whatever date was entered.',
    cards: ['4000000000000069'],
    amount: '6605',
    ...declining('expired_card'),
  },
  // A stored card is no promise: deposits and no-show fees must handle a decline.
  {
    name: 'declines-later',
    description: 'The card is stored, but every later charge is declined: the no-show case.',
    operations: ['pay', 'initpayNoIframe'],
    cards: ['4000000000000341'],
    amount: '6606',
    decide: onSteps(['pay', 'hostedPayment'], { decline: 'declined' }),
  },
  // The total rightly differs from what was asked for.
  {
    name: 'surcharged',
    description: 'Hosted payment with 2.5 % surcharge, shown before paying, when the feature was asked for.',
    operations: ['initpayNoIframe'],
    cards: ['4000000000010704'],
    amount: '6607',
    decide: onSteps(['hostedPayment'], { surcharge: { percent: 2.5 } }),
  },
  // A surcharge against the rules: a client must not report such a payment as settled.
  {
    name: 'surcharge-not-asked',
    description: 'Hosted payment with 2.5 % surcharge although nobody asked for the feature.',
    operations: ['initpayNoIframe'],
    cards: ['4000000000010803'],
    amount: '6608',
    decide: onSteps(['hostedPayment'], { surcharge: { percent: 2.5, isUnasked: true } }),
  },
];
