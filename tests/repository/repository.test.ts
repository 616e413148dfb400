// What holds for the repository as a whole and that no tool knows.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../scripts/launch.ts';

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
const manifests = ['package.json', ...globSync('{packages,apps,tests}/*/package.json', { cwd: ROOT })].map(
  (file) => readJson(file) as Manifest,
);

// Each is code from strangers beside a hotel's credentials, or bytes on a guest's phone: see docs/decisions.
const RUN_TIME_DEPENDENCIES: Readonly<Record<string, readonly string[]>> = {
  '@innkeep/cli': [
    '@clack/prompts',
    '@innkeep/core',
    '@innkeep/edge-proxy',
    '@innkeep/sandbox',
    'commander',
    'get-port',
  ],
  '@innkeep/core': ['@rgrove/parse-xml', 'ky', 'valibot'],
  '@innkeep/desk': ['@innkeep/core', '@innkeep/widgets', '@types/react', 'lit'],
  '@innkeep/edge-proxy': [
    '@hono/standard-validator',
    '@innkeep/core',
    '@opentelemetry/api',
    '@opentelemetry/core',
    '@opentelemetry/otlp-transformer',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-metrics',
    '@opentelemetry/sdk-trace',
    'hono',
    'lean-qr',
    'valibot',
    'workerd',
  ],
  '@innkeep/react': ['@innkeep/widgets', '@types/react', 'react'],
  '@innkeep/sandbox': ['@hono/node-server', 'hono'],
  '@innkeep/widgets': ['@innkeep/core', '@types/react', 'lit'],
  'create-innkeep': ['@clack/prompts'],
};

test('published packages have the run-time dependencies that were decided on', () => {
  const published = manifests.filter((manifest) => manifest.private !== true);
  const dependencies = published.map(({ name, dependencies, peerDependencies }) => [
    name,
    Object.keys({ ...dependencies, ...peerDependencies }).sort(),
  ]);
  expect(Object.fromEntries(dependencies)).toEqual(RUN_TIME_DEPENDENCIES);
});

test('every version is exact, so that two installs are equal', () => {
  const versions = manifests.flatMap(({ name, dependencies, devDependencies }) =>
    Object.entries({ ...dependencies, ...devDependencies }).map(([on, version]) => `${name}: ${on} ${version}`),
  );
  expect(versions.length).toBeGreaterThan(50);
  expect(
    versions.filter((line) => !/ (?:(?:npm:[\w-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?|catalog:|workspace:[\^*])$/.test(line)),
  ).toEqual([]);
});

test('every operation of core has a test, a page, an endpoint in the sandbox and a budget', () => {
  // `call` is the way to an operation that has no function yet.
  const operations = globSync('packages/core/src/operations/*.ts', { cwd: ROOT })
    .filter((file) => !/\.test(-d)?\.ts$|\/call\.ts$/.test(file))
    .map((file) => basename(file, '.ts'));
  const companions = operations.flatMap((name) => [
    `packages/core/src/operations/${name}.test.ts`,
    `docs/upstream/${name}.md`,
    `packages/sandbox/src/endpoints/${name}.ts`,
  ]);
  expect(operations.length).toBeGreaterThan(5);
  expect(companions.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  const budgets = (readJson('packages/core/.size-limit.json') as { name: string }[]).map(({ name }) => name);
  const budgetOf = (name: string): string => `./context + ./operations/${name}`;
  expect(
    operations.map(budgetOf).filter((name) => !budgets.includes(name)),
    'packages/core/.size-limit.json',
  ).toEqual([]);
});

test('nothing but ky calls fetch in core, besides the two calls of a page', () => {
  const callers = globSync('packages/core/src/**/*.ts', { cwd: ROOT })
    .filter((file) => !file.endsWith('.test.ts'))
    .filter((file) =>
      /\bfetch\)?\s*\(/.test(readFileSync(join(ROOT, file), 'utf8').replaceAll(/^ *(\*|\/\/).*$/gm, '')),
    );
  expect(callers).toEqual(['packages/core/src/checkout/checkout-client.ts']);
});

test('the README tells the limits that the budgets set', () => {
  const budgets = globSync('packages/*/.size-limit.json', { cwd: ROOT }).flatMap(
    (file) => readJson(file) as { name: string; limit: string }[],
  );
  const table = readFileSync(join(ROOT, 'README.md'), 'utf8').split('## Sizes')[1]?.split('\n## ')[0] ?? '';
  const rows = [...table.matchAll(/^\| (.+?) +\| +([\d.]+) KiB \|$/gm)].map((match) => `${match[1]}: ${match[2]} KiB`);
  const limit = (name: string): string => budgets.find((budget) => budget.name === name)?.limit ?? 'no budget';
  expect(rows).toEqual([
    `the script file: all three elements, English included: ${limit('cdn/widgets.js')}`,
    `the script file of a reception, in three languages: ${limit('cdn/desk.js')}`,
    `\`@innkeep/core/checkout\`, what a page of your own needs instead: ${limit('./checkout')}`,
    `\`@innkeep/core/merchant\`, for your server: ${limit('./merchant')}`,
    `\`@innkeep/core/webhooks\`: ${limit('./webhooks')}`,
    `one call to the payment service, login included: ${limit('./context + ./operations/pay')}`,
    `\`@innkeep/core\`, every call: ${limit('.')}`,
    `the proxy’s worker: ${limit('worker bundle')}`,
  ]);
});

test('every threat of SECURITY.md has a test that exists', () => {
  const threats =
    (readFileSync(join(ROOT, 'SECURITY.md'), 'utf8').split('## Threats')[1] ?? '').split('\n## ')[0] ?? '';
  const rows = threats.split('\n').filter((line) => /^\| (?!Threat|---)/.test(line));
  expect(rows.length).toBeGreaterThan(20);
  const lost = rows.flatMap((row) => {
    const tests = [...row.matchAll(/\[([^\]]+)\]\(([^)]+\.test\.ts)\)/g)];
    const isThere = ([, title, file]: RegExpMatchArray): boolean =>
      existsSync(join(ROOT, file ?? '')) && readFileSync(join(ROOT, file ?? ''), 'utf8').includes(`'${title}'`);
    return tests.length === 0 ? [row] : tests.filter((test) => !isThere(test)).map(([link]) => link);
  });
  expect(lost, 'SECURITY.md quotes the titles of these tests: change both').toEqual([]);
});

test('the guide names every language of the elements', () => {
  const files = globSync('packages/widgets/src/localization/locales/*.ts', { cwd: ROOT });
  const languages = files.map((file) => basename(file, '.ts')).sort((one, other) => one.localeCompare(other));
  const guide = readFileSync(join(ROOT, 'docs/guides/translations.md'), 'utf8').replaceAll('\n', ' ');
  expect(guide).toContain(`The elements speak ${languages.length} languages: ${languages.join(', ')}.`);
});

test('what can publish runs no code of ours or of a dependency', () => {
  const workflow = readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8');
  const jobs = workflow.split(/^(?= {2}[a-z-]+:$)/m).filter((job) => job.includes('runs-on'));
  const publishers = jobs.filter((job) => job.includes('id-token'));
  expect(jobs.length).toBeGreaterThan(2);
  expect(publishers).toHaveLength(1);
  expect(publishers[0]).toContain('npm publish "$tarball" --provenance');
  expect(publishers[0]).not.toMatch(/checkout|pnpm|npx|install|contents:|node scripts/);
  expect(jobs.filter((job) => /pnpm@\S+ (check|test)$/m.test(job) && job.includes('write'))).toEqual([]);
});

test('what is published says the repository that npm expects, since packages get it from the root as they are packed', () => {
  const workflow = readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8');
  expect(workflow).toMatch(
    /npm pkg set repository="git\+https:\/\/github\.com\/\$GITHUB_REPOSITORY\.git"\n.* pack --out/,
  );
});

test('npx in this folder starts the pnpm of packageManager at once, and installs nothing else unasked', () => {
  const { bin } = readJson('package.json') as { bin: Readonly<Record<string, string>> };
  expect(Object.keys(bin)).toEqual(['pnpm']);
  expect(existsSync(join(ROOT, bin.pnpm ?? ''))).toBe(true);
  const settings = existsSync(join(ROOT, '.npmrc')) ? readFileSync(join(ROOT, '.npmrc'), 'utf8') : '';
  expect(settings).not.toMatch(/^\s*yes\b/m);
});

test('every folder of tests is a package, so that turbo runs it', () => {
  const folders = globSync('tests/*/**/*.test.ts', { cwd: ROOT, exclude: ['**/node_modules'] }).map((file) =>
    file.split(/[\\/]/).slice(0, 2).join('/'),
  );
  expect([...new Set(folders)].filter((folder) => !existsSync(join(ROOT, folder, 'package.json')))).toEqual([]);
});
