/** The suites that mutants of the proxy's rules are tried against: the test beside each, and three for several small ones. */
import { RULES } from './rules.ts';
import { unitSuites } from './unit-suites.ts';

export default unitSuites(
  [
    ...RULES.map((file) => file.replace(/\.ts$/, '.test.ts')),
    'packages/edge-proxy/src/http/{crypto,limits}.test.ts',
    'packages/edge-proxy/src/sessions/schedules.test.ts',
  ],
  { setupFiles: ['packages/edge-proxy/test-support/as-before.ts'] },
);
