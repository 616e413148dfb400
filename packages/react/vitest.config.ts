import { playwright } from '@vitest/browser-playwright';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { CHROMIUM_ARGS, findChromium } from '../../scripts/chromium.ts';
import { TEST_LIMITS, TEST_OPTIONS } from '../../scripts/test-limits.ts';

/** The same tests with one version of React. */
export function withReact(name: string, alias: Readonly<Record<string, string>> = {}): ViteUserConfig {
  return {
    resolve: { alias },
    cacheDir: `node_modules/.vite-${name}`,
    optimizeDeps: { include: ['react', 'react-dom/client', 'react-dom/server.browser'] },
    test: {
      ...TEST_OPTIONS,
      name,
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
  };
}

export default defineConfig(withReact('react'));
