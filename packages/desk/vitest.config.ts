import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { CHROMIUM_ARGS, findChromium } from '../../scripts/chromium.ts';
import { TEST_LIMITS, TEST_OPTIONS } from '../../scripts/test-limits.ts';

export default defineConfig({
  optimizeDeps: { include: ['lit', 'axe-core'] },
  test: {
    ...TEST_OPTIONS,
    // The elements are defined once for all files: what a test leaves behind, it cleans up itself.
    isolate: false,
    name: 'desk',
    include: ['src/**/*.test.ts'],
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      connectTimeout: TEST_LIMITS.testTimeout,
      instances: [{ browser: 'chromium' }],
      provider: playwright({ launchOptions: { executablePath: findChromium() ?? '', args: [...CHROMIUM_ARGS] } }),
    },
  },
});
