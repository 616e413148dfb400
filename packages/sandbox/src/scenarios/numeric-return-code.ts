import type { Scenario } from './scenario.ts';

export const numericReturnCode: Scenario = {
  name: 'numeric-return-code',
  description: 'returnCode is a JSON number instead of a string.',
  operations: ['createToken', 'pay', 'reversal', 'initpayNoIframe', 'initCreateTokenNoIframe', 'transaction'],
  decide: () => ({ hasNumericReturnCode: true }),
};
