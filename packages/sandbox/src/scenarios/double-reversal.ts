import type { Scenario } from './scenario.ts';

/** The service does not guard against reversing twice, so the client has to. */
export const doubleReversal: Scenario = {
  name: 'double-reversal',
  description: 'A reversal is carried out even when nothing is left: reversing twice pays the guest twice.',
  operations: ['reversal'],
  decide: ({ step }) => (step === 'reversal' ? { allowsOverReversal: true } : {}),
};
