import { fileURLToPath } from 'node:url';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { ShortestFirst } from './shortest-first.ts';

/** The configuration of suites that need nothing but Node. */
export function unitSuites(include: string[], more: ViteUserConfig['test'] = {}): ViteUserConfig {
  return defineConfig({
    root: fileURLToPath(new URL('../..', import.meta.url)),
    test: {
      name: 'mutation',
      include,
      testTimeout: 10_000,
      isolate: false,
      pool: 'threads',
      maxWorkers: 1,
      silent: true,
      sequence: { sequencer: ShortestFirst },
      ...more,
    },
  });
}
