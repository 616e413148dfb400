/** The suites that mutants of core are tried against. */
import { fileURLToPath } from 'node:url';
import { unitSuites } from './unit-suites.ts';

export default unitSuites(['packages/core/src/{.,auth,transport,hosted,operations,merchant,gateway}/*.test.ts'], {
  // Where XML is read, nothing is sent.
  exclude: ['**/xml.test.ts', '**/charset.test.ts'],
  setupFiles: [fileURLToPath(new URL('core.setup.ts', import.meta.url))],
});
