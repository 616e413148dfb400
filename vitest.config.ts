import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // The proxy logs every request; only a failing test’s lines are worth reading.
    silent: 'passed-only',
    projects: [
      'packages/*/vitest.config.ts',
      'packages/react/vitest.react-18.config.ts',
      'apps/*/vitest.config.ts',
      'tests/vitest.config.ts',
      'tests/vitest.outer.config.ts',
      'scripts/vitest.config.ts',
    ],
  },
});
