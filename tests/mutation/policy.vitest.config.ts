/** The suites that mutants of the proxy's rules are tried against. */
import { unitSuites } from './unit-suites.ts';

export default unitSuites('packages/edge-proxy/src/{http,ledger,money,properties,records,sessions,upstream}/*.test.ts');
