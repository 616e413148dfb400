import { defineConfig } from 'vitest/config';
import { TEST_OPTIONS } from '../scripts/test-limits.ts';

/** The outer ring, `pnpm test --all`: what proves the world outside, such as other people's frameworks and packed releases. */
export default defineConfig({
  test: {
    ...TEST_OPTIONS,
    name: 'outer',
    include: ['**/*.outer.test.ts'],
    fileParallelism: false,
    // Otherwise those of the inner ring, which give way too, would starve beside them.
    globalSetup: ['./support/give-way.ts'],
  },
});
