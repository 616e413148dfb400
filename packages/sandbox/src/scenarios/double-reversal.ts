import type { Scenario } from './scenario.ts';

export const doubleReversal: Scenario = {
  name: 'double-reversal',
  description: 'A reversal is carried out even when nothing is left: reversing twice pays the guest twice.',
  operations: ['reversal'],
  decide: ({ step }) => (step === 'reversal' ? { allowsOverReversal: true } : {}),
};
