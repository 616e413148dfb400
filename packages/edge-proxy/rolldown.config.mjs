import { defineConfig } from 'rolldown';

/** A Worker in one file, and beside it what it loads only when it needs it. */
const worker = (entry, folder) => ({
  input: `src/${entry}.ts`,
  platform: 'browser',
  external: /^cloudflare:/,
  resolve: { conditionNames: ['workerd', 'worker', 'browser', 'import'] },
  output: { dir: `dist/${folder}`, minify: true, sourcemap: true, chunkFileNames: '[name].js', cleanDir: true },
});

export default defineConfig([worker('worker', 'bundle'), worker('worker-moto', 'bundle-moto')]);
