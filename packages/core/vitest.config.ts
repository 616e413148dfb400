import { defineConfig } from 'vitest/config';
import { TEST_OPTIONS } from '../../scripts/test-limits.ts';

export default defineConfig({
  test: {
    ...TEST_OPTIONS,
    name: 'core',
    isolate: false,
    include: ['src/**/*.test.ts'],
    // Most of what may run at once only waits for a time limit.
    maxConcurrency: 20,
  },
});
