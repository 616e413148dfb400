import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import { TEST_ENVIRONMENT } from './test-support/environment.ts';

export default defineConfig({
  plugins: [
    cloudflareTest({
      wrangler: { configPath: './wrangler.jsonc' },
      miniflare: {
        bindings: TEST_ENVIRONMENT,
        // The net below every test: whatever is not answered by a fake upstream never leaves the machine.
        outboundService: () => new Response('no network in tests', { status: 599 }),
      },
    }),
  ],
  test: {
    name: 'edge-proxy',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    silent: 'passed-only',
    // Hundreds of guests at once take their time on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
