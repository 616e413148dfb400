import { defineConfig } from 'vitest/config';

/** All suites at once, for `pnpm test --project core`. Each starts by its own configuration otherwise, which takes a fifth of the time. */
export default defineConfig({
  test: {
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
