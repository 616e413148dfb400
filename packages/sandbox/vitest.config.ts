import { defineConfig } from 'vitest/config';
import { TEST_LIMITS } from '../../scripts/test-limits.ts';

export default defineConfig({
  test: { ...TEST_LIMITS, name: 'sandbox', isolate: false, include: ['src/**/*.test.ts'] },
});
