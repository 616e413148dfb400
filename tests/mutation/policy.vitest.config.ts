/** The suites that mutants of the proxy's rules are tried against. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { ShortestFirst } from './shortest-first.ts';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    name: 'mutation',
    include: ['packages/edge-proxy/src/policy/*.test.ts'],
    testTimeout: 60_000,
    retry: 1,
    isolate: false,
    pool: 'threads',
    maxWorkers: 1,
    silent: true,
    sequence: { sequencer: ShortestFirst },
  },
});
