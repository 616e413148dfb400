import { defineConfig } from 'vitest/config';
import { TEST_OPTIONS } from '../../scripts/test-limits.ts';

export default defineConfig({
  test: { ...TEST_OPTIONS, name: 'demo', isolate: false, include: ['{src,scripts}/**/*.test.ts'] },
});
