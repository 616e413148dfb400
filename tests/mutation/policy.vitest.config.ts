/** The suites that mutants of the proxy's rules are tried against: the test beside each. */
import { RULES } from './rules.ts';
import { unitSuites } from './unit-suites.ts';

export default unitSuites(RULES.map((file) => file.replace(/\.ts$/, '.test.ts')));
