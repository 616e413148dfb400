import { OPERATIONS } from '../domain/plan.ts';
import { isMoneyStep, type Scenario } from './scenario.ts';

/** What a load balancer in maintenance answers in the middle of a payment. */
export const htmlPage: Scenario = {
  name: 'html-page',
  description: 'HTTP 200 with an HTML page instead of JSON after the charge; for a hosted payment the first 2 polls.',
  operations: OPERATIONS,
  decide: (situation) => {
    if (!isMoneyStep(situation)) return {};
    const delivery = { kind: 'html' } as const;
    return situation.step === 'hostedPayment' ? { pollFault: { delivery, times: 2 } } : { delivery };
  },
};
