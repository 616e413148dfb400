import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import { keepTemporaryFoldersInMemory } from '../../scripts/memory-folder.ts';
import { TEST_OPTIONS } from '../../scripts/test-limits.ts';
import { TEST_ENVIRONMENT } from './test-support/environment.ts';

keepTemporaryFoldersInMemory({ gigabytes: 2 });

export default defineConfig({
  plugins: [
    cloudflareTest({
      wrangler: { configPath: './wrangler.jsonc' },
      main: './test-support/worker.ts',
      miniflare: {
        bindings: TEST_ENVIRONMENT,
        // The net below every test: whatever is not answered by a fake upstream never leaves the machine.
        outboundService: () => new Response('no network in tests', { status: 599 }),
      },
    }),
  ],
  test: {
    ...TEST_OPTIONS,
    name: 'edge-proxy',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Two runtimes for all files: to boot one for each took most of the time. Each file begins in them as in a new one.
    isolate: false,
    maxWorkers: 2,
    setupFiles: ['./test-support/new-isolate.ts', './test-support/as-before.ts'],
    // Vitest wants projects with other numbers of workers in a group of their own.
    sequence: { groupOrder: 1 },
  },
});
