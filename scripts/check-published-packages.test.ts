import { expect, it } from 'vitest';
import { entryPointOptions, findTarballProblems } from './check-published-packages.ts';

const MANIFEST = {
  name: '@innkeep/core',
  exports: { '.': './dist/index.js', './operations/*': './dist/operations/*.js' },
  dependencies: { ky: '2.1.0' },
};
const FILES = [
  'LICENSE',
  'README.md',
  'dist/index.js',
  'dist/operations/pay.js',
  'package.json',
  'src/index.ts',
  'src/operations/pay.ts',
];

function messages(manifest: Parameters<typeof findTarballProblems>[1], files: readonly string[]): readonly string[] {
  return findTarballProblems('packages/core', manifest, files).map(({ message }) => message);
}

it('accepts a complete package', () => {
  expect(messages(MANIFEST, FILES)).toEqual([]);
});

it.each(['LICENSE', 'README.md', 'dist/index.js', 'dist/operations/pay.js'])('finds %s missing', (missing) => {
  expect(
    messages(
      MANIFEST,
      FILES.filter((file) => file !== missing),
    ),
  ).toEqual([expect.stringContaining('is not in the package')]);
});

it.each(['src/index.test.ts', 'dist/tsconfig.tsbuildinfo', 'test/worker.ts', '.dev.vars'])(
  'finds %s left in',
  (unwanted) => {
    expect(messages(MANIFEST, [...FILES, unwanted])).toEqual([expect.stringContaining('does not belong')]);
  },
);

it('finds what a deleted source left behind', () => {
  expect(messages(MANIFEST, [...FILES, 'dist/gone.js', 'dist/gone.d.ts.map', 'dist/generated.js'])).toEqual([
    'dist/gone.js has no source any more: rm -rf packages/*/dist && npx pnpm build --force',
  ]);
});

it('finds an address of the workspace', () => {
  expect(messages({ ...MANIFEST, dependencies: { ky: 'catalog:' } }, FILES)).toEqual(['ky is published as catalog:']);
});

it('names the members of a pattern that have types', () => {
  const files = [...FILES, 'dist/operations/pay.d.ts', 'dist/operations/untyped.js'];
  expect(entryPointOptions(MANIFEST, files)).toEqual(['--include-entrypoints', './operations/pay']);
});
