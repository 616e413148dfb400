import { describe, expect, it } from 'vitest';
import { entryPointsOf, findImportProblems } from './check-import-rules.ts';
import { summarizeModule } from './module-imports.ts';

const ENTRY_POINTS = new Set(['packages/core/src/index.ts', 'packages/core/src/values/index.ts']);

/** Messages for a small repository, given as path → source. */
function problemsOf(files: Record<string, string>): readonly string[] {
  const modules = Object.entries(files).map(([file, source]) => summarizeModule(file, source));
  return findImportProblems(modules, ENTRY_POINTS).map(({ file, line, message }) => `${file}:${line ?? 0} ${message}`);
}

describe('arrows between packages', () => {
  it('lets widgets import the secret-free subpaths of core', () => {
    expect(
      problemsOf({
        'packages/widgets/src/controllers/a.ts': `import { createCheckout } from '@innkeep/core/checkout';`,
      }),
    ).toEqual([]);
  });

  it.each([
    ['packages/widgets/src/controllers/a.ts', `import { createClient } from '@innkeep/core';`],
    ['packages/widgets/src/controllers/a.ts', `import type { PayInput } from '@innkeep/core/operations/pay';`],
    ['packages/widgets/src/controllers/a.ts', `type S = import('@innkeep/core/checkout/contract').Schema;`],
    ['packages/widgets/src/controllers/a.ts', `import '@innkeep/edge-proxy';`],
    ['packages/sandbox/src/app.ts', `import { Money } from '@innkeep/core/values';`],
    ['packages/core/src/client.ts', `await import('@innkeep/sandbox');`],
    ['packages/core/src/client.test.ts', `import { createSandbox } from '@innkeep/sandbox';`],
  ])('refuses in %s: %s', (file, source) => {
    expect(problemsOf({ [file]: source })).toEqual([expect.stringContaining('may import')]);
  });

  it('refuses a way into another package by path', () => {
    expect(problemsOf({ 'packages/edge-proxy/src/app.ts': `import { x } from '../../core/src/client.ts';` })).toEqual([
      expect.stringContaining('leave a package by its name'),
    ]);
    expect(problemsOf({ 'tests/a.test.ts': `import { x } from '../packages/core/src/client.ts';` })).toEqual([
      expect.stringContaining("use the package's name"),
    ]);
  });

  it('refuses every import of tests/ from outside it', () => {
    expect(problemsOf({ 'scripts/demo.ts': `import { start } from '../tests/start.ts';` })).toEqual([
      expect.stringContaining('nothing imports tests/'),
    ]);
  });

  it('asks for a row when a package is new', () => {
    expect(problemsOf({ 'packages/novel/src/index.ts': 'export const a = 1;' })).toEqual([
      expect.stringContaining('PACKAGE_RULES'),
    ]);
  });
});

describe('layers inside a package', () => {
  it('lets a layer import those below it', () => {
    expect(problemsOf({ 'packages/core/src/operations/pay.ts': `import { send } from '../http/send.ts';` })).toEqual(
      [],
    );
  });

  it('refuses an import upwards, also of a type', () => {
    expect(
      problemsOf({ 'packages/core/src/http/send.ts': `import type { PayInput } from '../operations/pay.ts';` }),
    ).toEqual([expect.stringContaining('http imports operations, which stands above it')]);
  });

  it('refuses an import between siblings', () => {
    expect(problemsOf({ 'packages/core/src/gateway/a.ts': `import { pay } from '../operations/pay.ts';` })).toEqual([
      expect.stringContaining('stands beside it'),
    ]);
  });

  it('keeps secrets out of the folders that browsers get', () => {
    expect(
      problemsOf({ 'packages/core/src/checkout/a.ts': `import { login } from '../auth/login.ts';` }),
    ).toContainEqual(expect.stringContaining('not of the secret-free set'));
    expect(problemsOf({ 'packages/core/src/checkout/a.ts': `import { object } from 'valibot';` })).toEqual([
      expect.stringContaining('imports valibot'),
    ]);
  });

  it('asks for a layer when a folder is new', () => {
    expect(problemsOf({ 'packages/core/src/novel/a.ts': 'export const a = 1;' })).toEqual([
      expect.stringContaining('has no layer'),
    ]);
  });

  it('keeps outside modules in the one place that knows them', () => {
    expect(
      problemsOf({ 'packages/core/src/operations/pay.ts': `import { parseXml } from '@rgrove/parse-xml';` }),
    ).toEqual([expect.stringContaining('only in gateway/')]);
    expect(problemsOf({ 'packages/core/src/values/a.ts': `import { join } from 'node:path';` })).toEqual([
      expect.stringContaining('nowhere'),
    ]);
    expect(problemsOf({ 'packages/edge-proxy/src/routes/a.ts': `import { env } from 'cloudflare:workers';` })).toEqual([
      expect.stringContaining('durable-objects/'),
    ]);
  });

  it('refuses shipped code that imports test code', () => {
    expect(problemsOf({ 'packages/core/src/client.ts': `import { fake } from './http/fake.test.ts';` })).toEqual([
      expect.stringContaining('does not import test code'),
    ]);
  });

  it('refuses an element that imports another element, or registers one on import', () => {
    expect(problemsOf({ 'packages/widgets/src/elements/a/a.ts': `import { B } from '../b/b.ts';` })).toEqual([
      expect.stringContaining('share a controller'),
    ]);
    expect(problemsOf({ 'packages/widgets/src/elements/a/a.ts': `import './define.ts';` })).toEqual([
      expect.stringContaining('must not register'),
    ]);
  });
});

describe('barrels', () => {
  it('refuses a folder barrel and accepts an entry point', () => {
    const source = `export { a } from './a.ts';`;
    expect(problemsOf({ 'packages/core/src/http/index.ts': source })).toEqual([
      expect.stringContaining('only re-exports'),
    ]);
    expect(problemsOf({ 'packages/core/src/values/index.ts': source })).toEqual([]);
  });

  it('refuses export *, even in an entry point', () => {
    expect(problemsOf({ 'packages/core/src/values/index.ts': `export * from './a.ts';` })).toEqual([
      expect.stringContaining('one by one'),
    ]);
  });

  it('refuses an import through an entry point from inside', () => {
    expect(problemsOf({ 'packages/core/src/http/send.ts': `import { Money } from '../values/index.ts';` })).toEqual([
      expect.stringContaining('import the file that owns the name'),
    ]);
  });
});

describe('cycles', () => {
  it('finds a cycle made of type imports', () => {
    const files = {
      'packages/core/src/http/a.ts': `import type { B } from './b.ts'; export type A = B;`,
      'packages/core/src/http/b.ts': `import { c } from './c.ts'; export type B = typeof c;`,
      'packages/core/src/http/c.ts': `import type { A } from './a.ts'; export const c: A | null = null;`,
    };
    expect(problemsOf(files)).toEqual([expect.stringMatching(/import cycle: .*a\.ts → .*b\.ts → .*c\.ts → .*a\.ts/)]);
  });

  it('accepts two ways to the same file', () => {
    const files = {
      'packages/core/src/http/a.ts': `import { b } from './b.ts'; import { c } from './c.ts'; export const a = [b, c];`,
      'packages/core/src/http/b.ts': `import { c } from './c.ts'; export const b = c;`,
      'packages/core/src/http/c.ts': 'export const c = 1;',
    };
    expect(problemsOf(files)).toEqual([]);
  });
});

it('knows the source files behind exports, patterns included', () => {
  const packages = [
    {
      folder: 'packages/core',
      manifest: { name: '@innkeep/core', exports: { './operations/*': './dist/operations/*.js' } },
    },
  ];
  const files = [
    'packages/core/src/operations/pay.ts',
    'packages/core/src/operations/deep/pay.ts',
    'packages/core/src/http/send.ts',
  ];
  expect([...entryPointsOf(packages, files)]).toEqual(['packages/core/src/operations/pay.ts']);
});

it('sees every form of import', () => {
  const source = `import './a.ts';
export { b } from './b.ts';
const c = await import('./c.ts');
type D = import('./d.ts').D;
export const e = 1;`;
  expect(
    summarizeModule('x.ts', source).imports.map(({ kind, specifier, line }) => `${line} ${kind} ${specifier}`),
  ).toEqual(['1 import ./a.ts', '2 re-export ./b.ts', '3 dynamic ./c.ts', '4 type ./d.ts']);
});

it('refuses a file it cannot read', () => {
  expect(() => summarizeModule('x.ts', 'import {')).toThrow('x.ts');
});
