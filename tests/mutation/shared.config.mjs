/** `MUTATE_ONE_IN=4` tries the mutants of a quarter of the functions, always the same quarter. */
const ONE_IN = Number(process.env.MUTATE_ONE_IN ?? 1);

const isWhole = (path) => path.isClassMethod() || path.isClassPrivateMethod() || path.parentPath?.isProgram() === true;

const shouldIgnore = (path) => {
  if (ONE_IN === 1 || !isWhole(path) || (path.node.declaration ?? path.node).type === 'ClassDeclaration')
    return undefined;
  let hash = 7;
  for (const character of path.toString()) hash = (hash * 31 + character.charCodeAt(0)) % 1_000_003;
  return hash % ONE_IN === 0 ? undefined : 'not in the sample';
};

export const strykerPlugins = [{ kind: 'Ignore', name: 'sample', value: { shouldIgnore } }];

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
  plugins: ['@stryker-mutator/vitest-runner', import.meta.url],
  ignorers: ['sample'],
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
