import { expect, it } from 'vitest';
import { type Document, type ExportingPackage, findExportProblems } from './check-package-exports.ts';

const CORE: ExportingPackage = {
  folder: 'packages/core',
  manifest: {
    name: '@innkeep/core',
    exports: { '.': './dist/index.js', './operations/*': './dist/operations/*.js' },
  },
  builtFiles: new Set([
    './dist/index.js',
    './dist/index.d.ts',
    './dist/operations/pay.js',
    './dist/operations/pay.d.ts',
  ]),
};
const README: Document = {
  file: 'packages/core/README.md',
  text: 'Use `@innkeep/core`, or `@innkeep/core/operations/pay`.',
};

function messages(core: ExportingPackage, documents: readonly Document[]): readonly string[] {
  return findExportProblems([core], documents).map(({ message }) => message);
}

it('accepts a package whose three sides agree', () => {
  expect(messages(CORE, [README])).toEqual([]);
});

it('finds an export that the build does not make', () => {
  const builtFiles = new Set(['./dist/index.js', './dist/index.d.ts']);
  const readme = { ...README, text: '`@innkeep/core` and `@innkeep/core/operations/*`' };
  expect(messages({ ...CORE, builtFiles }, [readme])).toEqual([
    expect.stringContaining('which the build does not make'),
  ]);
});

it('finds a module without types', () => {
  const builtFiles = new Set([...CORE.builtFiles].filter((file) => file !== './dist/operations/pay.d.ts'));
  expect(messages({ ...CORE, builtFiles }, [README])).toEqual([expect.stringContaining('without its .d.ts')]);
});

it('finds a subpath that the README does not name', () => {
  expect(messages(CORE, [{ ...README, text: 'Use `@innkeep/core`.' }])).toEqual([
    'does not say what @innkeep/core/operations/* is for',
  ]);
});

it('finds a package without a README', () => {
  expect(messages(CORE, [])).toEqual(['@innkeep/core has no README']);
});

it('finds a document that names a subpath nobody exports', () => {
  const guide = {
    file: 'docs/guide.md',
    text: 'First.\nImport `@innkeep/core/operations/pya` or `@innkeep/core/auth`.',
  };
  expect(findExportProblems([CORE], [README, guide])).toEqual([
    { file: 'docs/guide.md', line: 2, message: expect.stringContaining('@innkeep/core/operations/pya') },
    { file: 'docs/guide.md', line: 2, message: expect.stringContaining('@innkeep/core/auth') },
  ]);
});

it('lets a document read an installed file that is there, and no other', () => {
  const guide = {
    file: 'docs/guide.md',
    text: 'Serve `node_modules/@innkeep/core/dist/operations`, not `node_modules/@innkeep/core/dist/cdn`.',
  };
  expect(findExportProblems([CORE], [README, guide])).toEqual([
    { file: 'docs/guide.md', line: 1, message: expect.stringContaining('@innkeep/core/dist/cdn') },
  ]);
});
