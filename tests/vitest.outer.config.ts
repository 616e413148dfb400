import { defineConfig } from 'vitest/config';
import { keepTemporaryFoldersInMemory } from '../scripts/memory-folder.ts';
import { TEST_OPTIONS } from '../scripts/test-limits.ts';

const HANG_MS = 40 * 60_000;

// Projects with their packages are among them.
keepTemporaryFoldersInMemory({ gigabytes: 5 });

/** The outer ring, `pnpm test --all`: what proves the world outside, such as other people's frameworks and packed releases. */
export default defineConfig({
  test: {
    ...TEST_OPTIONS,
    // Some install what they need, or play thousands of histories: only what hangs is ended.
    testTimeout: HANG_MS,
    hookTimeout: HANG_MS,
    name: 'outer',
    include: ['**/*.outer.test.ts'],
    fileParallelism: false,
    // Otherwise those of the inner ring, which give way too, would starve beside them.
    globalSetup: ['./support/give-way.ts'],
    setupFiles: ['./support/own-connections.ts'],
  },
});
