import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [
    cloudflareTest({
      wrangler: { configPath: './wrangler.jsonc' },
      // The net below every test: whatever is not answered by a fake upstream never leaves the machine.
      miniflare: { outboundService: () => new Response('no network in tests', { status: 599 }) },
    }),
  ],
  test: { name: 'edge-proxy', include: ['src/**/*.test.ts', 'test/**/*.test.ts'] },
});
