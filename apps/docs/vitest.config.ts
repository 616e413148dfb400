import { defineConfig } from 'vitest/config';
import { TEST_OPTIONS } from '../../scripts/test-limits.ts';

export default defineConfig({ test: { ...TEST_OPTIONS, name: 'docs', include: ['src/**/*.test.ts'] } });
