/**
 * The suites that mutants of the proxy's objects are tried against, in plain Node: the tests of the proxy's objects run on the simulated runtime, since
 * Stryker's runner cannot enter workerd.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { withForgetters } from '../simulation/runtime/load.ts';
import { ShortestFirst } from './shortest-first.ts';

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export default defineConfig({
  root: path('../..'),
  plugins: [
    {
      name: 'module-memory',
      enforce: 'pre',
      transform: (code, id) => (/\/packages\/edge-proxy\/src\/.*\.ts$/.test(id) ? withForgetters(code) : undefined),
    },
  ],
  resolve: {
    alias: [
      { find: 'cloudflare:workers', replacement: path('../simulation/runtime/cloudflare-workers.ts') },
      { find: 'cloudflare:test', replacement: path('cloudflare-test.ts') },
      // The description of the API says nothing about objects.
      { find: /.*\/validate-exchange\.ts$/, replacement: path('no-validation.ts') },
    ],
  },
  test: {
    name: 'mutation',
    include: [
      'packages/edge-proxy/src/*/*.test.ts',
      'packages/edge-proxy/test/*.test.ts',
      'tests/mutation/simulated.test.ts',
    ],
    setupFiles: [path('workers.setup.ts'), path('../../packages/edge-proxy/test-support/as-before.ts')],
    // These ask workerd for what it counts, or take long and say nothing more about an object.
    exclude: ['**/node_modules/**', '**/{cost,ledger-queries,telemetry}.test.ts'],
    // On a busy machine, too: what a mutant lets hang, Stryker ends.
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // A tenth of that, as every time here.
    expect: { poll: { timeout: 5_000 } },
    // Code of an instance that was cut off may end in nobody's hands.
    onUnhandledError: (error) => !('durableObjectReset' in error),
    // The runtime is made anew for each file by the setup file.
    isolate: false,
    pool: 'threads',
    maxWorkers: 1,
    silent: true,
    sequence: { sequencer: ShortestFirst },
  },
});
