/** What the areas share. Each has suites of its own: no test of the proxy's objects says more about a rule than the rule's own test. */
const ignored = [
  'dist',
  '!packages/edge-proxy/dist',
  'packages/edge-proxy/dist/bundle*',
  '.turbo',
  'node_modules',
  '.wrangler',
  'reports',
  'apps/docs',
  'docs/images',
];

/**
 * @param {'access' | 'core' | 'policy' | 'objects'} area
 * @param {readonly string[]} mutate
 * @returns {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export const configOf = (area, mutate) => ({
  packageManager: 'pnpm',
  plugins: ['@stryker-mutator/vitest-runner'],
  testRunner: 'vitest',
  vitest: { configFile: `tests/mutation/${area}.vitest.config.ts`, related: false },
  coverageAnalysis: 'perTest',
  mutate: [...mutate, '!**/*.test.ts'],
  // Statuses and codes are closed types, SQL without its text fails at once, and what remains is words.
  mutator: { excludedMutations: ['StringLiteral'] },
  ignorePatterns: ignored,
  tsconfigFile: 'none',
  disableTypeChecks: false,
  incremental: true,
  incrementalFile: `reports/mutation/${area}.incremental.json`,
  reporters: ['clear-text', 'json', 'html', 'progress-append-only'],
  jsonReporter: { fileName: `reports/mutation/${area}.json` },
  htmlReporter: { fileName: `reports/mutation/${area}.html` },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  timeoutMS: 5_000,
  timeoutFactor: 1.5,
  concurrency: 2,
});
