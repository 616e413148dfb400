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
    alias: {
      'cloudflare:workers': path('../simulation/runtime/cloudflare-workers.ts'),
      'cloudflare:test': path('cloudflare-test.ts'),
    },
  },
  test: {
    name: 'mutation',
    include: ['packages/edge-proxy/test/*.test.ts'],
    setupFiles: [path('workers.setup.ts')],
    // These ask workerd for what it counts, or test no object.
    exclude: ['**/node_modules/**', '**/{storage,ledger-queries,openapi,gateway,cards}.test.ts'],
    testTimeout: 5_000,
    hookTimeout: 5_000,
    retry: 1,
    // The runtime is made anew for each file by the setup file.
    isolate: false,
    pool: 'threads',
    maxWorkers: 1,
    silent: true,
    sequence: { sequencer: ShortestFirst },
  },
});
