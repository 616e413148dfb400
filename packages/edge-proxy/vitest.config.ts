import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import { TEST_LIMITS } from '../../scripts/test-limits.ts';
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
    ...TEST_LIMITS,
    name: 'edge-proxy',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    silent: 'passed-only',
  },
});
