import { defineConfig } from 'vitest/config';
import { TEST_OPTIONS } from './test-limits.ts';

export default defineConfig({ test: { ...TEST_OPTIONS, name: 'scripts', isolate: false, include: ['**/*.test.ts'] } });
