/** The suites that mutants of core are tried against. */
import { unitSuites } from './unit-suites.ts';

export default unitSuites('packages/core/src/{transport,hosted,operations,merchant,gateway}/*.test.ts');
