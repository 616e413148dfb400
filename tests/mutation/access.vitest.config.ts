/** The suites that mutants of whatever decides who may do what are tried against: the tests that send requests to the worker, in plain Node. */
import { mergeConfig } from 'vitest/config';
import objects from './objects.vitest.config.ts';

const suites = [
  'packages/edge-proxy/src/{http,properties,telemetry}/*.test.ts',
  'packages/edge-proxy/src/objects/jurisdiction.test.ts',
  'packages/edge-proxy/src/sessions/{checkout-page,client-secrets}.test.ts',
  'packages/edge-proxy/test/*.test.ts',
];

const config = mergeConfig(objects, {});
config.test = {
  ...config.test,
  include: suites,
  // Those of money, sessions and deliveries say nothing more about who may do what; the others ask workerd for what it counts.
  exclude: [
    '**/node_modules/**',
    '**/{ledger-queries,cost,hostile-upstream,return-codes}.test.ts',
    '**/{ledger-alarm,full-ledger,operation-lifetime,upstream-health}.test.ts',
    '**/{duplicate-payments,states-document}.test.ts',
  ],
};

export default config;
