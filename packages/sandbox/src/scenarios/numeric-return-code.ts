import type { Scenario } from './scenario.ts';

/** The specification shows both forms, so a client must read both. */
export const numericReturnCode: Scenario = {
  name: 'numeric-return-code',
  description: 'returnCode is a JSON number instead of a string.',
  operations: ['createToken', 'pay', 'reversal', 'initpayNoIframe', 'initCreateTokenNoIframe', 'transaction'],
  decide: () => ({ hasNumericReturnCode: true }),
};
