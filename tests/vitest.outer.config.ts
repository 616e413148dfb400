import { defineConfig } from 'vitest/config';
import { TEST_LIMITS } from '../scripts/test-limits.ts';

/** The outer ring, `pnpm test --all`: what proves the world outside, such as other people's frameworks and packed releases. */
export default defineConfig({
  test: {
    ...TEST_LIMITS,
    name: 'outer',
    include: ['**/*.outer.test.ts'],
    fileParallelism: false,
  },
});
