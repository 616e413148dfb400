import { OPERATIONS } from '../domain/plan.ts';
import { isMoneyStep, type Scenario } from './scenario.ts';

/** A 200 proves nothing either when its body cannot be read. */
export const garbage200: Scenario = {
  name: 'garbage-200',
  description: 'HTTP 200 with a cut-off body after the charge; for a hosted payment the first 2 polls get it.',
  operations: OPERATIONS,
  decide: (situation) => {
    if (!isMoneyStep(situation)) return {};
    const delivery = { kind: 'garbage' } as const;
    return situation.step === 'hostedPayment' ? { pollFault: { delivery, times: 2 } } : { delivery };
  },
};
