import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { name: 'create-innkeep', include: ['src/**/*.test.ts'] } });
