import { defineConfig } from 'rolldown';

/** A Worker whose start loads one file, and beside it what it loads only when it needs it. */
const worker = (entry, folder) => ({
  input: `src/${entry}.ts`,
  platform: 'browser',
  external: /^cloudflare:/,
  resolve: { conditionNames: ['workerd', 'worker', 'browser', 'import'] },
  // What only the documents read of a schema goes with the schema. No getter has effects, nor has a function that makes schemas: what they
  // say of themselves (`@__NO_SIDE_EFFECTS__`) is not read in modules that are loaded later.
  treeshake: {
    propertyReadSideEffects: false,
    manualPureFunctions: ['v', 'feedOf', 'idOf', 'openPicklist', 'pageOf'],
  },
  output: {
    dir: `dist/${folder}`,
    minify: true,
    comments: { annotation: false },
    sourcemap: true,
    chunkFileNames: '[name].part.js',
    cleanDir: true,
    // One file compresses better than several. The entry itself may export nothing but what the runtime looks for.
    codeSplitting: {
      groups: [
        // What telemetry shares with the rest: the start waits for both, so neither may wait for the start.
        { name: 'shared', test: /telemetry\/version\.ts$|values\/web-address\.js$/, priority: 1 },
        { name: 'proxy', tags: ['$initial'] },
        // What the calls of the payment service and the gateway are sent by.
        { name: 'transport', test: /\/core\/dist\/transport\/|\/node_modules\/ky\// },
      ],
    },
  },
});

export default defineConfig([worker('worker', 'bundle'), worker('worker-moto', 'bundle-moto')]);
