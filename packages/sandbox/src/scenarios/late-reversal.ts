import type { Scenario } from './scenario.ts';

/** A reversal can come too late; the payment then stands. */
export const lateReversal: Scenario = {
  name: 'late-reversal',
  description: 'The payment succeeds, but any reversal comes too late and is declined.',
  operations: ['reversal'],
  decide: ({ step }) => (step === 'reversal' ? { decline: 'not_reversible' } : {}),
};
