import { OPERATIONS } from '../domain/plan.ts';
import { isMoneyStep, type Scenario } from './scenario.ts';

/** A 500 proves nothing: the money has moved. */
export const error500AfterCharge: Scenario = {
  name: 'error-500-after-charge',
  description: 'The charge happens, then the answer is HTTP 500.',
  operations: OPERATIONS,
  decide: (situation) => (isMoneyStep(situation) ? { delivery: { kind: 'status', status: 500 } } : {}),
};
