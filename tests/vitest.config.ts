import { defineConfig } from 'vitest/config';
import { keepTemporaryFoldersInMemory } from '../scripts/memory-folder.ts';
import { TEST_OPTIONS } from '../scripts/test-limits.ts';

keepTemporaryFoldersInMemory({ gigabytes: 2 });

export default defineConfig({
  test: {
    ...TEST_OPTIONS,
    name: 'tests',
    include: ['**/*.test.ts'],
    exclude: ['**/*.outer.test.ts', '**/node_modules/**'],
    fileParallelism: false,
    // Built as Node runs it: nothing in it is to be transformed.
    server: { deps: { external: [/\/(packages|apps)\/[^/]+\/dist\//] } },
    globalSetup: ['./support/give-way.ts'],
    setupFiles: ['./support/own-connections.ts'],
  },
});
