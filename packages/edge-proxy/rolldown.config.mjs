import { defineConfig } from 'rolldown';

/** A Worker in one file, and beside it what it loads only when it needs it. */
const worker = (entry, folder) => ({
  input: `src/${entry}.ts`,
  platform: 'browser',
  external: /^cloudflare:/,
  resolve: { conditionNames: ['workerd', 'worker', 'browser', 'import'] },
  // No getter has effects: what only the documents read of a schema goes with the schema.
  treeshake: { propertyReadSideEffects: false },
  output: {
    dir: `dist/${folder}`,
    minify: true,
    comments: { annotation: false },
    sourcemap: true,
    chunkFileNames: '[name].part.js',
    cleanDir: true,
  },
});

export default defineConfig([worker('worker', 'bundle'), worker('worker-moto', 'bundle-moto')]);
